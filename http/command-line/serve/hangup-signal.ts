/**
 * Reads the file of rate limits again on SIGHUP. Clients and their connections stay.
 *
 * Invariant: a file that is refused changes nothing. The handler exists only where there is a file;
 * without one, SIGHUP ends the process, as for any process whose terminal is closed.
 */

/** The part of `process` that is needed here. */
export interface HangupTarget {
  on(signal: 'SIGHUP', listener: () => void): unknown;
}

export interface HangupOptions<Rules> {
  /** Throws for a file that can't be read or is wrong. */
  readonly reread: () => Rules;
  readonly replace: (rules: Rules) => void;
  readonly note: (message: string) => void;
  readonly warn: (error: unknown, message: string) => void;
}

export function rereadOnHangup<Rules>(
  target: HangupTarget,
  { reread, replace, note, warn }: HangupOptions<Rules>,
): void {
  target.on('SIGHUP', () => {
    try {
      replace(reread());
      note('the rate limits were read again');
    } catch (error) {
      warn(error, 'the file of rate limits is refused; the rate limits stay as they were');
    }
  });
}
