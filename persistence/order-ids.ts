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
  /** Several at once cost a third of as many single ones: what is dear is to begin to read. */
  lookupAll(orderIds: readonly string[]): readonly OrderIdLookup[];
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
  // Of one moment: what is not there was not there at its seq. (One statement for the seq and an id
  // would be prepared anew at each call, which takes most of its time.)
  const lookupAll = database.transaction((orderIds: readonly string[]): OrderIdLookup[] => {
    const checkedSeq = selectSeq.get() ?? 0;
    return orderIds.map((orderId) => ({
      checkedSeq,
      known: knownOf(selectId.get(Buffer.from(orderId.slice(2), 'hex'))),
    }));
  });
  return {
    lookup: (orderId) => lookupAll([orderId])[0]!, // as many answers as ids
    lookupAll,
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
