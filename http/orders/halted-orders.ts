/**
 * Finds the orders that a cancel did not cancel because their market is halted, for the cancel's
 * answer: they are neither gone nor another owner's.
 *
 * Invariant: it reads only while some market is halted, and returns only live orders of the owner.
 * The cancel is already done, so if the read is refused it is answered without this.
 * Bound: the owner's live orders, `READ_BOUNDS.haltedOrdersPerRead` at a time.
 */
import type { Exchange } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/index.ts';
import { toApiError } from '../errors/index.ts';
import { nextTurn } from '../runtime/index.ts';
import type { Registry } from '../views/index.ts';
import type { CancelFilter } from './intake.ts';

interface Sources {
  readonly exchange: Pick<Exchange, 'reader'>;
  readonly registry: Registry;
}

function unlessRefused(failure: unknown): void {
  if (toApiError(failure) === undefined) throw failure;
}

/** The named orders that are live orders of the owner in a halted market. */
export async function haltedAmong(
  sources: Sources,
  owner: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const halted = new Set<string>();
  await findAmong(sources, { owner, orderIds, halted }).catch(unlessRefused);
  return halted;
}

/** All live orders of the owner that match the filter and are in a halted market, oldest first. */
export async function haltedOrders(
  sources: Sources,
  owner: string,
  filter: CancelFilter,
): Promise<readonly string[]> {
  const halted: string[] = [];
  await findAll(sources, { owner, ...filter, halted }).catch(unlessRefused);
  return halted;
}

interface Named {
  readonly owner: string;
  readonly orderIds: readonly string[];
  readonly halted: Set<string>;
}

async function findAmong(
  { exchange, registry }: Sources,
  { owner, orderIds, halted }: Named,
): Promise<void> {
  if (registry.haltedMarkets.size === 0) return;
  const most = READ_BOUNDS.haltedOrdersPerRead;
  for (let start = 0; start < orderIds.length; start += most) {
    for (const order of await exchange.reader.orders(orderIds.slice(start, start + most))) {
      if (order?.status !== 'live' || order.owner !== owner) continue;
      if (registry.haltedMarkets.has(order.conditionId)) halted.add(order.orderId);
    }
  }
}

interface Filtered extends CancelFilter {
  readonly owner: string;
  readonly halted: string[];
}

async function findAll(
  { exchange, registry }: Sources,
  { owner, conditionId, tokenId, halted }: Filtered,
): Promise<void> {
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
    const inHalted = page.records.filter((order) => registry.haltedMarkets.has(order.conditionId));
    halted.push(...inHalted.map(({ orderId }) => orderId));
    more = page.more;
  }
}
