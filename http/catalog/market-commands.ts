/**
 * Markets of the catalog become markets of the engine, by journaled commands: from then on trading
 * depends on those alone, and the catalog is words (design 1).
 */
import { type CreateMarket, lots, micros, type Ticks, ticks } from '../../engine/model/index.ts';
import type { Exchange, TradableMarket } from '../../persistence/index.ts';
import type { Registry } from '../views/index.ts';

/** The least FOK or FAK BUY: one unit of collateral (wire 4.6). */
export const MINIMUM_BUDGET_MICROS = micros(1_000_000);

const TICKS_OF_A_CENT = 100;

/** What takes over near 0 and 1 where nothing is said: 0.001 in place of 0.01 (wire 4.7). */
export function finerTickOf(tickTicks: number): Ticks | 0 {
  return tickTicks === TICKS_OF_A_CENT ? ticks(10) : 0;
}

/** Commands submitted before their answers are waited for: within the store's queue. */
const COMMANDS_AT_ONCE = 10_000;

/** What makes a market of the catalog one of the engine. */
export function createCommandOf(market: TradableMarket): CreateMarket {
  return {
    kind: 'create_market',
    conditionId: market.conditionId,
    tokenIds: market.tokenIds,
    tickTicks: ticks(market.tickTicks),
    minimumLots: lots(market.minimumLots),
    minimumBudgetMicros: MINIMUM_BUDGET_MICROS,
    negRisk: market.negRisk,
    eventId: market.eventId,
    selfTrade: 'cancel_maker',
    finerTickTicks: finerTickOf(market.tickTicks),
  };
}

async function create(exchange: Exchange, command: CreateMarket): Promise<void> {
  const { events } = await exchange.submit(command);
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected === undefined) return;
  const { code, field = '', actual = '' } = rejected;
  throw new Error(`the catalog's market ${command.conditionId}: ${code} ${field} ${actual}`);
}

/**
 * Creates every tradable market of the catalog that the engine does not know, but for those that
 * came by an import or sync (imported-markets.ts) and those of opened neg-risk events, which take
 * no more. What it knows keeps the terms it was created with.
 */
export async function createCatalogMarkets(exchange: Exchange, registry: Registry): Promise<void> {
  const missing = exchange.catalog.lookup
    .tradable()
    .filter(({ conditionId }) => registry.market(conditionId) === undefined)
    .filter(({ eventId }) => registry.marketsOfEvent(eventId).length === 0);
  for (let start = 0; start < missing.length; start += COMMANDS_AT_ONCE) {
    const part = missing.slice(start, start + COMMANDS_AT_ONCE);
    await Promise.all(part.map((market) => create(exchange, createCommandOf(market))));
  }
}
