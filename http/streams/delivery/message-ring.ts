/**
 * The latest messages of each market or owner with listeners, for clients that resume.
 *
 * Invariant: a ring has every message of its market or owner after its floor, in order.
 * Bound: characters of one ring, and of all rings together. The oldest messages are dropped first.
 */
import { strict as assert } from 'node:assert';
import type { Outcome } from '../../../engine/index.ts';

export interface KeptMessage {
  readonly ring: MessageRing;
  readonly sequence: number;
  /** The token whose listeners got it; undefined for all listeners of the market. */
  readonly outcome: Outcome | undefined;
  readonly text: string;
  /** In an owner's ring: the tokens that the message is about. */
  readonly tokenIds: readonly string[];
  /** In an owner's ring: whether only clients with custom features get it. */
  readonly isExtra: boolean;
}

interface RingLimits {
  readonly ringBytesPerMarket: number;
  readonly ringBytes: number;
}

const OF_MARKET = { tokenIds: [], isExtra: false } as const;

/** A message in the list of all rings' messages, which goes from the oldest to the newest. */
interface LinkedMessage extends KeptMessage {
  older: LinkedMessage | undefined;
  newer: LinkedMessage | undefined;
}

/**
 * The messages of all rings, as a linked list. A Set of half a million entries would block the
 * event loop: it rehashes all entries whenever that many were added and removed.
 */
export class RingStore {
  readonly #limits: RingLimits;
  #oldest: LinkedMessage | undefined;
  #newest: LinkedMessage | undefined;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get bytesPerRing(): number {
    return this.#limits.ringBytesPerMarket;
  }

  add(message: LinkedMessage): void {
    message.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = message;
    else this.#newest.newer = message;
    this.#newest = message;
    this.#bytes += message.text.length;
    while (this.#bytes > this.#limits.ringBytes) {
      assert(this.#oldest !== undefined, 'the byte count is 0 when no message is kept');
      // The oldest of all messages is the oldest of its ring.
      this.#oldest.ring.dropOldest();
    }
  }

  /** Unlinks a message, so that a reader who still holds it keeps no other message in memory. */
  remove(message: LinkedMessage): void {
    const { older, newer } = message;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    message.older = undefined;
    message.newer = undefined;
    this.#bytes -= message.text.length;
  }
}

export class MessageRing {
  readonly #store: RingStore;
  /** Dropped messages leave empty places, which are removed once they are half of all. */
  #messages: (LinkedMessage | undefined)[] = [];
  /** The place of the oldest message that is kept. */
  #start = 0;
  #bytes = 0;
  #floor: number;
  /** Whether the step at the floor had two copies. A client may have got only one of them. */
  #isFloorSplit: boolean;

  /** `floor` is the sequence of the last message before the ring's first. */
  constructor(store: RingStore, floor: number, isFloorSplit: boolean) {
    this.#store = store;
    this.#floor = floor;
    this.#isFloorSplit = isFloorSplit;
  }

  add(
    sequence: number,
    outcome: Outcome | undefined,
    text: string,
    { tokenIds, isExtra }: Pick<KeptMessage, 'tokenIds' | 'isExtra'> = OF_MARKET,
  ): KeptMessage {
    const message: LinkedMessage = {
      ring: this,
      sequence,
      outcome,
      text,
      tokenIds,
      isExtra,
      older: undefined,
      newer: undefined,
    };
    this.#messages.push(message);
    this.#bytes += text.length;
    this.#store.add(message);
    while (this.#bytes > this.#store.bytesPerRing) this.dropOldest();
    return message;
  }

  /**
   * Whether the ring has every message after a sequence. `wantsSecond`: whether the client listens
   * to NO, whose copy of a step is the second one.
   */
  reaches(sequence: number, wantsSecond: boolean): boolean {
    if (sequence !== this.#floor) return sequence > this.#floor;
    return !(wantsSecond && this.#isFloorSplit);
  }

  /**
   * The messages after a sequence. A client of both tokens may have got only the first copy of the
   * last step, so the second copy is sent again.
   */
  *after(sequence: number, wants: (outcome: Outcome) => boolean): Iterable<KeptMessage> {
    for (let index = this.#indexFrom(sequence); index < this.#messages.length; index += 1) {
      const message = this.#messages[index];
      assert(message !== undefined, 'the index is within the ring');
      const { outcome } = message;
      if (message.sequence === sequence && outcome !== 1) continue;
      if (outcome === undefined || wants(outcome)) yield message;
    }
  }

  /** The index of the first message with this sequence or a later one. */
  #indexFrom(sequence: number): number {
    let low = this.#start;
    let high = this.#messages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#messages[middle]?.sequence ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  dropOldest(): void {
    const message = this.#messages[this.#start];
    assert(message !== undefined, 'an empty ring drops no message');
    this.#messages[this.#start] = undefined;
    this.#start += 1;
    this.#bytes -= message.text.length;
    this.#floor = message.sequence;
    this.#isFloorSplit = message.outcome !== undefined;
    this.#store.remove(message);
    if (this.#start * 2 < this.#messages.length) return;
    this.#messages = this.#messages.slice(this.#start);
    this.#start = 0;
  }

  clear(): void {
    while (this.#start < this.#messages.length) this.dropOldest();
  }
}
