/**
 * The market channel: one feed for each market.
 *
 * Invariant: fed by durable batches after the views, so a crash can't take a message back.
 * Bound: one small record a market; the feed bounds what it keeps.
 */
import type { MarketSteps, Outcome } from '../../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../../../persistence/index.ts';
import { type TokenBooks, tokenNamed } from '../../views/index.ts';
import type { StreamBounds } from '../delivery/bounds.ts';
import type { Connection } from '../delivery/connection.ts';
import { type ChannelParts, streamContext } from '../delivery/context.ts';
import { RingStore } from '../delivery/message-ring.ts';
import type { StreamMetrics } from '../delivery/metrics.ts';
import type { Channel, Session } from '../delivery/subscription.ts';
import { gatherChanges, type MarketChanges } from './batch.ts';
import { type FeedContext, MarketFeed } from './feed.ts';
import { MARKET_CHANNEL } from './messages.ts';
import { type MarketChannelApi, MarketSession } from './session.ts';
import { newMarketMessage } from './texts.ts';

/** Those of each market in a snapshot without counts. */
const NO_STEPS: MarketSteps = { count: 0, isSplit: false };

export class MarketChannel implements Channel, MarketChannelApi {
  readonly name = MARKET_CHANNEL.name;
  readonly path = MARKET_CHANNEL.address;
  readonly lifecycleTopic = 'l';
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly #parts: ChannelParts;
  readonly #rings: RingStore;
  readonly #feeds = new Map<string, MarketFeed>();
  /** The feeds that have listeners, or had some within `ringKeepMs`. */
  readonly #watched = new Set<MarketFeed>();
  readonly #context: FeedContext;

  constructor(parts: ChannelParts) {
    const { bounds, metrics, store } = parts;
    this.#parts = parts;
    this.bounds = bounds;
    this.metrics = metrics;
    this.#rings = new RingStore(bounds);
    this.#context = {
      ...streamContext(parts, this.#rings),
      lifecycleTopic: this.lifecycleTopic,
      bookIntervalMs: bounds.bookIntervalMs,
      frozenTrades: bounds.frozenTrades,
      contentOf: (conditionId) => store().catalog.lookup.marketByCondition(conditionId),
      onWatchChange: (feed, isWatched) => {
        if (isWatched) this.#watched.add(feed);
        else this.#watched.delete(feed);
      },
    };
  }

  /** Characters of all messages kept for resumes. */
  get ringBytes(): number {
    return this.#rings.bytes;
  }

  open(connection: Connection): Session {
    return new MarketSession(connection, this);
  }

  /**
   * Restores from a snapshot: the sequence of each market, and the terms that later changes are
   * compared with. Called after the views have restored from it.
   */
  restore({ marketSteps }: Pick<RestoredState, 'marketSteps'>): void {
    const steps = marketSteps[Symbol.iterator]();
    for (const { conditionId } of this.#parts.registry.markets()) {
      const { value = NO_STEPS } = steps.next();
      this.#addFeed(conditionId, value);
    }
  }

  /** Publishes what a durable batch changed. Called after the views have applied the batch. */
  consume(commands: readonly DurableCommand[]): void {
    const isWatched = (conditionId: string): boolean =>
      this.#feeds.get(conditionId)?.isWatched === true;
    for (const changes of gatherChanges(commands, isWatched)) {
      const feed = this.market(changes.conditionId);
      feed?.apply(changes);
      if (changes.isCreated && feed !== undefined) this.#publishNewMarket(feed, changes);
    }
  }

  /** Shows these books of a market in place of the current ones, and holds its changes back. */
  freeze(books: TokenBooks): void {
    this.market(books[0].book.market.conditionId)?.freeze(books);
  }

  /** Ends `freeze`, and publishes what changed meanwhile. */
  thaw(conditionId: string): void {
    this.market(conditionId)?.thaw();
  }

  /** Publishes delayed books and heartbeats. */
  sweep(): void {
    for (const feed of this.#watched) feed.sweep();
  }

  token(tokenId: string): { readonly feed: MarketFeed; readonly outcome: Outcome } | undefined {
    const token = tokenNamed(this.#parts.registry, tokenId);
    const feed = token === undefined ? undefined : this.market(token.market.conditionId);
    return token === undefined || feed === undefined ? undefined : { feed, outcome: token.outcome };
  }

  market(conditionId: string): MarketFeed | undefined {
    return this.#feeds.get(conditionId) ?? this.#addFeed(conditionId, undefined);
  }

  /** Returns undefined for a market that is not durable. */
  #addFeed(conditionId: string, steps: MarketSteps | undefined): MarketFeed | undefined {
    const { registry, books } = this.#parts;
    const [yesId = '', noId = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const [yes, no] = [books.token(yesId), books.token(noId)];
    if (yes === undefined || no === undefined) return undefined;
    const feed = new MarketFeed([yes, no], this.#feeds.size, steps, this.#context);
    this.#feeds.set(conditionId, feed);
    return feed;
  }

  resolutionText(feed: MarketFeed): string | undefined {
    const market = this.#parts.registry.market(feed.conditionId);
    return market === undefined ? undefined : feed.resolutionText(market);
  }

  #publishNewMarket(feed: MarketFeed, { conditionId }: MarketChanges): void {
    const { hub } = this.#parts;
    if (!hub.hasListeners(this.lifecycleTopic)) return;
    const content = this.#context.contentOf(conditionId);
    const text = newMarketMessage(feed.books[0].book.market, content, feed.stamp);
    hub.publish(this.lifecycleTopic, text);
  }
}
