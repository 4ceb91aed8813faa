// A transaction that is on the disk when it returns: else a loss of power could take back what was
// answered. The other writes of the catalog are synced when its log is moved into the file: an
// import can be done again.

import type { Database } from 'better-sqlite3';

/** Immediate: what is looked up in it stays true until it commits. Changes nothing if it throws. */
export function durably<Result>(database: Database, work: () => Result): Result {
  const usual = Number(database.pragma('synchronous', { simple: true }));
  database.pragma('synchronous = FULL');
  try {
    return database.transaction(work).immediate();
  } finally {
    database.pragma(`synchronous = ${usual}`);
  }
}
