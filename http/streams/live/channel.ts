/**
 * The live-data socket: `/ws/live` (wire 7.2), public. Each trade as it happens, to whoever asks
 * for all of them, or for those of an event or a market by its slug; and each comment and reaction,
 * to whoever asks for all, or for those of an event by its slug or of whatever is commented on.
 *
 * Invariant: fed by durable batches, and by what the catalog committed; a trade is told in a turn
 * of its own after the batch's, for the catalog is read for its words. A socket is told of a trade
 * or comment once a type, unless it asks for it by two different filters.
 * Bound: `subscriptionsPerSocket`; what waits to be told is what one turn made durable.
 */
import { setImmediate } from 'node:timers';
import type { Fill } from '../../../engine/index.ts';
import {
  type CommentChange,
  type DurableCommand,
  type TradeHead,
  tradesOf,
} from '../../../persistence/index.ts';
import { formatTradeFill } from '../../format/index.ts';
import type {
  Channel,
  ClientMessage,
  Connection,
  MarketWords,
  Session,
  StreamBounds,
  WordCache,
} from '../delivery/index.ts';
import { StreamError } from '../delivery/index.ts';
import type { ChannelParts } from '../market/index.ts';
import {
  ACTIVITY_TYPES,
  type CommentNewsType,
  type LiveWish,
  parentName,
  readLiveRequest,
} from './request.ts';

interface LiveParts extends Pick<ChannelParts, 'hub' | 'bounds' | 'now' | 'store'> {
  readonly words: WordCache;
}

interface LiveTrade extends TradeHead {
  readonly timeMs: number;
}

/** No other channel has topics of this form. */
function topicOf({ type, eventSlug, part }: LiveWish): string {
  return JSON.stringify([type, eventSlug, part]);
}

/** Where comments are told of, once they are committed. */
export interface CommentNews {
  /** `payload`: JSON of the comment. */
  tell(type: CommentNewsType, about: CommentPlace, payload: string): void;
}

/** What a comment is about: its event, or its market's; an empty slug for a series. */
export type CommentPlace = Pick<CommentChange, 'parent' | 'eventSlug'>;

export class LiveChannel implements Channel, CommentNews {
  readonly name = 'live';
  readonly path = '/ws/live';
  readonly #parts: LiveParts;
  /** Sockets that asked for anything. */
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

  /** At once: the catalog's thread has written the words. */
  tell(type: CommentNewsType, { parent, eventSlug }: CommentPlace, payload: string): void {
    if (this.#listening.size === 0) return;
    const { hub } = this.#parts;
    for (const topic of topicsFor({ type, eventSlug, part: parentName(parent) })) {
      if (hub.hasListeners(topic)) hub.publish(topic, this.#messageOf('comments', type, payload));
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
      for (const topic of topicsFor({ type, eventSlug: known.eventSlug, part: known.slug })) {
        if (!hub.hasListeners(topic)) continue;
        payload ??= payloadOf(trade, fill, known);
        hub.publish(topic, this.#messageOf('activity', type, payload));
      }
    }
  }

  #messageOf(topic: 'activity' | 'comments', type: LiveWish['type'], payload: string): string {
    const { now, store } = this.#parts;
    return (
      `{"connection_id":"${store().streamId}","topic":"${topic}","type":"${type}",` +
      `"timestamp":${now()},"payload":${payload}}`
    );
  }
}

/** All ways to ask for what is of an event and a part of it. */
function topicsFor(of: LiveWish): readonly string[] {
  const { type } = of;
  const [eventSlug, part] = [of.eventSlug.toLowerCase(), of.part.toLowerCase()];
  const wishes = [
    { type, eventSlug: '', part: '' },
    { type, eventSlug, part: '' },
    { type, eventSlug: '', part },
    { type, eventSlug, part },
  ];
  // A market without words has one topic, and is told once.
  return [...new Set(wishes.map(topicOf))];
}

/** The taker's view; its id is that of the trade. */
function payloadOf(trade: LiveTrade, fill: Fill, words: MarketWords): string {
  const { lots, priceTicks, timeMs, transactionHash, tradeId: id } = trade;
  const { takerAccount: account, takerSide: side, takerOutcome: outcome, conditionId } = fill;
  const taker = { account, side, outcome, conditionId };
  const { tags, creator } = words;
  const fields = formatTradeFill({ ...taker, lots, priceTicks, timeMs, transactionHash }, words);
  return JSON.stringify({ ...fields, type: 'TRADE', id, tags, creator });
}

class LiveSession implements Session {
  readonly #connection: Connection;
  readonly #bounds: StreamBounds;
  readonly #tell: (session: LiveSession, isListening: boolean) => void;
  /** By topic. */
  readonly #wishes = new Map<string, LiveWish>();

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
  #add(wishes: readonly LiveWish[]): void {
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
  #mayCover(wishes: readonly LiveWish[]): boolean {
    if (wishes.some(({ eventSlug, part }) => eventSlug + part === '')) return true;
    if (!wishes.some(({ part }) => part === '')) return false;
    return [...this.#wishes.values()].some(
      ({ eventSlug, part }) => eventSlug !== '' && part !== '',
    );
  }

  /** Who asks for all of a type is not told again of some of them. */
  #apply(wishes: readonly LiveWish[]): void {
    this.#connection.charge(wishes.length / this.#bounds.subscriptionsPerMessage);
    for (const wish of wishes) {
      const { type, eventSlug } = wish;
      const topic = topicOf(wish);
      if (!this.#wishes.has(topic)) continue;
      const all = topicOf({ type, eventSlug: '', part: '' });
      // What an event's topic tells, that of one of its parts does not have to.
      const event = topicOf({ type, eventSlug, part: '' });
      const wider = [all, event].filter((other) => other !== topic && this.#wishes.has(other));
      if (wider.length === 0) this.#connection.subscribe(topic);
      else this.#connection.unsubscribe(topic);
    }
  }
}
