/**
 * Suspends a tool that works beside a live exchange when a terminal asks for it (Ctrl-Z).
 *
 * Invariant: the tool stops between two pieces of synchronous work, when it holds no lock: an
 * exchange that waits too long for the journal's lock would stop. SIGSTOP can't be caught, so each
 * piece is also short.
 */

/** The part of `process` that is needed here. */
export interface SuspendTarget {
  readonly pid: number;
  on(signal: 'SIGTSTP', listener: () => void): unknown;
  off(signal: 'SIGTSTP', listener: () => void): unknown;
  kill(pid: number, signal: 'SIGSTOP'): unknown;
}

/** Runs `work`. Node delivers signals between turns of the event loop. */
export async function suspendBetweenTurns<Result>(
  target: SuspendTarget,
  work: () => Promise<Result>,
): Promise<Result> {
  const suspend = (): void => {
    target.kill(target.pid, 'SIGSTOP');
  };
  target.on('SIGTSTP', suspend);
  try {
    return await work();
  } finally {
    target.off('SIGTSTP', suspend);
  }
}
