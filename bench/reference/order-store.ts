/**
 * The database of the reference for orders: one durable write an order and a cancel, each a
 * transaction of its own, as better-sqlite3 is usually used. WAL with synchronous=FULL: when a
 * write returns it is on the disk, as with our journal.
 */
import Database from 'better-sqlite3';

const SCHEMA = `
  CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    token_id TEXT NOT NULL,
    side TEXT NOT NULL,
    type TEXT NOT NULL,
    price_ticks INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    canceled_ms INTEGER,
    body TEXT NOT NULL,
    trades TEXT NOT NULL
  ) STRICT`;

export interface OrderRow {
  readonly id: string;
  readonly account: string;
  readonly tokenId: string;
  readonly side: string;
  readonly type: string;
  readonly priceTicks: number;
  readonly lots: number;
  readonly createdMs: number;
  /** The request as it came: what the owner signed. */
  readonly body: string;
  /** JSON. */
  readonly trades: string;
}

export class OrderStore {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement<[OrderRow]>;
  readonly #cancel: Database.Statement<[number, string]>;
  readonly #find: Database.Statement<[string]>;

  constructor(path: string) {
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(SCHEMA);
    this.#database = database;
    this.#insert = database.prepare(
      `INSERT INTO orders VALUES (@id, @account, @tokenId, @side, @type, @priceTicks, @lots,
        @createdMs, NULL, @body, @trades)`,
    );
    this.#cancel = database.prepare('UPDATE orders SET canceled_ms = ? WHERE id = ?');
    this.#find = database.prepare('SELECT 1 FROM orders WHERE id = ?').pluck();
  }

  has(id: string): boolean {
    return this.#find.get(id) !== undefined;
  }

  insert(row: OrderRow): void {
    this.#insert.run(row);
  }

  cancel(id: string, timeMs: number): void {
    this.#cancel.run(timeMs, id);
  }

  /** Many at once, in one transaction: what a round of cancels finds. */
  insertAll(rows: readonly OrderRow[]): void {
    this.#database.transaction(() => {
      for (const row of rows) this.#insert.run(row);
    })();
  }

  count(): number {
    return Number(this.#database.prepare('SELECT count(*) FROM orders').pluck().get());
  }

  close(): void {
    this.#database.close();
  }
}
