/**
 * The durable index of every order id ever accepted, with which verifiers recognise a retry however
 * late it comes (docs/decisions/0014-known-ids-and-keys.md). Invariant: an id that a
 * look-up does not know was not accepted up to its `checkedSeq`; the engine remembers later ones.
 */

import type { Database } from 'better-sqlite3';
import type { RecentOrder } from '../../engine/index.ts';
import { openReadonly } from '../shared/index.ts';
import { bytesOfId, OrderIdTables, type StoredOrderId } from './order-id-tables.ts';

export type KnownOrderId = Omit<RecentOrder, 'orderId'>;

export interface OrderIdLookup {
  /** The durable seq up to which the answer holds: an order's `idCheckedSeq`. */
  readonly checkedSeq: number;
  readonly known: KnownOrderId | undefined;
}

export interface OrderIdIndex {
  /** `orderId` is lower-case 0x + 64 hex. It blocks for microseconds: call it in a worker. */
  lookup(orderId: string): OrderIdLookup;
  /**
   * Looks several ids up in one read transaction, which costs a third of single look-ups. Orders
   * accepted after `forgottenSeq` need not be found, because the engine remembers them. So
   * `new_order_ids` is read only if the index does not reach that seq, and nothing is read for 0.
   */
  lookupAll(orderIds: readonly string[], forgottenSeq?: number): readonly OrderIdLookup[];
  close(): void;
}

/** Opens the index of a journal that an exchange has open, in any thread. */
export function openOrderIdIndex(journalPath: string): OrderIdIndex {
  const database = openReadonly(journalPath);
  const selectSeq = database.prepare<[], number | null>('SELECT max(seq) FROM commands').pluck();
  const tables = new OrderIdTables(database);
  // In one transaction, so that seq and ids are consistent. (One statement for both would be
  // planned again at each call, which would take most of the call's time.)
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
      forgottenSeq === 0 ? orderIds.map(() => NOTHING_KNOWN) : lookupAll(orderIds, forgottenSeq),
    close: () => {
      database.close();
    },
  };
}

const NOTHING_KNOWN: OrderIdLookup = { checkedSeq: 0, known: undefined };

function knownOf(stored: StoredOrderId | undefined): KnownOrderId | undefined {
  return stored && { ...stored, postOnly: stored.postOnly === 1 };
}

// Finds the key of an order's row in analytics.db: the seq of its command, which the journal's
// index of order ids has. A second index would be the most expensive write of the projection, a
// random page for each order. The projector asks here only for orders that its engine has
// forgotten. Invariant: a projected order is durable, so it is in the index or in `new_order_ids`.

/** Returns undefined for an id that was never accepted. */
export type OrderKeyOf = (orderId: string) => number | undefined;

export interface JournaledOrderKeys {
  readonly keyOf: OrderKeyOf;
  close(): void;
}

export function openOrderKeys(journalPath: string): JournaledOrderKeys {
  const database = openReadonly(journalPath);
  const tables = new OrderIdTables(database);
  const keyOf = (orderId: string): number | undefined => {
    const id = bytesOfId(orderId);
    const seq = tables.findNewSeq(id);
    if (seq !== undefined) return seq;
    // `new_order_ids` first: an id that is deleted there meanwhile is already in the index.
    tables.refresh();
    return tables.findNewSeq(id) ?? tables.findIndexed(id)?.acceptedSeq;
  };
  return { keyOf, close: () => void database.close() };
}

/** Looks keys up in `orders` itself, without a journal. It is a scan unless ids are indexed. */
export function ownOrderKeys(database: Database): OrderKeyOf {
  const select = database
    .prepare<[Buffer], number>('SELECT order_key FROM orders WHERE order_id = ?')
    .pluck();
  return (orderId) => select.get(bytesOfId(orderId));
}
