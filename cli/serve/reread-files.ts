/**
 * Reads files of the settings again on SIGHUP, while the exchange runs.
 *
 * Invariant: SIGHUP never ends the process, also before the exchange is ready. A file that is
 * refused changes nothing, and the others are read all the same.
 */

/** The part of `process` that is needed here. */
export interface HangupTarget {
  on(signal: 'SIGHUP', listener: () => void): unknown;
}

export interface RereadLog {
  readonly note: (message: string) => void;
  readonly warn: (error: unknown, message: string) => void;
}

export interface RereadFiles {
  /**
   * `reread` reads a file and uses what it has; it throws, and changes nothing, for a file that is
   * wrong or can't be read. `what` is in the file, in words for the log.
   */
  add(what: string, reread: () => void): void;
}

/** Takes SIGHUP from now on. */
export function rereadOnHangup(target: HangupTarget, { note, warn }: RereadLog): RereadFiles {
  const files: { readonly what: string; readonly reread: () => void }[] = [];
  target.on('SIGHUP', () => {
    if (files.length === 0) note('SIGHUP is ignored: there is no file to read again');
    for (const { what, reread } of files) {
      try {
        reread();
        note(`${what} were read again`);
      } catch (error) {
        warn(error, `the file is refused; ${what} stay as they were`);
      }
    }
  });
  return {
    add: (what, reread) => {
      files.push({ what, reread });
    },
  };
}
