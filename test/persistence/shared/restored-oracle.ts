/**
 * What a start from a snapshot must report, computed slowly: the state of an engine that applied
 * all commands, and for each fact the last event that changed it.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  Bounds,
  EngineEvent,
  MarketState,
  MarketSummary,
  RestingOrder,
} from '../../../engine/index.ts';
import { Engine, lots, ticks } from '../../../engine/index.ts';
import type {
  DurableCommand,
  LastTradeFacts,
  MarketFacts,
  RestoredKey,
  RestoredState,
} from '../../../persistence/index.ts';

type EventOf<Kind extends EngineEvent['kind']> = DurableCommand & {
  readonly event: Extract<EngineEvent, { kind: Kind }>;
};

/** Each event of these kinds, with its command. */
function eventsOf<Kind extends EngineEvent['kind']>(
  durable: readonly DurableCommand[],
  ...kinds: readonly Kind[]
): EventOf<Kind>[] {
  return durable.flatMap((command) =>
    command.events
      .filter((event): event is EventOf<Kind>['event'] => kinds.some((kind) => kind === event.kind))
      .map((event) => ({ ...command, event })),
  );
}

const BOOK_KINDS = ['market_created', 'level_changed', 'fill', 'market_changed'] as const;

/** The time of the last change to what a book shows. */
function bookMsOf(durable: readonly DurableCommand[]): number {
  let shown = '';
  let bookMs = 0;
  for (const { event, command, timeMs } of eventsOf(durable, ...BOOK_KINDS)) {
    const terms =
      event.kind === 'market_changed' ? event : command.kind === 'create_market' ? command : {};
    const isOfTerms = event.kind === 'market_created' || event.kind === 'market_changed';
    const { tickTicks, minimumLots } = { tickTicks: 0, minimumLots: 0, ...terms };
    const next = isOfTerms ? `${tickTicks}/${minimumLots}` : shown;
    if (event.kind !== 'market_changed' || next !== shown) bookMs = timeMs;
    shown = next;
  }
  return bookMs;
}

function lastTradeOf(durable: readonly DurableCommand[]): LastTradeFacts | undefined {
  const last = eventsOf(durable, 'fill').at(-1);
  if (last === undefined) return undefined;
  const { takerOutcome, takerSide, takerPriceTicks } = last.event;
  const yes = takerOutcome === 0 ? takerPriceTicks : 10_000 - takerPriceTicks;
  return { yesTicks: ticks(yes), takerOutcome, takerSide, timeMs: last.timeMs };
}

/** The facts of one market, from its events in all commands. */
function marketFacts(all: readonly DurableCommand[], conditionId: string): MarketFacts {
  const durable = all.map((command) => ({
    ...command,
    events: command.events.filter(
      (event) => 'conditionId' in event && event.conditionId === conditionId,
    ),
  }));
  const [created] = eventsOf(durable, 'market_created');
  assert(created !== undefined, 'a market was created');
  const [ended] = eventsOf(durable, 'market_closed', 'market_resolved');
  const [resolved] = eventsOf(durable, 'market_resolved');
  return {
    conditionId,
    createdSeq: created.seq,
    createdMs: created.timeMs,
    endedMs: ended?.timeMs ?? 0,
    redeemsAll:
      resolved !== undefined &&
      'redeemAll' in resolved.command &&
      resolved.command.redeemAll === true,
    bookMs: bookMsOf(durable),
    lastTrade: lastTradeOf(durable),
  };
}

/** The total lots at each price, in the order of the orders. */
function levelsOf(orders: readonly RestingOrder[]): MarketSummary['bids'] {
  const levels = new Map<number, number>();
  for (const { outcome, priceTicks, remainingLots } of orders) {
    const yesTicks = outcome === 0 ? priceTicks : 10_000 - priceTicks;
    levels.set(yesTicks, (levels.get(yesTicks) ?? 0) + remainingLots);
  }
  return [...levels].map(([price, size]) => [ticks(price), lots(size)] as const);
}

function outlineOf({ bids, asks, ...market }: MarketState): MarketSummary {
  const { original: _original, setsLots: _sets, owedMicros: _owed, ...terms } = market;
  return { ...terms, bids: levelsOf(bids), asks: levelsOf(asks) };
}

function keyOf(durable: readonly DurableCommand[], key: ApiKeyState): RestoredKey {
  const isOfIt = ({ event }: EventOf<'api_key_issued' | 'api_key_revoked'>): boolean =>
    event.apiKey === key.apiKey;
  const issued = eventsOf(durable, 'api_key_issued').find(isOfIt);
  const revoked = eventsOf(durable, 'api_key_revoked').find(isOfIt);
  return { ...key, issuedMs: issued?.timeMs ?? 0, revokedMs: revoked?.timeMs ?? 0 };
}

function orderKeysOf(durable: readonly DurableCommand[]): Map<string, string> {
  const closed = new Set(eventsOf(durable, 'order_closed').map(({ event }) => event.orderId));
  const keys = new Map<string, string>();
  for (const { event, command } of eventsOf(durable, 'order_accepted')) {
    assert(command.kind === 'place_order', 'only a place_order brings an order');
    if (!closed.has(event.orderId)) keys.set(event.orderId, command.apiKey);
  }
  return keys;
}

function replayed(durable: readonly DurableCommand[], bounds: Partial<Bounds> = {}): Engine {
  const engine = new Engine(bounds);
  for (const { seq, timeMs, command } of durable)
    engine.apply(seq, timeMs, engine.inputOf(command));
  return engine;
}

/** The state after `durable`, which begins at seq 1; `bounds`: those it was made with. */
export function restoredOracle(
  durable: readonly DurableCommand[],
  bounds: Partial<Bounds> = {},
): RestoredState {
  const { seq = 0, timeMs = 0 } = durable.at(-1) ?? {};
  const state = replayed(durable, bounds).state();
  return {
    seq,
    timeMs,
    tradingState: state.tradingState,
    markets: [...state.markets].map((market) => ({
      ...outlineOf(market),
      ...marketFacts(durable, market.conditionId),
    })),
    events: [...state.events].map(({ eventId, conditionIds }) => ({ eventId, conditionIds })),
    accounts: [...state.accounts].map(({ address, owner, wallet }) => ({ address, owner, wallet })),
    apiKeys: [...state.apiKeys].map((key) => keyOf(durable, key)),
    standings: [...state.standings],
    builders: [...state.builders],
    orderKeys: orderKeysOf(durable),
    marketSteps: [],
  };
}
