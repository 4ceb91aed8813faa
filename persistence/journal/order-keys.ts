/**
 * Finds the key of an order's row in analytics.db: the seq of its command, which the journal's
 * index of order ids has. A second index would be the most expensive write of the projection, a
 * random page for each order. The projector asks here only for orders that its engine has
 * forgotten. Invariant: a projected order is durable, so it is in the index or in `new_order_ids`.
 */
import type { Database } from 'better-sqlite3';
import { openReadonly } from '../shared/index.ts';
import { bytesOfId, OrderIdTables } from './order-id-tables.ts';

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
