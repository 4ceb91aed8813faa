/**
 * Opens markets of the catalog in the engine by journaled commands. From then on trading depends on
 * the journal alone, and the catalog only describes the market.
 */
import { type CreateMarket, lots, micros, type Ticks, ticks } from '../../engine/model/index.ts';
import type { Exchange, TradableMarket } from '../../persistence/index.ts';
import { rejectIn } from '../errors/index.ts';
import type { Registry } from '../views/index.ts';

/** The smallest FOK or FAK BUY: one unit of collateral (wire 4.6). */
export const MINIMUM_BUDGET_MICROS = micros(1_000_000);

const TICKS_OF_A_CENT = 100;

/** The default tick near 0 and 1: 0.001 in a market with a tick of 0.01 (wire 4.7). */
export function finerTickOf(tickTicks: number): Ticks | 0 {
  return tickTicks === TICKS_OF_A_CENT ? ticks(10) : 0;
}

/** Commands submitted at once; they fit into the store's queue. */
const COMMANDS_AT_ONCE = 10_000;

/** The command that opens a market of the catalog in the engine. */
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
  const rejected = rejectIn(events);
  if (rejected === undefined) return;
  const { code, field = '', actual = '' } = rejected;
  throw new Error(
    `the engine refused market ${command.conditionId} of the catalog: ${code} ${field} ${actual}`,
  );
}

/**
 * Opens every tradable market of the catalog that the engine does not have, except imported ones
 * (imported-markets.ts) and further ones of neg-risk events that are open. The others keep the
 * terms with which they were opened.
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
