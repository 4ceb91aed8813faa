/** What the feeds of markets and of owners share: clocks, topics, and what is kept how long. */
import type { RingStore } from './message-ring.ts';

export interface StreamContext {
  readonly streamId: () => string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly rings: RingStore;
  readonly hasListeners: (topic: string) => boolean;
  readonly publish: (topic: string, text: string) => void;
  readonly heartbeatMs: number;
  readonly ringKeepMs: number;
}
