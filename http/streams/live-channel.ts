/**
 * The live-data socket: `/ws/live` (wire 7.2), public. Each trade as it happens, to whoever asks
 * for all of them, or for those of an event or a market by its slug.
 *
 * Invariant: fed by durable batches; a trade is told in a turn of its own after the batch's, for
 * the catalog is read for its words. A socket is told of a trade once a type, unless it asks for it
 * by two different slugs.
 * Bound: `subscriptionsPerSocket`; what waits to be told is what one turn made durable.
 */
import { setImmediate } from 'node:timers';
import type { Fill } from '../../engine/index.ts';
import { type DurableCommand, type TradeHead, tradesOf } from '../../persistence/index.ts';
import { formatTradeFill } from '../format/trade-fill.ts';
import type { Channel, ClientMessage, Session } from './channel.ts';
import { StreamError } from './close-codes.ts';
import type { Connection } from './connection.ts';
import {
  ACTIVITY_TYPES,
  type ActivityType,
  type ActivityWish,
  readLiveRequest,
} from './live-request.ts';
import type { ChannelParts } from './market-channel.ts';
import type { StreamBounds } from './stream-bounds.ts';
import type { MarketWords, WordCache } from './word-cache.ts';

interface LiveParts extends Pick<ChannelParts, 'hub' | 'bounds' | 'now' | 'store'> {
  readonly words: WordCache;
}

interface LiveTrade extends TradeHead {
  readonly timeMs: number;
}

/** No other channel has topics of this form. */
const topicOf = ({ type, eventSlug, marketSlug }: ActivityWish): string =>
  JSON.stringify([type, eventSlug, marketSlug]);

export class LiveChannel implements Channel {
  readonly name = 'live';
  readonly path = '/ws/live';
  readonly #parts: LiveParts;
  /** Sockets that asked for any trades. */
  readonly #listening = new Set<LiveSession>();
  #waiting: LiveTrade[] = [];

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  open(connection: Connection): Session {
    return new LiveSession(connection, this.#parts.bounds, (session, isListening) => {
      if (isListening) this.#listening.add(session);
      else this.#listening.delete(session);
    });
  }

  /** Takes the trades of a durable batch, to be told in a turn of their own. */
  consume(commands: readonly DurableCommand[]): void {
    if (this.#listening.size === 0) return;
    for (const command of commands) {
      const { timeMs } = command;
      for (const trade of tradesOf(command)) this.#wait({ ...trade, timeMs });
    }
  }

  #wait(trade: LiveTrade): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#tellAll());
    this.#waiting.push(trade);
  }

  #tellAll(): void {
    const trades = this.#waiting;
    this.#waiting = [];
    for (const trade of trades) this.#tell(trade);
  }

  #tell(trade: LiveTrade): void {
    const { hub, words } = this.#parts;
    const [fill] = trade.fills;
    if (fill === undefined) return;
    const known = words.of(fill.conditionId);
    let payload: string | undefined;
    for (const type of ACTIVITY_TYPES) {
      for (const topic of topicsFor(type, known)) {
        if (!hub.hasListeners(topic)) continue;
        payload ??= payloadOf(trade, fill, known);
        hub.publish(topic, this.#messageOf(type, payload));
      }
    }
  }

  #messageOf(type: ActivityType, payload: string): string {
    const { now, store } = this.#parts;
    return (
      `{"connection_id":"${store().streamId}","topic":"activity","type":"${type}",` +
      `"timestamp":${now()},"payload":${payload}}`
    );
  }
}

/** All ways to ask for a trade of a market. */
const topicsFor = (type: ActivityType, words: MarketWords): readonly string[] => {
  const [event, market] = [words.eventSlug.toLowerCase(), words.slug.toLowerCase()];
  const wishes = [
    { type, eventSlug: '', marketSlug: '' },
    { type, eventSlug: event, marketSlug: '' },
    { type, eventSlug: '', marketSlug: market },
    { type, eventSlug: event, marketSlug: market },
  ];
  // A market without words has one topic, and is told once.
  return [...new Set(wishes.map(topicOf))];
};

/** The taker's view; its id is that of the trade. */
const payloadOf = (trade: LiveTrade, fill: Fill, words: MarketWords): string => {
  const { lots, priceTicks, timeMs, transactionHash, tradeId: id } = trade;
  const { takerAccount: account, takerSide: side, takerOutcome: outcome, conditionId } = fill;
  const taker = { account, side, outcome, conditionId };
  const { tags, creator } = words;
  const fields = formatTradeFill({ ...taker, lots, priceTicks, timeMs, transactionHash }, words);
  return JSON.stringify({ ...fields, type: 'TRADE', id, tags, creator });
};

class LiveSession implements Session {
  readonly #connection: Connection;
  readonly #bounds: StreamBounds;
  readonly #tell: (session: LiveSession, isListening: boolean) => void;
  /** By topic. */
  readonly #wishes = new Map<string, ActivityWish>();

  constructor(
    connection: Connection,
    bounds: StreamBounds,
    tell: (session: LiveSession, isListening: boolean) => void,
  ) {
    this.#connection = connection;
    this.#bounds = bounds;
    this.#tell = tell;
  }

  receive(message: ClientMessage): void {
    const { action, wishes } = readLiveRequest(message);
    if (action === 'subscribe') this.#add(wishes);
    else for (const wish of wishes) this.#drop(topicOf(wish));
    this.#apply(this.#mayCover(wishes) ? [...this.#wishes.values()] : wishes);
    this.#tell(this, this.#wishes.size > 0);
  }

  drained(): void {}

  closed(): void {
    this.#wishes.clear();
    this.#tell(this, false);
  }

  /** Nothing of a message that goes too far is done. */
  #add(wishes: readonly ActivityWish[]): void {
    const topics = new Map(wishes.map((wish) => [topicOf(wish), wish]));
    const actual = new Set([...this.#wishes.keys(), ...topics.keys()]).size;
    const limit = this.#bounds.subscriptionsPerSocket;
    if (actual > limit) throw new StreamError('too_many_subscriptions', { limit, actual });
    for (const [topic, wish] of topics) this.#wishes.set(topic, wish);
  }

  #drop(topic: string): void {
    this.#wishes.delete(topic);
    this.#connection.unsubscribe(topic);
  }

  /** Whether what one of some wishes tells may be what others tell too. */
  #mayCover(wishes: readonly ActivityWish[]): boolean {
    if (wishes.some(({ eventSlug, marketSlug }) => eventSlug + marketSlug === '')) return true;
    if (!wishes.some(({ marketSlug }) => marketSlug === '')) return false;
    return [...this.#wishes.values()].some(
      (wish) => wish.eventSlug !== '' && wish.marketSlug !== '',
    );
  }

  /** Who asks for all trades of a type is not told again of some of them. */
  #apply(wishes: readonly ActivityWish[]): void {
    this.#connection.charge(wishes.length / this.#bounds.subscriptionsPerMessage);
    for (const wish of wishes) {
      const { type, eventSlug } = wish;
      const topic = topicOf(wish);
      if (!this.#wishes.has(topic)) continue;
      const all = topicOf({ type, eventSlug: '', marketSlug: '' });
      // What an event's topic tells, that of one of its markets does not have to.
      const event = topicOf({ type, eventSlug, marketSlug: '' });
      const wider = [all, event].filter((other) => other !== topic && this.#wishes.has(other));
      if (wider.length === 0) this.#connection.subscribe(topic);
      else this.#connection.unsubscribe(topic);
    }
  }
}
