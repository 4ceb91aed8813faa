/**
 * The market channel, one connection for the whole page (`/ws/market`).
 *
 * Invariant: each market is subscribed to once, however many parts of the page follow it. After a
 * lost connection each one goes on after the last message that the page has; where that is not
 * possible the exchange sends a fresh book. Bound: `PAGE_BOUNDS.markets`.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { PAGE_BOUNDS, PAGE_TIMES } from './bounds.ts';
import type { Environment } from './environment.ts';
import type { Frames } from './frames.ts';
import { Link, type LinkChannel, type LinkState } from './link.ts';
import {
  type FeedContext,
  MarketFeed,
  type MarketName,
  type MarketView,
  type Position,
} from './market-feed.ts';
import type {
  ErrorMessage,
  MarketMessage,
  NewMarketMessage,
  StreamMessage,
  TradeRow,
} from './messages.ts';
import type { MessageTap } from './tap.ts';

/** A market that a part of the page follows, until it calls `release`. */
export interface FollowedMarket {
  readonly view: MarketView;
  /** Only the first call counts. */
  release(): void;
}

export interface StreamParts {
  readonly environment: Environment;
  readonly frames: Frames;
  readonly tap: MessageTap;
}

/** The newest `PAGE_BOUNDS.trades` trades of a market, the newest first, of takers only. */
export type FetchTrades = (conditionId: string) => Promise<readonly TradeRow[]>;

interface Followed {
  readonly feed: MarketFeed;
  readers: number;
  /** Keeps a market without readers from being dropped; set while it has none. */
  cancelDrop: (() => void) | undefined;
}

export class MarketStream implements LinkChannel {
  readonly path = '/ws/market';
  readonly state: ReadonlySignal<LinkState>;
  readonly #parts: StreamParts;
  readonly #link: Link;
  readonly #context: FeedContext;
  /** By condition id. */
  readonly #markets = new Map<string, Followed>();
  /** Markets whose missed messages are on their way. */
  readonly #repairingCount = signal(0);
  readonly #newMarketListeners = new Set<(message: NewMarketMessage) => void>();
  /** Feeds to ask for in the next microtask, so that one message names many. */
  readonly #toAsk = new Set<MarketFeed>();

  constructor(parts: StreamParts, fetchTrades: FetchTrades) {
    const { environment, frames, tap } = parts;
    this.#parts = parts;
    this.#link = new Link(this, environment, tap);
    this.state = repairableState(
      this.#link.state,
      environment,
      () => this.#repairingCount.value > 0,
    );
    this.#context = {
      frames,
      nowMs: environment.nowMs,
      isLinkLive: computed(() => this.#link.state.value.kind === 'live'),
      fetchTrades,
      ask: (feed) => this.#ask(feed),
      onRepair: (change) => {
        this.#repairingCount.value += change;
      },
      onMismatch: (feed, what) => {
        tap.note(this.path, 'event', `${what} of ${feed.name.conditionId} was not as expected`);
      },
    };
  }

  /**
   * Follows a market. Throws if the page follows too many. With `hasTrades` false, the trades
   * before the page listened are not fetched: lists of many markets show none.
   */
  follow(name: MarketName, { hasTrades = true } = {}): FollowedMarket {
    const followed = this.#markets.get(name.conditionId) ?? this.#add(name);
    if (hasTrades) followed.feed.wantHistory();
    followed.readers += 1;
    followed.cancelDrop?.();
    followed.cancelDrop = undefined;
    let isReleased = false;
    return {
      view: followed.feed,
      release: () => {
        if (!isReleased) this.#release(followed);
        isReleased = true;
      },
    };
  }

  /** Calls a listener for each new market, until the answer is called. */
  onNewMarket(listener: (message: NewMarketMessage) => void): () => void {
    this.#newMarketListeners.add(listener);
    this.#link.start();
    return () => {
      this.#newMarketListeners.delete(listener);
      this.#stopIfUnused();
    };
  }

  retryNow(): void {
    this.#link.retryNow();
  }

