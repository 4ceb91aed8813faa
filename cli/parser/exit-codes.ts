/** The exit codes of the program. A supervisor need not start it again after WRONG_SETUP. */
import { UsageError } from './parse-arguments.ts';

const FAILED = 1;
/** Wrong arguments or settings, also if only etcd or the data folder shows that they are wrong. */
const WRONG_SETUP = 2;
/** Another node of the cluster is the core now: start this one again, as a standby. */
const DEPOSED = 3;

/** By the codes of StoreError, which is not imported here: `--help` must stay quick. */
const CODES: Readonly<Record<string, number>> = {
  log_refused: WRONG_SETUP,
  log_differs: WRONG_SETUP,
  log_newer: WRONG_SETUP,
  deposed: DEPOSED,
};

/** The exit code of a process that ends because of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return WRONG_SETUP;
  const isStored = error instanceof Error && error.name === 'StoreError' && 'code' in error;
  return (isStored ? CODES[String(error.code)] : undefined) ?? FAILED;
}
