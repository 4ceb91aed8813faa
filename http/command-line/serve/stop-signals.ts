/**
 * Stops the exchange when the system or a person asks for it (design 8): in order at the first
 * signal, at once at the second.
 *
 * Invariant: whatever the second signal interrupts, nothing acknowledged is lost by it.
 */

/** What there is of a process. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  exit(code: number): void;
}

export interface StopOptions {
  /** Finishes what is in hand and lets everything go. */
  readonly close: () => Promise<void>;
  /** The close failed. */
  readonly fail: (error: unknown) => void;
  readonly note: (message: string, signal: string) => void;
}

export interface Stopping {
  /** Whether a stop was asked for: what it interrupts is no failure. */
  readonly isAsked: boolean;
}

const STOPPED_AT_ONCE = 1;

export function stopOnSignals(
  target: SignalledProcess,
  { close, fail, note }: StopOptions,
): Stopping {
  const stopping = { isAsked: false };
  const stop = (signal: string): void => {
    if (stopping.isAsked) {
      note('stopped at once by a second signal', signal);
      target.exit(STOPPED_AT_ONCE);
      return;
    }
    stopping.isAsked = true;
    note('stopping', signal);
    close().then(() => {
      note('stopped', signal);
      target.exit(0);
    }, fail);
  };
  target.on('SIGTERM', stop);
  target.on('SIGINT', stop);
  return stopping;
}
