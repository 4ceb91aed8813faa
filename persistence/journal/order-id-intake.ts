/**
 * Buffers order ids before they enter their index, as InnoDB's change buffer does
 * (docs/decisions/0014-known-ids-and-keys.md). Ids are hashes, so each falls on another page:
 * an index that is written at each commit makes a commit of 50 orders 50 pages longer. Instead
 * a commit appends its ids to `new_order_ids`, and they wait in memory in 256 shares by their first
 * byte. When more than `limit` wait, the next share in turn enters the index, where its ids share
 * pages. Rows of `new_order_ids` whose ids are all in the index are deleted.
 *
 * Invariant: at each commit every id is in the index, in `new_order_ids` or in both, and every id
 * older than `new_order_ids` is in the index. All waiting ids of a share enter the index together,
 * so those of a share that are in the index are older than those that are not. An id that the index
 * already has fails the transaction, because the engine never accepts one twice. Bound: `limit` ids
 * and those of one batch wait in memory. `new_order_ids` has about twice as many, nearly three
 * times as many in the first round.
 */
import type { Database, Statement } from 'better-sqlite3';
import { idAt, PACKED_BYTES, packedSeq, unpackOrderIds, unpackRow } from './packed-order-ids.ts';

/** One for each value of the first byte of an id. */
const SHARES = 256;

interface Share {
  packed: Buffer;
  bytes: number;
  /** The index has the ids of this share up to this seq. */
  indexedSeq: number;
}

/** A place in a row of `new_order_ids`. */
interface PackedOrder {
  readonly packed: Buffer;
  readonly at: number;
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
  /** The share that enters the index next. */
  #next = 0;
  /** The seq of the last order that `take` or the constructor has read. */
  #lastSeq = 0;

  /** Continues with the ids that an earlier run left. Throws StoreError `journal_damaged`. */
  constructor(database: Database, limit: number) {
    this.#limit = limit;
    this.#insertNew = database.prepare('INSERT INTO new_order_ids VALUES (?, ?)');
    this.#deleteNew = database.prepare('DELETE FROM new_order_ids WHERE first_seq <= ?');
    this.#insertIndexed = database.prepare('INSERT INTO order_ids VALUES (?, ?, ?, ?, ?)');
    this.#load(database);
  }

  /**
   * Adds the packed ids of a batch, in order of seq. Call it in the transaction that writes the
   * batch.
   */
  take(orderIds: Uint8Array): void {
    if (orderIds.length === 0) return;
    const packed = Buffer.from(orderIds.buffer, orderIds.byteOffset, orderIds.byteLength);
    this.#insertNew.run(packedSeq(packed, 0), packed);
    for (let at = 0; at < packed.length; at += PACKED_BYTES) this.#add(packed, at);
    this.#lastSeq = packedSeq(packed, packed.length - PACKED_BYTES);
    while (this.#waiting > this.#limit) this.#indexNext();
  }

  /** Puts all waiting ids into the index. Call it in a transaction. */
  settle(): void {
    for (let turn = 0; turn < SHARES; turn += 1) this.#indexNext();
  }

  #load(database: Database): void {
    const selectNew = database.prepare<[], { readonly firstSeq: number; readonly packed: Buffer }>(
      'SELECT first_seq AS firstSeq, packed FROM new_order_ids ORDER BY first_seq',
    );
    const shares = Array.from({ length: SHARES }, (): PackedOrder[] => []);
    for (const { firstSeq, packed } of selectNew.all()) {
      let at = 0;
      for (const [, seq] of unpackRow(firstSeq, packed)) {
        shares[packed[at]!]!.push({ packed, at });
        at += PACKED_BYTES;
        this.#lastSeq = seq;
      }
    }
    const select = database.prepare<[Buffer]>('SELECT 1 FROM order_ids WHERE order_id = ?');
    const isIndexed = ({ packed, at }: PackedOrder): boolean =>
      select.get(idAt(packed, at)) !== undefined;
    for (const orders of shares) {
      const waiting = orders.slice(countLeading(orders, isIndexed));
      for (const { packed, at } of waiting) this.#add(packed, at);
    }
  }

  #add(packed: Buffer, at: number): void {
    const share = this.#shares[packed[at]!]!;
    const bytes = share.bytes + PACKED_BYTES;
    if (bytes > share.packed.length) share.packed = enlarged(share.packed, bytes);
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
    // The next share is the one that entered the index longest ago.
    this.#deleteNew.run(this.#shares[this.#next]!.indexedSeq);
  }
}

/** Removes the ids of all orders after a seq. Call it in a transaction, without an intake. */
export function cutOrderIds(database: Database, seq: number): void {
  database.prepare('DELETE FROM order_ids WHERE seq > ?').run(seq);
  const selectNew = database.prepare<[], { readonly firstSeq: number; readonly packed: Buffer }>(
    'SELECT first_seq AS firstSeq, packed FROM new_order_ids ORDER BY first_seq',
  );
  const deleteNew = database.prepare('DELETE FROM new_order_ids WHERE first_seq = ?');
  const insertNew = database.prepare('INSERT INTO new_order_ids VALUES (?, ?)');
  for (const { firstSeq, packed } of selectNew.all()) {
    const rows = [...unpackRow(firstSeq, packed)];
    const kept = rows.filter(([, orderSeq]) => orderSeq <= seq);
    if (kept.length === rows.length) continue;
    deleteNew.run(firstSeq);
    if (kept.length === 0) continue;
    insertNew.run(firstSeq, packed.subarray(0, kept.length * PACKED_BYTES));
  }
}

/** How many of the first values are true, where no true value comes after a false one. */
function countLeading<Value>(values: readonly Value[], isTrue: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(values[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function enlarged(packed: Buffer, bytes: number): Buffer {
  const larger = Buffer.alloc(2 * bytes);
  packed.copy(larger);
  return larger;
}
