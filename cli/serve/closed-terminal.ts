/**
 * Stops the exchange when the terminal is closed from which it was started.
 *
 * Invariant: any other SIGHUP only reads files again (`reread-files.ts`).
 */
import { isatty } from 'node:tty';
import type { HangupTarget } from './reread-files.ts';

const STANDARD_STREAMS = [0, 1, 2] as const;

/**
 * A closed terminal sends SIGHUP, and its standard streams are no terminal any more. The shell may
 * send SIGHUP too: the second one must not end a stop half-way.
 */
export function stopOnClosedTerminal(target: HangupTarget, stop: (signal: string) => void): void {
  const terminals = STANDARD_STREAMS.filter((fd) => isatty(fd));
  let isStopped = false;
  target.on('SIGHUP', () => {
    if (isStopped || terminals.every((fd) => isatty(fd))) return;
    isStopped = true;
    stop('SIGHUP');
  });
}
