/**
 * How order ids come into their index. Ids are hashes: each goes to a page of its own, so that an
 * index written with every commit makes a commit of 50 orders 50 pages longer, and each of these
 * pages is moved into the database by the next checkpoint. Here a commit only appends its ids to
 * `new_order_ids`, and they wait in memory, in shares by their first byte. When more wait than may,
 * one share after the other goes into the index, round and round: neighbours share pages. (InnoDB's
 * change buffer is the same thought.) What every share has put into the index leaves
 * `new_order_ids`.
 *
 * Invariant: every id is in the index, or in `new_order_ids`, or in both, at each commit; what is
 * older than all of `new_order_ids` is in the index. An id that the index has already breaks the
 * transaction, because the engine must never accept one twice. Bound: `limit` ids wait in memory,
 * and those of one batch; twice as many are in `new_order_ids`, and nearly three times as many in
 * the first round after a start.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { OrderIdRow } from './batch.ts';
import { PACKED_BYTES, packOrderIds, unpackOrderIds, unpackRow } from './packed-order-ids.ts';

/** One for each value of an id's first byte. */
const SHARES = 256;

/** Packed ids that wait together. */
interface Share {
  packed: Buffer;
  bytes: number;
  /** The index has its ids of all orders up to this one. */
  indexedSeq: number;
}

export class OrderIdIntake {
  readonly #limit: number;
  readonly #insertNew: Statement;
  readonly #deleteNew: Statement;
  readonly #insertIndexed: Statement;
  readonly #shares: readonly Share[] = Array.from({ length: SHARES }, () => ({
    packed: Buffer.alloc(0),
    bytes: 0,
    indexedSeq: 0,
  }));
  #waiting = 0;
  /** The share whose turn is next. */
  #next = 0;
  /** Of the last order that was taken. */
  #lastSeq = 0;

  /** Takes up what waited when the last one ended. Throws StoreError `journal_damaged`. */
  constructor(database: Database, limit: number) {
    this.#limit = limit;
    this.#insertNew = database.prepare('INSERT INTO new_order_ids VALUES (?, ?)');
    this.#deleteNew = database.prepare('DELETE FROM new_order_ids WHERE first_seq <= ?');
    this.#insertIndexed = database.prepare('INSERT INTO order_ids VALUES (?, ?, ?, ?, ?)');
    this.#takeUp(database);
  }

  /** Those of a batch, in order of seq, within its transaction. */
  take(rows: readonly OrderIdRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const packed = packOrderIds(rows);
    this.#insertNew.run(first[1], packed);
    for (let at = 0; at < packed.length; at += PACKED_BYTES) this.#add(packed, at);
    this.#lastSeq = rows.at(-1)![1];
    while (this.#waiting > this.#limit) this.#indexNext();
  }

  /** Puts all that waits into the index, within a transaction of its own. */
  settle(): void {
    for (let turn = 0; turn < SHARES; turn += 1) this.#indexNext();
  }

  #takeUp(database: Database): void {
    const selectNew = database.prepare<[], { readonly firstSeq: number; readonly packed: Buffer }>(
      'SELECT first_seq AS firstSeq, packed FROM new_order_ids ORDER BY first_seq',
    );
    const isIndexed = database.prepare<[Buffer]>('SELECT 1 FROM order_ids WHERE order_id = ?');
    for (const { firstSeq, packed } of selectNew.all()) {
      let at = 0;
      for (const [id, seq] of unpackRow(firstSeq, packed)) {
        if (isIndexed.get(id) === undefined) this.#add(packed, at);
        at += PACKED_BYTES;
        this.#lastSeq = seq;
      }
    }
  }

  #add(packed: Buffer, at: number): void {
    const share = this.#shares[packed[at]!]!;
    const bytes = share.bytes + PACKED_BYTES;
    if (bytes > share.packed.length) share.packed = withRoom(share.packed, bytes);
    packed.copy(share.packed, share.bytes, at, at + PACKED_BYTES);
    share.bytes = bytes;
    this.#waiting += 1;
  }

  #indexNext(): void {
    const share = this.#shares[this.#next]!;
    const rows = unpackOrderIds(share.packed.subarray(0, share.bytes));
    for (const row of rows) this.#insertIndexed.run(row);
    this.#waiting -= share.bytes / PACKED_BYTES;
    share.bytes = 0;
    share.indexedSeq = this.#lastSeq;
    this.#next = (this.#next + 1) % SHARES;
    // The one whose turn is longest ago.
    this.#deleteNew.run(this.#shares[this.#next]!.indexedSeq);
  }
}

function withRoom(packed: Buffer, bytes: number): Buffer {
  const larger = Buffer.alloc(2 * bytes);
  packed.copy(larger);
  return larger;
}
