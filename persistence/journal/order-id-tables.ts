/**
 * Looks order ids up in the journal's two tables: the index `order_ids`, and `new_order_ids`, whose
 * rows are cached and read incrementally. Invariant: after `refresh`, every order id accepted
 * before it is found. Bound: some 150 bytes for each id in `new_order_ids`, from the first
 * `refresh` on.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { RecentOrder } from '../../engine/index.ts';
import { findPacked, unpackRow } from './packed-order-ids.ts';

export interface StoredOrderId extends Omit<RecentOrder, 'orderId' | 'postOnly'> {
  /** 0 or 1. */
  readonly postOnly: number;
}

export interface ListedId {
  readonly orderId: Buffer;
  readonly seq: number;
}

interface NewRow {
  readonly firstSeq: number;
  readonly packed: Buffer;
}

const SELECT_INDEXED =
  'SELECT seq AS acceptedSeq, type, post_only AS postOnly, expires_ms AS expiresAtMs ' +
  'FROM order_ids WHERE order_id = ?';
const SELECT_NEW =
  'SELECT first_seq AS firstSeq, packed FROM new_order_ids WHERE first_seq > ? ORDER BY first_seq';

export function bytesOfId(orderId: string): Buffer {
  return Buffer.from(orderId.slice(2), 'hex');
}

export class OrderIdTables {
  readonly #selectIndexed: Statement<[Buffer], StoredOrderId>;
  readonly #selectNew: Statement<[number], NewRow>;
  readonly #selectOldest: Statement<[], number | null>;
  /** In order of seq. */
  #newRows: NewRow[] = [];
  /** The seq of each id in these rows; the key is the id's bytes as Latin-1 text. */
  readonly #newSeqs = new Map<string, number>();
  /** The key of the last row read. */
  #readSeq = 0;

  constructor(database: Database) {
    this.#selectIndexed = database.prepare(SELECT_INDEXED);
    this.#selectNew = database.prepare(SELECT_NEW);
    this.#selectOldest = database
      .prepare<[], number | null>('SELECT min(first_seq) FROM new_order_ids')
      .pluck();
  }

  /** The index has all ids before this seq; undefined if it has all ids. */
  oldestNewSeq(): number | undefined {
    return this.#selectOldest.get() ?? undefined;
  }

  find(id: Buffer): StoredOrderId | undefined {
    return this.findNew(id) ?? this.findIndexed(id);
  }

  /** The seq of an id that was new at the last refresh. The index may have it too. */
  findNewSeq(id: Buffer): number | undefined {
    return this.#newSeqs.get(id.toString('latin1'));
  }

  /** An id that was new at the last refresh. The index may have it too. */
  findNew(id: Buffer): StoredOrderId | undefined {
    const seq = this.findNewSeq(id);
    if (seq === undefined) return undefined;
    const row = this.#newRows.findLast(({ firstSeq }) => firstSeq <= seq);
    const stored = row && findPacked(row.packed, seq);
    // If a damaged journal has an id twice, `#forget` may keep ids whose rows were deleted.
    if (stored === undefined) return undefined;
    const [, acceptedSeq, type, postOnly, expiresAtMs] = stored;
    return { acceptedSeq, type, postOnly, expiresAtMs };
  }

  findIndexed(id: Buffer): StoredOrderId | undefined {
    return this.#selectIndexed.get(id);
  }

  /** Reads the rows added since the last refresh. Throws StoreError `journal_damaged`. */
  refresh(): void {
    const rows = this.#selectNew.all(this.#readSeq);
    if (rows.length === 0) return;
    for (const row of rows) {
      for (const [id, seq] of unpackRow(row.firstSeq, row.packed)) {
        this.#newSeqs.set(id.toString('latin1'), seq);
      }
      this.#newRows.push(row);
      this.#readSeq = row.firstSeq;
    }
    this.#forget();
  }

  /** The ids that were new at the last refresh and are not in the index, in order of seq. */
  *unindexed(): Generator<ListedId> {
    for (const [text, seq] of this.#newSeqs) {
      const orderId = Buffer.from(text, 'latin1');
      if (this.findIndexed(orderId) === undefined) yield { orderId, seq };
    }
  }

  /** Forgets the ids whose rows were deleted: the index has them. */
  #forget(): void {
    const oldestSeq = this.oldestNewSeq() ?? Number.POSITIVE_INFINITY;
    const kept = this.#newRows.findIndex(({ firstSeq }) => firstSeq >= oldestSeq);
    this.#newRows = this.#newRows.slice(kept === -1 ? this.#newRows.length : kept);
    for (const [id, seq] of this.#newSeqs) {
      if (seq >= oldestSeq) return;
      this.#newSeqs.delete(id);
    }
  }
}
