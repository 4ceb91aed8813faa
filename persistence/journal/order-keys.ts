/**
 * How an order's row in analytics.db is found by its id: an order's key is the seq of its command,
 * and the journal has an index of ids already. A second one would be a random page of the disk for
 * each order, the dearest of all that the projection writes. The projector asks here only for what
 * its engine does not remember. Invariant: an order that is projected is in that index or on its
 * way there, for only durable commands are projected, and nothing is ever removed from it.
 */
import type { Database } from 'better-sqlite3';
import { openReadonly } from '../shared/index.ts';
import { bytesOfId, OrderIdTables } from './order-id-tables.ts';

/** undefined for an id that was never accepted. */
export type OrderKeyOf = (orderId: string) => number | undefined;

export interface JournaledOrderKeys {
  readonly keyOf: OrderKeyOf;
  close(): void;
}

/** Those of a journal that is there. */
export function openOrderKeys(journalPath: string): JournaledOrderKeys {
  const database = openReadonly(journalPath);
  const tables = new OrderIdTables(database);
  const keyOf = (orderId: string): number | undefined => {
    const id = bytesOfId(orderId);
    const seq = tables.findNewSeq(id);
    if (seq !== undefined) return seq;
    // The new ones first: what has left them before the index is asked is in there.
    tables.refresh();
    return tables.findNewSeq(id) ?? tables.findIndexed(id)?.acceptedSeq;
  };
  return { keyOf, close: () => void database.close() };
}

/** For tables without a journal beside them: they are looked through, unless they have an index. */
export function ownOrderKeys(database: Database): OrderKeyOf {
  const select = database
    .prepare<[Buffer], number>('SELECT order_key FROM orders WHERE order_id = ?')
    .pluck();
  return (orderId) => select.get(bytesOfId(orderId));
}
