/**
 * Tells the owners who are followed what a durable command did to their orders.
 *
 * Invariant: each event is told in the order in which it happened; a trade at its first fill.
 */
import type { EngineEvent, Fill, OrderClosed } from '../../../engine/index.ts';
import { type DurableCommand, type TradeHead, tradesOf } from '../../../persistence/index.ts';
import type { Registry } from '../../views/index.ts';
import type { AccountFeed } from './account-feed.ts';
import type { OrderKeys } from './order-keys.ts';

export interface TellerParts {
  readonly registry: Registry;
  readonly keys: OrderKeys;
  /** The feed of an account's owner, if it is followed. */
  readonly feedOf: (account: string) => AccountFeed | undefined;
}

/** What is known of a command before its events are told. */
interface Outlook {
  readonly closing: ReadonlyMap<string, OrderClosed>;
  readonly delayed: ReadonlySet<string>;
  /** By their first fills. */
  readonly trades: ReadonlyMap<Fill, TradeHead>;
}

export function tellCommand(command: DurableCommand, parts: TellerParts): void {
  const { feedOf } = parts;
  const follows = (account: string): AccountFeed | undefined => {
    const feed = feedOf(account);
    return feed !== undefined && command.seq > feed.openSeq ? feed : undefined;
  };
  if (!command.events.some((event) => accountsIn(event).some(follows))) return;
  const outlook = outlookOf(command);
  for (const event of command.events)
    tellEvent(event, command, outlook, { ...parts, feedOf: follows });
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
      return NOBODY;
  }
}

const NOBODY: readonly string[] = [];

function outlookOf(command: DurableCommand): Outlook {
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

function tellEvent(
  event: EngineEvent,
  from: DurableCommand,
  outlook: Outlook,
  parts: TellerParts,
): void {
  const { timeMs } = from;
  switch (event.kind) {
    case 'order_accepted': {
      const { command } = from;
      if (command.kind !== 'place_order') return;
      const token = parts.registry.token(command.tokenId);
      const isDelayed = outlook.delayed.has(event.orderId);
      if (token !== undefined) {
        parts.feedOf(event.account)?.placed(command, token, timeMs, isDelayed);
      }
      return;
    }
    case 'order_released':
      // What it traded or how it ended says the same; only what rests has to be told.
      if (!hasOutcome(event.orderId, from, outlook)) {
        parts.feedOf(event.account)?.released(event.orderId, timeMs);
      }
      return;
    case 'fill': {
      const trade = outlook.trades.get(event);
      if (trade !== undefined) tellTrade(trade, from, outlook, parts);
      return;
    }
    case 'order_closed':
      parts.feedOf(event.account)?.closed(event, timeMs);
      return;
    default:
      return;
  }
}

function hasOutcome(orderId: string, { events }: DurableCommand, { closing }: Outlook): boolean {
  return (
    closing.has(orderId) ||
    events.some((event) => event.kind === 'fill' && event.takerOrderId === orderId)
  );
}

function tellTrade(
  trade: TradeHead,
  { timeMs }: DurableCommand,
  { closing }: Outlook,
  { registry, keys, feedOf }: TellerParts,
): void {
  const [first] = trade.fills;
  const market = registry.market(first?.conditionId ?? '');
  if (first === undefined || market === undefined) return;
  const { conditionId, tokenIds } = market;
  const keyOf = (orderId: string): string => keys.keyOf(orderId);
  const feeds = new Set<AccountFeed>();
  for (const account of [first.takerAccount, ...trade.fills.map((fill) => fill.makerAccount)]) {
    const feed = feedOf(account);
    if (feed !== undefined) feeds.add(feed);
  }
  for (const feed of feeds) feed.traded({ trade, timeMs, conditionId, tokenIds, keyOf }, closing);
}
