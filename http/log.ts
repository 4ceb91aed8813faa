/**
 * The log: JSON lines on standard error. The one file that imports pino.
 *
 * Invariant: whatever has the name of a secret is redacted, so that logging a request or a record
 * by mistake gives nothing away.
 */
import { type Logger, pino } from 'pino';
import type { LogLevel } from './settings.ts';

export type { Logger };

const STANDARD_ERROR = 2;
const SECRET_NAMES = ['secret', 'passphrase', 'signature', 'authorization', 'adminToken'] as const;

export const createLog = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    pino.destination({ fd: STANDARD_ERROR, sync: true }),
  );
