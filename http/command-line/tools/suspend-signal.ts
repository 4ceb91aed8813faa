/**
 * Suspends a tool that works beside a live exchange when a terminal asks for it (Ctrl-Z).
 *
 * Invariant: it stops between two pieces of synchronous work, so it keeps no lock while it stands:
 * an exchange that waits too long for the journal's lock stops. Against SIGSTOP, which can't be
 * caught, only the shortness of each piece helps.
 */

/** What there is of a process. */
export interface SuspendTarget {
  readonly pid: number;
  on(signal: 'SIGTSTP', listener: () => void): unknown;
  off(signal: 'SIGTSTP', listener: () => void): unknown;
  kill(pid: number, signal: 'SIGSTOP'): unknown;
}

/** Until the work ends, however it does. Signals are heard when the event loop turns. */
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
