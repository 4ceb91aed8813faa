/**
 * Looks order ids up in the journal's two tables of them: the index, and the rows of new ones,
 * which are kept in memory and read on from where they were read last. Invariant: after `refresh`
 * every order id is found that was accepted before it. Bound: what `new_order_ids` holds, some 150
 * bytes an id; nothing before the first `refresh`.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { OrderType } from '../../engine/index.ts';
import { findPacked, unpackRow } from './packed-order-ids.ts';

/** As it is stored. */
export interface StoredOrderId {
  readonly acceptedSeq: number;
  readonly type: OrderType;
  /** 0 or 1. */
  readonly postOnly: number;
  readonly expiresAtMs: number;
}

/** An id, and the command that its order was accepted by. */
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
  /** The seq of each of their ids, whose bytes are the text; in the same order. */
  readonly #newSeqs = new Map<string, number>();
  /** Of the last row that was read. */
  #readSeq = 0;

  constructor(database: Database) {
    this.#selectIndexed = database.prepare(SELECT_INDEXED);
    this.#selectNew = database.prepare(SELECT_NEW);
    this.#selectOldest = database
      .prepare<[], number | null>('SELECT min(first_seq) FROM new_order_ids')
      .pluck();
  }

  /** The index has all ids of before this seq; undefined when it has all there are. */
  oldestNewSeq(): number | undefined {
    return this.#selectOldest.get() ?? undefined;
  }

  /** `id` has 32 bytes. */
  find(id: Buffer): StoredOrderId | undefined {
    return this.findNew(id) ?? this.findIndexed(id);
  }

  /** The seq alone, of those of the last refresh; some that the index has are found too. */
  findNewSeq(id: Buffer): number | undefined {
    return this.#newSeqs.get(id.toString('latin1'));
  }

  /** Of the same ones. */
  findNew(id: Buffer): StoredOrderId | undefined {
    const seq = this.findNewSeq(id);
    if (seq === undefined) return undefined;
    const row = this.#newRows.findLast(({ firstSeq }) => firstSeq <= seq);
    const stored = row && findPacked(row.packed, seq);
    // Where an id came twice, an older one may be remembered longer than its row.
    if (stored === undefined) return undefined;
    const [, acceptedSeq, type, postOnly, expiresAtMs] = stored;
    return { acceptedSeq, type, postOnly, expiresAtMs };
  }

  findIndexed(id: Buffer): StoredOrderId | undefined {
    return this.#selectIndexed.get(id);
  }

  /** Reads what is new. Throws StoreError `journal_damaged`. */
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

  /** Those of the last refresh that the index does not have, in order of acceptance. */
  *coming(): Generator<ListedId> {
    for (const [text, seq] of this.#newSeqs) {
      const orderId = Buffer.from(text, 'latin1');
      if (this.findIndexed(orderId) === undefined) yield { orderId, seq };
    }
  }

  /** What has left the table is in the index. */
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
