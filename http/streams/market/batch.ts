/**
 * Collects what the market channel publishes of a durable batch: the changes of each market.
 *
 * Invariant: a level that changed several times has its last size. Trades are in the order in which
 * they happened.
 */
import type { EngineEvent, Fill, LevelChanged, Ticks } from '../../../engine/index.ts';
import {
  type DurableCommand,
  isSameTrade,
  type TradeHead,
  tradesOf,
} from '../../../persistence/index.ts';

export interface MarketTrade extends TradeHead {
  readonly timeMs: number;
}

export interface MarketChanges {
  readonly conditionId: string;
  isCreated: boolean;
  /** By side and price. */
  readonly levels: Map<string, LevelChanged>;
  readonly trades: MarketTrade[];
  /** With or without listeners. */
  tradeCount: number;
  /** Time of the last change of terms; undefined if the terms did not change. */
  termsChangedMs: number | undefined;
  /** Set if the market was resolved: what a YES token pays, and when it was resolved. */
  payout: { readonly ticks: Ticks; readonly timeMs: number } | undefined;
}

/**
 * The changes of each market, in the order in which the batch first changed it. Trades are gathered
 * only for markets with listeners, because each trade id costs a hash.
 */
export function gatherChanges(
  commands: readonly DurableCommand[],
  hasListeners: (conditionId: string) => boolean,
): Iterable<MarketChanges> {
  const gathered = new Map<string, MarketChanges>();
  for (const command of commands) {
    let hasTrade = false;
    let lastFill: Fill | undefined;
    for (const event of command.events) {
      const conditionId = marketOfEvent(event);
      if (conditionId === undefined) continue;
      const changes = changesIn(gathered, conditionId);
      note(changes, event, command.timeMs);
      if (event.kind !== 'fill') continue;
      hasTrade ||= hasListeners(conditionId);
      if (lastFill === undefined || !isSameTrade(lastFill, event)) changes.tradeCount += 1;
      lastFill = event;
    }
    if (!hasTrade) continue;
    for (const trade of tradesOf(command)) {
      const conditionId = trade.fills[0]?.conditionId ?? '';
      changesIn(gathered, conditionId).trades.push({ ...trade, timeMs: command.timeMs });
    }
  }
  return gathered.values();
}

/** Adds later changes of a market to earlier ones, as if they were of one batch. */
export function mergeChanges(earlier: MarketChanges, later: MarketChanges): void {
  for (const [name, level] of later.levels) earlier.levels.set(name, level);
  earlier.trades.push(...later.trades);
  earlier.tradeCount += later.tradeCount;
  earlier.termsChangedMs = later.termsChangedMs ?? earlier.termsChangedMs;
  earlier.payout = later.payout ?? earlier.payout;
}

/** The market of an event that the channel publishes; undefined for any other event. */
function marketOfEvent(event: EngineEvent): string | undefined {
  switch (event.kind) {
    case 'level_changed':
    case 'fill':
    case 'market_created':
    case 'market_changed':
    case 'market_resolved':
      return event.conditionId;
    default:
      return undefined;
  }
}

function changesIn(gathered: Map<string, MarketChanges>, conditionId: string): MarketChanges {
  const known = gathered.get(conditionId);
  if (known !== undefined) return known;
  const changes: MarketChanges = {
    conditionId,
    isCreated: false,
    levels: new Map(),
    trades: [],
    tradeCount: 0,
    termsChangedMs: undefined,
    payout: undefined,
  };
  gathered.set(conditionId, changes);
  return changes;
}

function note(changes: MarketChanges, event: EngineEvent, timeMs: number): void {
  if (event.kind === 'level_changed') {
    changes.levels.set(`${event.side}${event.priceTicks}`, event);
  } else if (event.kind === 'market_created') changes.isCreated = true;
  else if (event.kind === 'market_changed') changes.termsChangedMs = timeMs;
  else if (event.kind === 'market_resolved') changes.payout = { ticks: event.payoutTicks, timeMs };
}
