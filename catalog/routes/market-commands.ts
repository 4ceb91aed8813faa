/**
 * Opens markets of the catalog in the engine by journaled commands. From then on trading depends on
 * the journal alone, and the catalog only describes the market.
 */
import {
  BOUNDS,
  type Command,
  type CreateMarket,
  lots,
  MINIMUM_EVENT_MARKETS,
  micros,
  type Rejected,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { rejectIn } from '../../http/errors/index.ts';
import type { Logger } from '../../http/runtime/log.ts';
import type { Registry } from '../../http/views/index.ts';
import type { Exchange, TradableMarket } from '../../persistence/index.ts';

/** The smallest FOK or FAK BUY: one unit of collateral (wire 4.6). */
export const MINIMUM_BUDGET_MICROS = micros(1_000_000);

const TICKS_OF_A_CENT = 100;

/** The default tick near 0 and 1: 0.001 in a market with a tick of 0.01 (wire 4.7). */
export function finerTickOf(tickTicks: number): Ticks | 0 {
  return tickTicks === TICKS_OF_A_CENT ? ticks(10) : 0;
}

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

export interface RefusedCommand<C extends Command = Command> {
  readonly rejected: Rejected;
  readonly command: C;
}

/** Submits all commands in one turn of the event loop, and returns those that were refused. */
export async function submitAll<C extends Command>(
  exchange: Exchange,
  commands: readonly C[],
  evidence?: unknown,
): Promise<RefusedCommand<C>[]> {
  const answers = await Promise.all(commands.map((command) => exchange.submit(command, evidence)));
  return answers.flatMap(({ events }, index) => {
    const rejected = rejectIn(events);
    const command = commands[index];
    return rejected === undefined || command === undefined ? [] : [{ rejected, command }];
  });
}

export function* partsOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

type EventMarket = Pick<TradableMarket, 'negRisk' | 'eventId'>;

/** The number of markets in each neg-risk event, if these traded besides those that trade. */
function countByEvent(markets: readonly EventMarket[], registry: Registry): Map<string, number> {
  const counts = new Map<string, number>();
  const count = ({ negRisk, eventId }: EventMarket): void => {
    if (negRisk) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  };
  for (const market of registry.markets()) count(market);
  markets.forEach(count);
  return counts;
}

/** Whether a neg-risk event with so many markets can be opened, and so be resolved. */
export function canOpenEvent(marketCount: number): boolean {
  return marketCount >= MINIMUM_EVENT_MARKETS && marketCount <= BOUNDS.marketsPerEvent;
}

export interface OpeningUsers {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly log: Logger;
}

const EVENTS_LOGGED = 10;

/** Logs the events whose markets were not opened, because they could never be resolved. */
export function logWithheld(withheld: readonly TradableMarket[], log: Logger): void {
  if (withheld.length === 0) return;
  const events = [...new Set(withheld.map(({ eventId }) => eventId))].slice(0, EVENTS_LOGGED);
  const limit = `${MINIMUM_EVENT_MARKETS}..${BOUNDS.marketsPerEvent}`;
  log.warn(
    { markets: withheld.length, events, limit },
    'markets of neg-risk events with too few or too many markets do not trade',
  );
}

export interface OpeningPace {
  /** Commands submitted at once; they fit into the store's queue. */
  readonly atOnce: number;
  readonly evidence?: object;
}

/**
 * Opens those of the markets that the engine does not have, except in neg-risk events that are
 * open, or that could not be opened. Returns how many it tried to open, the commands that the
 * engine refused, and the markets of events that could not be opened.
 */
export async function openMissing(
  markets: readonly TradableMarket[],
  { exchange, registry }: Omit<OpeningUsers, 'log'>,
  { atOnce, evidence }: OpeningPace,
) {
  const fresh = markets
    .filter(({ conditionId }) => registry.market(conditionId) === undefined)
    .filter(({ eventId }) => registry.marketsOfEvent(eventId).length === 0);
  const counts = countByEvent(fresh, registry);
  const mayEnd = ({ negRisk, eventId }: TradableMarket): boolean =>
    !negRisk || canOpenEvent(counts.get(eventId) ?? 0);
  const missing = fresh.filter(mayEnd);
  const withheld = fresh.filter((market) => !mayEnd(market));
  const refused: RefusedCommand<CreateMarket>[] = [];
  for (const part of partsOf(missing, atOnce)) {
    refused.push(...(await submitAll(exchange, part.map(createCommandOf), evidence)));
  }
  return { count: missing.length, refused, withheld };
}

/**
 * Opens every tradable market of the catalog that the engine does not have, except imported ones
 * (imported-markets.ts). Markets that the engine has keep the terms with which they were opened.
 */
export async function createCatalogMarkets(users: OpeningUsers): Promise<void> {
  const markets = users.exchange.catalog.lookup.tradable();
  const { refused, withheld } = await openMissing(markets, users, { atOnce: 10_000 });
  logWithheld(withheld, users.log);
  const [first] = refused;
  if (first === undefined) return;
  const { code, field = '', actual = '' } = first.rejected;
  throw new Error(
    `the engine refused market ${first.command.conditionId} of the catalog: ` +
      `${code} ${field} ${actual}`,
  );
}
