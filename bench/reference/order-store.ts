/**
 * The database of the reference for orders: one durable write for each order and each cancel, in a
 * transaction of its own, as better-sqlite3 is usually used. WAL with synchronous=FULL: when a
 * write returns it is on the disk, as in our journal.
 */
import Database from 'better-sqlite3';
import type { NewOrder } from './order-venue.ts';

const SCHEMA = `
  CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    token_id TEXT NOT NULL,
    price_ticks INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    canceled_ms INTEGER,
    body TEXT NOT NULL,
    trades TEXT NOT NULL
  ) STRICT`;

export interface OrderRow extends NewOrder {
  readonly createdMs: number;
  /** The request as it came: what the owner signed. */
  readonly body: string;
  /** JSON. */
  readonly trades: string;
}

export function openOrderStore(path: string) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(SCHEMA);
  const insert = database.prepare<[OrderRow]>(
    `INSERT INTO orders VALUES (@id, @owner, @tokenId, @priceTicks, @lots, @createdMs, NULL, @body,
      @trades)`,
  );
  const cancel = database.prepare('UPDATE orders SET canceled_ms = ? WHERE id = ?');
  const find = database.prepare('SELECT 1 FROM orders WHERE id = ?').pluck();
  const count = database.prepare('SELECT count(*) FROM orders').pluck();
  return {
    has: (id: string): boolean => find.get(id) !== undefined,
    insert: (row: OrderRow): void => void insert.run(row),
    cancel: (id: string, timeMs: number): void => void cancel.run(timeMs, id),
    /** One transaction for all: the orders that a round of cancels needs. */
    insertAll: database.transaction((rows: readonly OrderRow[]) => {
      for (const row of rows) insert.run(row);
    }),
    count: (): number => Number(count.get()),
    close: (): void => void database.close(),
  };
}