  opened(): void {
    const feeds = [...this.#markets.values()].map(({ feed }) => feed);
    // Without a market there is nothing to subscribe to but the news.
    if (feeds.length === 0) this.#link.send({ ...subscription([]), initial_dump: false });
    for (const feed of feeds) this.#ask(feed);
  }

  received(received: StreamMessage): void {
    // Safe: the channel sends these alone.
    const message = received as MarketMessage | ErrorMessage;
    if ('code' in message) this.#takeError(message);
    else if (message.event_type === 'new_market') {
      for (const listener of this.#newMarketListeners) listener(message);
    } else this.#markets.get(message.market)?.feed.take(message);
  }

  ended(): void {
    this.#toAsk.clear();
  }

  expectsMessages(): boolean {
    for (const { feed } of this.#markets.values()) {
      if (feed.state.peek() !== 'unknown') return true;
    }
    return false;
  }

  isRefusal(): boolean {
    return false;
  }

  #add(name: MarketName): Followed {
    const limit = PAGE_BOUNDS.markets;
    if (this.#markets.size >= limit) {
      throw new RangeError(`A page follows at most ${limit} markets, and this is one more.`);
    }
    const feed = new MarketFeed(name, this.#context);
    const followed = { feed, readers: 0, cancelDrop: undefined };
    this.#markets.set(name.conditionId, followed);
    if (this.#link.isOpen) this.#ask(feed);
    this.#link.start();
    return followed;
  }

  /** A page that is opened next often follows the same market, so it is kept for a while. */
  #release(followed: Followed): void {
    followed.readers -= 1;
    if (followed.readers > 0) return;
    const { lingerMs } = PAGE_TIMES;
    followed.cancelDrop = this.#parts.environment.after(lingerMs, () => this.#drop(followed));
  }

  #drop({ feed }: Followed): void {
    const { conditionId, tokenIds } = feed.name;
    this.#markets.delete(conditionId);
    this.#toAsk.delete(feed);
    feed.dropped();
    if (this.#link.isOpen) {
      this.#link.send({ operation: 'unsubscribe', assets_ids: [tokenIds[0]] });
    }
    this.#stopIfUnused();
  }

  #stopIfUnused(): void {
    if (this.#markets.size === 0 && this.#newMarketListeners.size === 0) this.#link.stop();
  }

  #ask(feed: MarketFeed): void {
    feed.asked();
    if (this.#toAsk.size === 0) queueMicrotask(() => this.#askAll());
    this.#toAsk.add(feed);
  }

  #askAll(): void {
    const feeds = [...this.#toAsk];
    this.#toAsk.clear();
    if (!this.#link.isOpen) return;
    const size = PAGE_BOUNDS.marketsPerMessage;
    for (const [streamId, group] of Map.groupBy(feeds, ({ position }) => position?.streamId)) {
      for (let start = 0; start < group.length; start += size) {
        const part = group.slice(start, start + size);
        this.#link.send(streamId === undefined ? subscription(part) : resumption(streamId, part));
      }
    }
  }

  #takeError({ code, names = [], message }: ErrorMessage): void {
    if (code !== 'names_unknown') throw new Error(message);
    const unknown = new Set(names);
    for (const { feed } of this.#markets.values()) {
      if (unknown.has(feed.name.tokenIds[0])) feed.notFound();
    }
  }
}

/** New and resolved markets, and unknown names, are told with custom features only. */
function subscription(feeds: readonly MarketFeed[]): object {
  const assets = feeds.map(({ name }) => name.tokenIds[0]);
  return { type: 'market', assets_ids: assets, custom_feature_enabled: true };
}

function resumption(streamId: string, feeds: readonly MarketFeed[]): object {
  const sequences = Object.fromEntries(
    feeds.map(({ name, position }) => [name.conditionId, (position as Position).sequence]),
  );
  return { ...subscription(feeds), operation: 'resume', stream_id: streamId, sequences };
}

/** The state of a link, which is stale too while missed messages are on their way. */
export function repairableState(
  link: ReadonlySignal<LinkState>,
  { nowMs }: Environment,
  isRepairing: () => boolean,
): ReadonlySignal<LinkState> {
  return computed(() => {
    const state = link.value;
    if (state.kind !== 'live' || !isRepairing()) return state;
    return { kind: 'stale', sinceMs: nowMs(), cause: 'repair' } as const;
  });
}
