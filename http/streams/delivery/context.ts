/** What the exchange passes to its channels, and the channels to their feeds. */
import type {
  AccountAddresses,
  AccountProfile,
  CatalogMarket,
} from '../../../persistence/index.ts';
import type { BookViews, Registry } from '../../views/index.ts';
import type { StreamBounds } from './bounds.ts';
import type { StreamFaults } from './faults.ts';
import type { SocketHub } from './hub.ts';
import type { RingStore } from './message-ring.ts';
import type { StreamMetrics } from './metrics.ts';

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

/** The part of the open store that streams read. */
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
