/**
 * The log: JSON lines on standard error. The one file that imports pino.
 *
 * Invariant: fields with the name of a secret are redacted, so that logging a request or record by
 * mistake reveals no secret.
 */

import { setImmediate } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';

// Slices long work: the caller awaits `nextTurn` before each slice.
//
// Invariant: at most one slice in each turn of the event loop, however many callers, so that
// other requests wait for one slice at the most.

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller has. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

export type { Logger };
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const STANDARD_ERROR = 2;
const SECRET_NAMES = [
  'secret',
  'passphrase',
  'signature',
  // The names in `AuthHeaders.values`.
  'PASSPHRASE',
  'SIGNATURE',
  'authorization',
  'adminToken',
  'privateKey',
] as const;

/**
 * Opens the log's destination. A terminal that was closed refuses every line with EIO, which must
 * not prevent a clean stop. Any other failed write ends the process.
 */
function openDestination(fd: number): DestinationStream {
  const destination = pino.destination({ fd, sync: true });
  const isTerminal = isatty(fd);
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (!isTerminal || error.code !== 'EIO') throw error;
  });
  return destination;
}

/** Writes to a file descriptor, standard error unless a test says otherwise. */
export function createLog(level: LogLevel, fd: number = STANDARD_ERROR): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    openDestination(fd),
  );
}
