/**
 * The live-data channel (wire 7.2), public. A client subscribes to all trades, or to those of an
 * event or a market by its slug; and to all comments, or to those of an event or of one thing that
 * is commented on.
 *
 * Invariant: fed by durable batches, and by what the catalog committed. Trades are published in a
 * later turn than their batch, because their texts are read from the catalog. A socket gets a trade
 * or comment once for each type, or twice if one subscription names only its market (or parent) and
 * another names its event.
 * Bound: `subscriptionsPerSocket`; the trades that became durable in one turn.
 */
import { strict as assert } from 'node:assert';
import { setImmediate } from 'node:timers';
import type { Fill } from '../../../engine/index.ts';
import {
  type AccountProfile,
  type CommentChange,
  type DurableCommand,
  type TradeHead,
  tradesOf,
} from '../../../persistence/index.ts';
import type { Dialect } from '../../codec/index.ts';
import { formatTradeFill, type MarketTexts } from '../../format/index.ts';
import type { StreamBounds } from '../delivery/bounds.ts';
import type { Connection } from '../delivery/connection.ts';
import type { ChannelParts, ContentCache } from '../delivery/context.ts';
import type { SocketSubject } from '../delivery/faults.ts';
import type { Channel, ClientMessage, Session } from '../delivery/subscription.ts';
import { LIVE_CHANNEL } from './messages.ts';
import {
  type CommentMessageType,
  LIVE_TYPES,
  type LiveSubscription,
  parentName,
  readLiveRequest,
} from './request.ts';

interface LiveParts extends Pick<ChannelParts, 'hub' | 'bounds' | 'registry' | 'now' | 'store'> {
  readonly content: ContentCache<MarketTexts>;
  /** By account. */
  readonly profiles: ContentCache<AccountProfile>;
  readonly dialect: Dialect;
}

interface LiveTrade extends TradeHead {
  readonly timeMs: number;
}

/**
 * The topic of a subscription. It differs from all topics of other channels, which have no slash,
 * and the length keeps two slugs apart.
 */
function topicOf({ type, eventSlug, part }: LiveSubscription): string {
  return `${type}/${eventSlug.length}/${eventSlug}/${part}`;
}

/** Measured: 780 bytes with a short slug, 2,254 with two of 256 characters, 3,713 in Cyrillic. */
const TOPIC_BYTES = 800;
/** Slugs, topic, and topic in the library; the first two need two bytes unless all is Latin-1. */
const BYTES_PER_BYTE = 4;

/** The most bytes that a subscription keeps. */
function bytesOf(topic: string): number {
  return TOPIC_BYTES + BYTES_PER_BYTE * Buffer.byteLength(topic);
}

/** Whether a subscription to the whole event of this one covers it. */
function isNarrow({ eventSlug, part }: LiveSubscription): boolean {
  return eventSlug !== '' && part !== '';
}

/** The stream to which the catalog publishes comments after they are committed. */
export interface CommentStream {
  /** `payload` is the JSON of the comment. */
  publish(type: CommentMessageType, about: CommentSubject, payload: string): void;
}

/** What a comment is about, with the slug of its event; the slug is empty for a series. */
export type CommentSubject = Pick<CommentChange, 'parent' | 'eventSlug'>;

export class LiveChannel implements Channel, CommentStream {
  readonly name = LIVE_CHANNEL.name;
  readonly path = LIVE_CHANNEL.address;
  readonly #parts: LiveParts;
  /** Sockets with subscriptions. */
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

  /** Queues the trades of a durable batch for publication in a later turn. */
  consume(commands: readonly DurableCommand[]): void {
    if (this.#listening.size === 0) return;
    for (const command of commands) {
      const { timeMs } = command;
      for (const trade of tradesOf(command)) this.#publishLater({ ...trade, timeMs });
    }
  }

  /** Publishes at once: the payload needs nothing from the catalog. */
  publish(type: CommentMessageType, { parent, eventSlug }: CommentSubject, payload: string): void {
    if (this.#listening.size === 0) return;
    const { hub } = this.#parts;
    for (const topic of topicsFor({ type, eventSlug, part: parentName(parent) })) {
      if (hub.hasListeners(topic)) hub.publish(topic, this.#messageOf('comments', type, payload));
    }
  }

  #publishLater(trade: LiveTrade): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#publishWaiting());
    this.#waiting.push(trade);
  }

  #publishWaiting(): void {
    const trades = this.#waiting;
    this.#waiting = [];
    for (const trade of trades) this.#publishTrade(trade);
  }

  #publishTrade(trade: LiveTrade): void {
    const { hub, content } = this.#parts;
    const [fill] = trade.fills;
    if (fill === undefined) return;
    const market = content.of(fill.conditionId);
    let payload: string | undefined;
    for (const type of LIVE_TYPES) {
      for (const topic of topicsFor({ type, eventSlug: market.eventSlug, part: market.slug })) {
        if (!hub.hasListeners(topic)) continue;
        payload ??= this.#payloadOf(trade, fill, market);
        hub.publish(topic, this.#messageOf('activity', type, payload));
      }
    }
  }

  /** A trade from the taker's view. */
  #payloadOf(trade: LiveTrade, fill: Fill, market: MarketTexts): string {
    const { lots, priceTicks, timeMs, transactionHash, tradeId: id } = trade;
    const { takerAccount, takerSide: side, takerOutcome: outcome, conditionId } = fill;
    const profile = this.#parts.profiles.of(takerAccount);
    const taker = { profile, side, outcome, conditionId, asset: this.#assetOf(fill) };
    const { tags, creator } = market;
    const fields = formatTradeFill({ ...taker, lots, priceTicks, timeMs, transactionHash }, market);
    return JSON.stringify({ ...fields, type: 'TRADE', id, tags, creator });
  }

  /** The taker's token (wire 0.14). */
  #assetOf({ conditionId, takerOutcome }: Fill): string {
    const { dialect, registry } = this.#parts;
    if (dialect === 'kuest') return `${conditionId}:${takerOutcome}`;
    const market = registry.market(conditionId);
    assert(market !== undefined, 'a market that trades is registered');
    return market.tokenIds[takerOutcome];
  }

