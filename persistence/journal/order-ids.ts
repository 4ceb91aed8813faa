/**
 * The durable index of every order id that was ever accepted, read where orders are verified: how
 * a retry is recognised at any distance in time (design 4). Invariant: an answer that knows nothing
 * is true of every order accepted up to its `checkedSeq`; the engine remembers what came after.
 */
import type { OrderType } from '../../engine/index.ts';
import { openReadonly } from '../shared/index.ts';
import { bytesOfId, OrderIdTables, type StoredOrderId } from './order-id-tables.ts';

export interface KnownOrderId {
  readonly acceptedSeq: number;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly expiresAtMs: number;
}

export interface OrderIdIndexOptions {
  readonly path: string;
}

export interface OrderIdLookup {
  /** The durable seq that the answer holds for: an order's `idCheckedSeq`. */
  readonly checkedSeq: number;
  readonly known: KnownOrderId | undefined;
}

export interface OrderIdIndex {
  /** `orderId` is lower-case 0x + 64 hex. Blocks for microseconds; for verifier threads. */
  lookup(orderId: string): OrderIdLookup;
  /**
   * Several at once cost a third of as many single ones: what is dear is to begin to read. Of
   * orders that were accepted after `forgottenSeq` the answers need not know, nor say that they do:
   * the new ids are only read where the index alone does not reach so far, and nothing is for 0.
   */
  lookupAll(orderIds: readonly string[], forgottenSeq?: number): readonly OrderIdLookup[];
  close(): void;
}

/** Opens the index of a journal that `openExchange` has open, in whatever thread asks. */
export function openOrderIdIndex(options: OrderIdIndexOptions): OrderIdIndex {
  const database = openReadonly(options.path);
  const selectSeq = database.prepare<[], number | null>('SELECT max(seq) FROM commands').pluck();
  const tables = new OrderIdTables(database);
  // Of one moment: what is not there was not there at its seq. (One statement for the seq and an id
  // would be prepared anew at each call, which takes most of its time.)
  const lookupAll = database.transaction(
    (orderIds: readonly string[], forgottenSeq = Number.POSITIVE_INFINITY): OrderIdLookup[] => {
      const newSeq = tables.oldestNewSeq();
      const isIndexEnough = newSeq !== undefined && newSeq > forgottenSeq;
      const checkedSeq = isIndexEnough ? newSeq - 1 : (selectSeq.get() ?? 0);
      if (!isIndexEnough) tables.refresh();
      const find = (id: Buffer) => (isIndexEnough ? tables.findIndexed(id) : tables.find(id));
      return orderIds.map((orderId) => ({ checkedSeq, known: knownOf(find(bytesOfId(orderId))) }));
    },
  );
  return {
    lookup: (orderId) => lookupAll([orderId])[0]!, // as many answers as ids
    lookupAll: (orderIds, forgottenSeq) =>
      forgottenSeq === 0 ? orderIds.map(() => OF_NO_ORDER) : lookupAll(orderIds, forgottenSeq),
    close: () => {
      database.close();
    },
  };
}

const OF_NO_ORDER: OrderIdLookup = { checkedSeq: 0, known: undefined };

function knownOf(stored: StoredOrderId | undefined): KnownOrderId | undefined {
  return stored && { ...stored, postOnly: stored.postOnly === 1 };
}
