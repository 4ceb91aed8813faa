/**
 * The durable index of every order id that was ever accepted, read where orders are verified: how
 * a retry is recognised at any distance in time (design 4). Invariant: an answer that knows nothing
 * is true of every order accepted up to its `checkedSeq`; the engine remembers what came after.
 */
import SqliteDatabase from 'better-sqlite3';
import type { OrderType } from '../engine/index.ts';
import { STORE_PACE } from './store-bounds.ts';

export interface OrderIdIndexOptions {
  readonly path: string;
}

export interface KnownOrderId {
  readonly acceptedSeq: number;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly expiresAtMs: number;
}

export interface OrderIdLookup {
  /** The durable seq that the answer holds for: an order's `idCheckedSeq`. */
  readonly checkedSeq: number;
  readonly known: KnownOrderId | undefined;
}

export interface OrderIdIndex {
  /** `orderId` is lower-case 0x + 64 hex. Blocks for microseconds; for verifier threads. */
  lookup(orderId: string): OrderIdLookup;
  close(): void;
}

interface Row {
  readonly acceptedSeq: number;
  readonly type: OrderType;
  readonly postOnly: number;
  readonly expiresAtMs: number;
}

const SELECT_ID =
  'SELECT seq AS acceptedSeq, type, post_only AS postOnly, expires_ms AS expiresAtMs ' +
  'FROM order_ids WHERE order_id = ?';

/** Opens the index of a journal that `openExchange` has open, in whatever thread asks. */
export function openOrderIdIndex(options: OrderIdIndexOptions): OrderIdIndex {
  const database = new SqliteDatabase(options.path, {
    readonly: true,
    timeout: STORE_PACE.busyMs,
  });
  const selectSeq = database.prepare<[], number | null>('SELECT max(seq) FROM commands').pluck();
  const selectId = database.prepare<[Buffer], Row>(SELECT_ID);
  return {
    lookup: (orderId) => {
      // The seq first: ids are only ever added, so what is not there later was not there then. (One
      // statement for both would be prepared anew at each call, which takes most of its time.)
      const checkedSeq = selectSeq.get() ?? 0;
      const row = selectId.get(Buffer.from(orderId.slice(2), 'hex'));
      return { checkedSeq, known: knownOf(row) };
    },
    close: () => {
      database.close();
    },
  };
}

function knownOf(row: Row | undefined): KnownOrderId | undefined {
  if (row === undefined) return undefined;
  return {
    acceptedSeq: row.acceptedSeq,
    type: row.type,
    postOnly: row.postOnly === 1,
    expiresAtMs: row.expiresAtMs,
  };
}
