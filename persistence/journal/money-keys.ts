/**
 * The durable index of the idempotency keys that left the engine's memory, with which a repeated
 * request is recognised however late it comes
 * (docs/decisions/0014-known-ids-and-keys.md). A key enters it with the command that
 * made it leave (`money_key_indexed`), in the same transaction; the engine forgets it long after.
 * Invariant: a key that a look-up does not find did not leave up to its `keyCheckedSeq`.
 */
import type { Database } from 'better-sqlite3';
import type { IdempotencyKeyState, KeyLookup } from '../../engine/index.ts';
import { openReadonly } from '../shared/index.ts';

/** A row of `money_keys`, in the order of its columns. */
export type MoneyKeyRow = readonly [name: string, seq: number, record: string];

/** A key as the index names it: neither keys nor owners contain a space. */
export type MoneyKeyRef = Pick<IdempotencyKeyState, 'owner' | 'key'>;

export function moneyKeyRow(seq: number, record: IdempotencyKeyState): MoneyKeyRow {
  return [nameOf(record), seq, JSON.stringify(record)];
}

function nameOf({ owner, key }: MoneyKeyRef): string {
  return `${owner} ${key}`;
}

export interface MoneyKeyIndex {
  /** It blocks for microseconds: call it in a worker. */
  lookup(key: MoneyKeyRef): Required<Pick<KeyLookup, 'keyCheckedSeq'>> & KeyLookup;
  close(): void;
}

/** Opens the index of a journal that an exchange has open, in any thread. */
export function openMoneyKeyIndex(journalPath: string): MoneyKeyIndex {
  const database = openReadonly(journalPath);
  const selectSeq = database.prepare<[], number | null>('SELECT max(seq) FROM commands').pluck();
  const find = moneyKeyFinder(database);
  // In one transaction, so that seq and key are consistent.
  const lookup = database.transaction((key: MoneyKeyRef) => {
    const keyCheckedSeq = selectSeq.get() ?? 0;
    const row = find(key);
    // Safe: the journal's thread wrote the record with JSON.stringify.
    const found = row && { keyRecord: JSON.parse(row[2]) as IdempotencyKeyState };
    return { keyCheckedSeq, ...found };
  });
  return {
    lookup,
    close: () => {
      database.close();
    },
  };
}

export function moneyKeyFinder(database: Database): (key: MoneyKeyRef) => MoneyKeyRow | undefined {
  const select = database
    .prepare<[string], MoneyKeyRow>('SELECT name, seq, record FROM money_keys WHERE name = ?')
    .raw();
  return (key) => select.get(nameOf(key));
}
