/**
 * The log: JSON lines on standard error. The one file that imports pino.
 *
 * Invariant: whatever has the name of a secret is redacted, so that logging a request or a record
 * by mistake gives nothing away.
 */
import { type Logger, pino } from 'pino';

export type { Logger };
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const STANDARD_ERROR = 2;
const SECRET_NAMES = [
  'secret',
  'passphrase',
  'signature',
  // As auth headers are kept (auth/header-names.ts).
  'PASSPHRASE',
  'SIGNATURE',
  'authorization',
  'adminToken',
  'privateKey',
] as const;

/** Writes to a file descriptor, standard error unless a test says otherwise. */
export function createLog(level: LogLevel, fd: number = STANDARD_ERROR): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    pino.destination({ fd, sync: true }),
  );
}
