/**
 * Finds the orders that a cancel left because their market is halted. The cancel's answer
 * must distinguish them from orders that are closed or belong to another owner.
 *
 * Invariant: it reads only while some market is halted, and returns only live orders of the owner.
 * The cancel is already done, so if this read is refused the cancel is answered without its result.
 * Bound: the owner's live orders, `READ_BOUNDS.haltedOrdersPerRead` at a time.
 */
import type { Exchange } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { toApiError } from '../errors/index.ts';
import { nextTurn } from '../runtime/log.ts';
import type { Registry } from '../views/index.ts';
import type { CancelFilter } from './intake.ts';

interface Sources {
  readonly exchange: Pick<Exchange, 'reader'>;
  readonly registry: Registry;
}

/** Collects what a search finds. A refused read ends the search early. */
async function collect(found: AsyncIterable<string>): Promise<readonly string[]> {
  const orderIds: string[] = [];
  try {
    for await (const orderId of found) orderIds.push(orderId);
  } catch (failure) {
    if (toApiError(failure) === undefined) throw failure;
  }
  return orderIds;
}

/** The named orders that are live orders of the owner in a halted market. */
export async function haltedAmong(
  sources: Sources,
  owner: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await collect(findAmong(sources, owner, orderIds)));
}

/** All live orders of the owner that match the filter and are in a halted market, oldest first. */
export function haltedOrders(
  sources: Sources,
  owner: string,
  filter: CancelFilter,
): Promise<readonly string[]> {
  return collect(findAll(sources, owner, filter));
}

async function* findAmong(
  { exchange, registry }: Sources,
  owner: string,
  orderIds: readonly string[],
): AsyncIterable<string> {
  if (registry.haltedMarkets.size === 0) return;
  const most = READ_BOUNDS.haltedOrdersPerRead;
  for (let start = 0; start < orderIds.length; start += most) {
    for (const order of await exchange.reader.orders(orderIds.slice(start, start + most))) {
      if (order?.status !== 'live' || order.owner !== owner) continue;
      if (registry.haltedMarkets.has(order.conditionId)) yield order.orderId;
    }
  }
}

async function* findAll(
  { exchange, registry }: Sources,
  owner: string,
  { conditionId, tokenId }: CancelFilter,
): AsyncIterable<string> {
  const limit = READ_BOUNDS.haltedOrdersPerRead;
  const filter = {
    owner,
    limit,
    ...(conditionId === '' ? {} : { conditionId }),
    ...(tokenId === '' ? {} : { tokenId }),
  };
  for (let offset = 0, more = registry.haltedMarkets.size > 0; more; offset += limit) {
    await nextTurn();
    const page = await exchange.reader.liveOrders({ ...filter, offset });
    for (const order of page.records) {
      if (registry.haltedMarkets.has(order.conditionId)) yield order.orderId;
    }
    more = page.more;
  }
}
