/**
 * The last messages of each market that is listened to, for those who come back.
 *
 * Invariant: a ring has every message of its market after its floor, in order.
 * Bound: characters of one ring, and of all rings together; the oldest go first.
 */
import { strict as assert } from 'node:assert';
import type { Outcome } from '../../../engine/index.ts';

export interface KeptMessage {
  readonly ring: MessageRing;
  readonly sequence: number;
  /** Whose listeners it is for; undefined for all of the market's. */
  readonly outcome: Outcome | undefined;
  readonly text: string;
  /** Of a ring of an owner: the tokens that it is about. */
  readonly tokenIds: readonly string[];
}

interface RingLimits {
  readonly ringBytesPerMarket: number;
  readonly ringBytes: number;
}

const NO_TOKENS: readonly string[] = [];

/** A message among those of all rings, in order of coming. */
interface LinkedMessage extends KeptMessage {
  older: LinkedMessage | undefined;
  newer: LinkedMessage | undefined;
}

/**
 * All that rings keep, as a list that is linked through the messages: a Set of half a million would
 * be hashed anew each time as many came and went, and whoever is waited for meanwhile is late.
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

  /** A new one, of no list yet. */
  add(message: LinkedMessage): void {
    message.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = message;
    else this.#newest.newer = message;
    this.#newest = message;
    this.#bytes += message.text.length;
    while (this.#bytes > this.#limits.ringBytes) {
      assert(this.#oldest !== undefined, 'bytes are those of messages');
      // What is the oldest of all is the oldest of its ring.
      this.#oldest.ring.dropOldest();
    }
  }

  /** It keeps no other message in memory, whoever still has it. */
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
  /** What was dropped leaves its place empty until half of the places are. */
  #messages: (LinkedMessage | undefined)[] = [];
  /** Of the oldest message that is still there. */
  #start = 0;
  #bytes = 0;
  #floor: number;
  /** Whether the step at the floor came in two copies, of which somebody may have got one. */
  #isFloorSplit: boolean;

  /** `floor` is the sequence of the last message before its first. */
  constructor(store: RingStore, floor: number, isFloorSplit: boolean) {
    this.#store = store;
    this.#floor = floor;
    this.#isFloorSplit = isFloorSplit;
  }

  add(
    sequence: number,
    outcome: Outcome | undefined,
    text: string,
    tokenIds: readonly string[] = NO_TOKENS,
  ): KeptMessage {
    const message: LinkedMessage = {
      ring: this,
      sequence,
      outcome,
      text,
      tokenIds,
      older: undefined,
      newer: undefined,
    };
    this.#messages.push(message);
    this.#bytes += text.length;
    this.#store.add(message);
    while (this.#bytes > this.#store.bytesPerRing) this.dropOldest();
    return message;
  }

  /** Whether nothing is missing for who got the messages up to a sequence. */
  reaches(sequence: number, wantsSecond: boolean): boolean {
    if (sequence !== this.#floor) return sequence > this.#floor;
    return !(wantsSecond && this.#isFloorSplit);
  }

  /**
   * What somebody has missed. Who had both tokens may have got only the first copy of the last
   * step, so the second one is there again, also for who names its tokens one by one.
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

  /** The first message that has a sequence or a later one. */
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
    assert(message !== undefined, 'only what is there is dropped');
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

  /** Lets everything go. */
  clear(): void {
    while (this.#start < this.#messages.length) this.dropOldest();
  }
}
