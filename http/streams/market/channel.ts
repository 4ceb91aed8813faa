/**
 * The market channel: `/ws/market` (wire 7.1), public. Prices, trades and terms of markets, to
 * whoever subscribes to their tokens.
 *
 * Invariant: fed by durable batches, after the views; what it says can't be taken back.
 * Bound: one small record a market; what is kept of it is market-feed.ts's.
 */
import type { Outcome } from '../../../engine/index.ts';
import type { CatalogMarket, DurableCommand } from '../../../persistence/index.ts';
import type { BookViews, Registry } from '../../views/index.ts';
import type {
  Channel,
  Connection,
  Session,
  SocketHub,
  StreamBounds,
  StreamMetrics,
} from '../delivery/index.ts';
import { RingStore } from '../delivery/index.ts';
import { gatherChanges, type MarketChanges } from './batch.ts';
import { type FeedContext, MarketFeed } from './feed.ts';
import { MarketSession } from './session.ts';
import { newMarketMessage } from './texts.ts';

/** What a channel is made of. */
export interface ChannelParts {
  readonly hub: SocketHub;
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly registry: Registry;
  readonly books: BookViews;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly store: () => StreamStore;
}

/** What is known only when the store is open. */
export interface StreamStore {
  readonly streamId: string;
  readonly catalog: {
    readonly look: { marketByCondition(conditionId: string): CatalogMarket | undefined };
  };
}

/** What sessions ask of their channel. */
export interface MarketDesk {
  readonly bounds: StreamBounds;
  /** Of the new markets, for those with custom features. */
  readonly newMarketsTopic: string;
  /** By decimal token id. */
  token(tokenId: string): { readonly feed: MarketFeed; readonly outcome: Outcome } | undefined;
  /** By condition id in lower case. */
  market(conditionId: string): MarketFeed | undefined;
  /** Says how a market ended; undefined while it has not. */
  resolutionText(feed: MarketFeed): string | undefined;
  noteResume(isReplayed: boolean): void;
}

export class MarketChannel implements Channel, MarketDesk {
  readonly name = 'market';
  readonly path = '/ws/market';
  readonly newMarketsTopic = 'n';
  readonly bounds: StreamBounds;
  readonly #parts: ChannelParts;
  readonly #rings: RingStore;
  readonly #feeds = new Map<string, MarketFeed>();
  /** Those that somebody listens to, or did a while ago. */
  readonly #watched = new Set<MarketFeed>();
  readonly #context: FeedContext;

  constructor(parts: ChannelParts) {
    const { hub, bounds, now, monotonicMs, store } = parts;
    this.#parts = parts;
    this.bounds = bounds;
    this.#rings = new RingStore(bounds);
    this.#context = {
      ...bounds,
      streamId: () => store().streamId,
      now,
      monotonicMs,
      rings: this.#rings,
      hasListeners: (topic) => hub.hasListeners(topic),
      publish: (topic, text) => hub.publish(topic, text),
      words: (conditionId) => store().catalog.look.marketByCondition(conditionId),
      watched: (feed, isWatched) => {
        if (isWatched) this.#watched.add(feed);
        else this.#watched.delete(feed);
      },
    };
  }

  /** Characters of all messages that are kept. */
  get ringBytes(): number {
    return this.#rings.bytes;
  }

  open(connection: Connection): Session {
    return new MarketSession(connection, this);
  }

  /** Tells what a durable batch changed; the views have taken it before. */
  consume(commands: readonly DurableCommand[]): void {
    const isWatched = (conditionId: string): boolean =>
      this.#feeds.get(conditionId)?.isWatched === true;
    for (const changes of gatherChanges(commands, isWatched)) {
      const feed = this.market(changes.conditionId);
      feed?.apply(changes);
      if (changes.isCreated && feed !== undefined) this.#tellNew(feed, changes);
    }
  }

  /** Publishes what waited for its time. */
  look(): void {
    for (const feed of this.#watched) feed.look();
  }

  token(tokenId: string): { readonly feed: MarketFeed; readonly outcome: Outcome } | undefined {
    const token = this.#parts.registry.token(tokenId);
    const feed = token === undefined ? undefined : this.market(token.market.conditionId);
    return token === undefined || feed === undefined ? undefined : { feed, outcome: token.outcome };
  }

  market(conditionId: string): MarketFeed | undefined {
    const known = this.#feeds.get(conditionId);
    if (known !== undefined) return known;
    const { registry, books } = this.#parts;
    const [yesId = '', noId = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const [yes, no] = [books.token(yesId), books.token(noId)];
    if (yes === undefined || no === undefined) return undefined;
    const feed = new MarketFeed([yes, no], this.#feeds.size, this.#context);
    this.#feeds.set(conditionId, feed);
    return feed;
  }

  resolutionText(feed: MarketFeed): string | undefined {
    const market = this.#parts.registry.market(feed.conditionId);
    return market === undefined ? undefined : feed.resolutionText(market);
  }

  noteResume(isReplayed: boolean): void {
    this.#parts.metrics.resumes.add(isReplayed ? 'replayed' : 'snapshot');
  }

  #tellNew(feed: MarketFeed, { conditionId }: MarketChanges): void {
    const { hub } = this.#parts;
    if (!hub.hasListeners(this.newMarketsTopic)) return;
    const words = this.#context.words(conditionId);
    const text = newMarketMessage(feed.books[0].book.market, words, feed.stamp);
    hub.publish(this.newMarketsTopic, text);
  }
}
