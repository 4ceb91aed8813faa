/**
 * Stops the exchange on SIGTERM or SIGINT: gracefully on the first signal, at once on a later one.
 * What comes within a second of the first is the same request: npm sends Ctrl-C on to a program
 * that has it from the terminal, and a closed terminal and its shell both send SIGHUP.
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
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}

export interface Stopping {
  /** Stops the exchange as a signal does; `signal` is its name in the log. */
  readonly stop: (signal: string) => void;
  /** Whether a signal has arrived. Errors of work that the stop interrupts are then ignored. */
  readonly isStopping: boolean;
}

const STOPPED_AT_ONCE = 1;
const SAME_REQUEST_MS = 1_000;

export function stopOnSignals(
  target: SignalledProcess,
  { close, fail, note, nowMs = performance.now.bind(performance) }: StopOptions,
): Stopping {
  let firstMs = 0;
  const stopping = {
    isStopping: false,
    stop: (signal: string): void => {
      if (stopping.isStopping) {
        if (nowMs() - firstMs < SAME_REQUEST_MS) return;
        note('stopped at once by a second signal', signal);
        target.exit(STOPPED_AT_ONCE);
        return;
      }
      stopping.isStopping = true;
      firstMs = nowMs();
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
