/**
 * Publishes what a durable command changed in the orders of owners with listeners.
 *
 * Invariant: events are published in the order in which they happened, a trade at its first fill.
 */
import type { EngineEvent, Fill, OrderClosed } from '../../../engine/index.ts';
import { type DurableCommand, type TradeHead, tradesOf } from '../../../persistence/index.ts';
import type { Registry } from '../../views/index.ts';
import type { FollowedTrade, OwnerFeed, ToldTrade } from './feed.ts';
import type { OrderKeys } from './order-keys.ts';

export interface CommandParts {
  readonly registry: Registry;
  readonly keys: OrderKeys;
  /** The feed of an account's owner, if it has one. */
  readonly feedOf: (account: string) => OwnerFeed | undefined;
}

/** Facts from all events of a command, which are needed to publish the first of them. */
interface CommandSummary {
  readonly closing: ReadonlyMap<string, OrderClosed>;
  readonly delayed: ReadonlySet<string>;
  /** By their first fills. */
  readonly trades: ReadonlyMap<Fill, TradeHead>;
}

export function publishCommand(command: DurableCommand, parts: CommandParts): void {
  const { feedOf } = parts;
  const followed = (account: string): OwnerFeed | undefined => {
    const feed = feedOf(account);
    return feed !== undefined && command.seq > feed.openSeq ? feed : undefined;
  };
  if (!command.events.some((event) => accountsIn(event).some(followed))) return;
  const summary = summaryOf(command);
  for (const event of command.events)
    publishEvent(event, command, summary, { ...parts, feedOf: followed });
}

function accountsIn(event: EngineEvent): readonly string[] {
  switch (event.kind) {
    case 'order_accepted':
    case 'order_released':
    case 'order_closed':
      return [event.account];
    case 'fill':
      return [event.takerAccount, event.makerAccount];
    default:
      return NO_ACCOUNTS;
  }
}

const NO_ACCOUNTS: readonly string[] = [];

function summaryOf(command: DurableCommand): CommandSummary {
  const closing = new Map<string, OrderClosed>();
  const delayed = new Set<string>();
  for (const event of command.events) {
    if (event.kind === 'order_closed') closing.set(event.orderId, event);
    else if (event.kind === 'order_delayed') delayed.add(event.orderId);
  }
  const trades = new Map<Fill, TradeHead>();
  for (const trade of tradesOf(command)) {
    const [first] = trade.fills;
    if (first !== undefined) trades.set(first, trade);
  }
  return { closing, delayed, trades };
}

function publishEvent(
  event: EngineEvent,
  from: DurableCommand,
  summary: CommandSummary,
  parts: CommandParts,
): void {
  const { timeMs } = from;
  switch (event.kind) {
    case 'order_accepted': {
      const { command } = from;
      if (command.kind !== 'place_order') return;
      const token = parts.registry.token(command.tokenId);
      const isDelayed = summary.delayed.has(event.orderId);
      if (token !== undefined) {
        parts.feedOf(event.account)?.placed(command, token, timeMs, isDelayed);
      }
      return;
    }
    case 'order_released':
      // A trade or the order's end has its own message; only an order that rests needs this one.
      if (!hasOutcome(event.orderId, from, summary)) {
        parts.feedOf(event.account)?.released(event.orderId, timeMs);
      }
      return;
    case 'fill': {
      const trade = summary.trades.get(event);
      if (trade !== undefined) publishTrade(trade, from, summary, parts);
      return;
    }
    case 'order_closed':
      parts.feedOf(event.account)?.closed(event, timeMs);
      return;
    default:
      return;
  }
}

function hasOutcome(
  orderId: string,
  { events }: DurableCommand,
  { closing }: CommandSummary,
): boolean {
  return (
    closing.has(orderId) ||
    events.some((event) => event.kind === 'fill' && event.takerOrderId === orderId)
  );
}

function publishTrade(
  trade: TradeHead,
  { timeMs }: DurableCommand,
  { closing }: CommandSummary,
  { registry, keys, feedOf }: CommandParts,
): void {
  const keyOf = (orderId: string): string => keys.keyOf(orderId);
  const followed = followedTrade({ trade, timeMs, keyOf }, registry);
  if (followed === undefined) return;
  for (const feed of feedsOf(followed, feedOf)) feed.traded(followed, closing);
}

/** A trade with the ids of its market; undefined for a market that is not registered. */
export function followedTrade(trade: ToldTrade, registry: Registry): FollowedTrade | undefined {
  const market = registry.market(trade.trade.fills[0]?.conditionId ?? '');
  if (market === undefined) return undefined;
  return { ...trade, conditionId: market.conditionId, tokenIds: market.tokenIds };
}

/** The feeds of the owners that took part in a trade, the taker's first. */
export function feedsOf(
  { trade }: FollowedTrade,
  feedOf: CommandParts['feedOf'],
): ReadonlySet<OwnerFeed> {
  const feeds = new Set<OwnerFeed>();
  for (const { takerAccount, makerAccount } of trade.fills) {
    for (const account of [takerAccount, makerAccount]) {
      const feed = feedOf(account);
      if (feed !== undefined) feeds.add(feed);
    }
  }
  return feeds;
}