  #messageOf(
    topic: 'activity' | 'comments',
    type: LiveSubscription['type'],
    payload: string,
  ): string {
    const { now, store } = this.#parts;
    return (
      `{"connection_id":"${store().streamId}","topic":"${topic}","type":"${type}",` +
      `"timestamp":${now()},"payload":${payload}}`
    );
  }
}

/** The topics of all subscriptions that match an event and a part of it. */
function topicsFor(of: LiveSubscription): readonly string[] {
  const { type } = of;
  const [eventSlug, part] = [of.eventSlug.toLowerCase(), of.part.toLowerCase()];
  const subscriptions = [
    { type, eventSlug: '', part: '' },
    { type, eventSlug, part: '' },
    { type, eventSlug: '', part },
    { type, eventSlug, part },
  ];
  // A Set, since a market without content has the same topic four times.
  return [...new Set(subscriptions.map(topicOf))];
}

/** Its subscriptions name slugs, so the scope of a fault can't be a market. */
const SUBJECT: SocketSubject = { channel: 'live', owner: '', apiKey: '', markets: [] };

type Topics = ReadonlyMap<string, LiveSubscription>;

class LiveSession implements Session {
  readonly #connection: Connection;
  readonly #bounds: StreamBounds;
  readonly #onChange: (session: LiveSession, isListening: boolean) => void;
  /** By topic. */
  readonly #subscriptions = new Map<string, LiveSubscription>();
  #narrow = 0;
  #bytes = 0;

  constructor(
    connection: Connection,
    bounds: StreamBounds,
    onChange: (session: LiveSession, isListening: boolean) => void,
  ) {
    this.#connection = connection;
    this.#bounds = bounds;
    this.#onChange = onChange;
  }

  receive(message: ClientMessage): void {
    const { subscriptionsPerSocket, subscriptionsPerMessage } = this.#bounds;
    const { action, subscriptions } = readLiveRequest(message, subscriptionsPerSocket);
    const changed = new Map(subscriptions.map((wanted) => [topicOf(wanted), wanted]));
    if (action === 'subscribe') this.#add(changed);
    else this.#drop(changed.keys());
    const touched = this.#mayCover(changed) ? this.#subscriptions : changed;
    this.#connection.charge((subscriptions.length + touched.size) / subscriptionsPerMessage);
    this.#apply(touched);
    this.#onChange(this, this.#subscriptions.size > 0);
  }

  subject(): SocketSubject {
    return SUBJECT;
  }

  drained(): void {}

  closed(): void {
    this.#subscriptions.clear();
    this.#onChange(this, false);
  }

  #add(subscriptions: Topics): void {
    const added = [...subscriptions].filter(([topic]) => !this.#subscriptions.has(topic));
    const bytes = added.reduce((sum, [topic]) => sum + bytesOf(topic), this.#bytes);
    this.#connection.keep(this.#subscriptions.size + added.length, bytes);
    this.#bytes = bytes;
    for (const [topic, subscription] of added) {
      this.#subscriptions.set(topic, subscription);
      if (isNarrow(subscription)) this.#narrow += 1;
    }
  }

  #drop(topics: Iterable<string>): void {
    for (const topic of topics) {
      const subscription = this.#subscriptions.get(topic);
      if (subscription === undefined) continue;
      this.#subscriptions.delete(topic);
      this.#connection.unsubscribe(topic);
      this.#bytes -= bytesOf(topic);
      if (isNarrow(subscription)) this.#narrow -= 1;
    }
    this.#connection.keep(this.#subscriptions.size, this.#bytes);
  }

  /** Whether these may overlap with other subscriptions, so that all topics must be set again. */
  #mayCover(changed: Topics): boolean {
    const widest = [...changed.values()].filter(({ part }) => part === '');
    return widest.some(({ eventSlug }) => eventSlug === '' || this.#narrow > 0);
  }

  /** Sets topics so that a wide and a narrow subscription do not bring the same message twice. */
  #apply(subscriptions: Topics): void {
    for (const [topic, { type, eventSlug }] of subscriptions) {
      if (!this.#subscriptions.has(topic)) continue;
      const all = topicOf({ type, eventSlug: '', part: '' });
      const event = topicOf({ type, eventSlug, part: '' });
      const isCovered = [all, event].some(
        (wider) => wider !== topic && this.#subscriptions.has(wider),
      );
      if (isCovered) this.#connection.unsubscribe(topic);
      else this.#connection.subscribe(topic);
    }
  }
}
