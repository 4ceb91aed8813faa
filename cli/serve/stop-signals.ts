/**
 * Stops the exchange on SIGTERM or SIGINT: gracefully on the first signal, at once on the second.
 *
 * Invariant: nothing acknowledged is lost, even if a second signal interrupts the stop.
 */

/** The part of `process` that is needed here. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  exit(code: number): void;
}

export interface StopOptions {
  /** Finishes open requests and closes everything. */
  readonly close: () => Promise<void>;
  /** Called when `close` fails. */
  readonly fail: (error: unknown) => void;
  /** Writes a line to the log. */
  readonly note: (message: string, signal: string) => void;
}

export interface Stopping {
  /** Stops the exchange as a signal does; `signal` is its name in the log. */
  readonly stop: (signal: string) => void;
  /** Whether a signal has arrived. Errors of work that the stop interrupts are then ignored. */
  readonly isStopping: boolean;
}

const STOPPED_AT_ONCE = 1;

export function stopOnSignals(
  target: SignalledProcess,
  { close, fail, note }: StopOptions,
): Stopping {
  const stopping = {
    isStopping: false,
    stop: (signal: string): void => {
      if (stopping.isStopping) {
        note('stopped at once by a second signal', signal);
        target.exit(STOPPED_AT_ONCE);
        return;
      }
      stopping.isStopping = true;
      note('stopping', signal);
      close().then(() => {
        note('stopped', signal);
        target.exit(0);
      }, fail);
    },
  };
  target.on('SIGTERM', stopping.stop);
  target.on('SIGINT', stopping.stop);
  return stopping;
}
