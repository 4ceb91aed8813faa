/**
 * Transactions that survive a loss of power once they return, for acknowledged writes of users.
 * Imports need none: they can be repeated.
 */

import type { Database } from 'better-sqlite3';

/**
 * Runs `work` in an immediate transaction and syncs the disk. Changes nothing if it throws. Inside
 * another transaction it is a part of that one.
 */
export function durably<Result>(database: Database, work: () => Result): Result {
  if (database.inTransaction) return database.transaction(work)();
  const usual = Number(database.pragma('synchronous', { simple: true }));
  database.pragma('synchronous = FULL');
  try {
    return database.transaction(work).immediate();
  } finally {
    database.pragma(`synchronous = ${usual}`);
  }
}
