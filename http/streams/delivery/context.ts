/** What the exchange passes to its channels, and the channels to their feeds. */

import { setImmediate } from 'node:timers';
import type {
  AccountAddresses,
  AccountProfile,
  CatalogMarket,
} from '../../../persistence/index.ts';
import { remember } from '../../codec/index.ts';
import { type MarketTexts, NO_TEXTS } from '../../format/index.ts';
import type { BookViews, Registry } from '../../views/index.ts';
import type { StreamBounds } from './bounds.ts';
import type { StreamFaults } from './faults.ts';
import type { SocketHub } from './hub.ts';
import type { RingStore } from './message-ring.ts';
import type { StreamMetrics } from './metrics.ts';

// Work that continues in a later turn of the event loop.

/** Returns a function that calls `work` in a later turn: once, even if it is called repeatedly. */
export function inLaterTurn(work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setImmediate(() => {
      isWaiting = false;
      work();
    });
  };
}

// What messages of streams show from the catalog: texts of markets, and profiles of accounts.
//
// A look-up in the catalog takes about 16 us on the matching thread, and a fill of a followed owner
// needs four. So what was found is cached, for at most `keptContentMs`.
// Bound: `keptContent` entries.

interface ContentOptions<Content> {
  /** Returns what the cache keeps, so no more than is shown. */
  readonly read: (name: string) => Content;
  readonly monotonicMs: () => number;
  readonly keptContent: number;
  readonly keptContentMs: number;
}

export class ContentCache<Content> {
  readonly #options: ContentOptions<Content>;
  readonly #kept = new Map<string, { readonly content: Content; readonly untilMs: number }>();

  constructor(options: ContentOptions<Content>) {
    this.#options = options;
  }

  of(name: string): Content {
    const { read, monotonicMs, keptContent, keptContentMs } = this.#options;
    const nowMs = monotonicMs();
    const known = this.#kept.get(name);
    if (known !== undefined && nowMs < known.untilMs) return known.content;
    const content = read(name);
    remember(this.#kept, name, { content, untilMs: nowMs + keptContentMs }, keptContent);
    return content;
  }
}

/** The texts of a market alone; `NO_TEXTS` for a market that the catalog does not have. */
export function marketTextsOf(market: CatalogMarket | undefined): MarketTexts {
  if (market === undefined) return NO_TEXTS;
  const { question, slug, icon, image, eventSlug, outcomes, tags, creator } = market;
  return { question, slug, icon, image, eventSlug, outcomes, tags, creator };
}

export interface ChannelParts {
  readonly hub: SocketHub;
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly registry: Registry;
  readonly books: BookViews;
  readonly faults: StreamFaults;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly store: () => StreamStore;
}

export interface StreamStore {
  readonly streamId: string;
  readonly catalog: {
    readonly lookup: {
      marketByCondition(conditionId: string): CatalogMarket | undefined;
      accountProfile(account: AccountAddresses): AccountProfile;
    };
  };
}

/** What the feeds of markets and of owners share. */
export interface StreamContext {
  readonly streamId: () => string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly rings: RingStore;
  readonly hasListeners: (topic: string) => boolean;
  readonly publish: (topic: string, text: string) => void;
  readonly faults: StreamFaults;
  readonly heartbeatMs: number;
  readonly ringKeepMs: number;
}

export function streamContext(parts: ChannelParts, rings: RingStore): StreamContext {
  const { hub, bounds, now, monotonicMs, faults, store } = parts;
  return {
    streamId: () => store().streamId,
    now,
    monotonicMs,
    rings,
    hasListeners: (topic) => hub.hasListeners(topic),
    publish: (topic, text) => hub.publish(topic, text),
    faults,
    heartbeatMs: bounds.heartbeatMs,
    ringKeepMs: bounds.ringKeepMs,
  };
}
