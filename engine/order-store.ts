/**
 * All orders the engine knows: live ones and recently closed ones, as columns of typed arrays under
 * integer handles. Invariant: a handle is in use exactly from `allocate` to `free`; links of lists
 * that an order is not in are NONE. Bound: live orders (accounts x live orders per account) plus
 * recent ones; the columns double when they are full.
 */
import type { OrderType, Outcome, Side } from './commands.ts';
import { NONE } from './level-index.ts';
import { complement, type Ticks } from './units.ts';

const TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK'];
const OUTCOME_BIT = 1;
const SELL_BIT = 2;
const TYPE_SHIFT = 2;
const POST_ONLY_BIT = 16;
const LIVE_BIT = 32;

/** What an order is, besides its numbers. */
export interface OrderTraits {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  readonly postOnly: boolean;
}

export class OrderStore {
  account!: Int32Array;
  market!: Int32Array;
  /** The slot of the account's position in the market. */
  position!: Int32Array;
  /** Limit price in the order's own outcome. */
  priceTicks!: Uint16Array;
  lots!: Float64Array;
  remainingLots!: Float64Array;
  filledMicros!: Float64Array;
  acceptedSeq!: Float64Array;
  acceptedMs!: Float64Array;
  expiresAtMs!: Float64Array;
  /** Neighbours in the queue of the price level. */
  next!: Int32Array;
  previous!: Int32Array;
  /** Neighbours among the owner's live orders, by time accepted. */
  ownerNext!: Int32Array;
  ownerPrevious!: Int32Array;
  /** Place in the expiry queue. */
  expiryIndex!: Int32Array;
  readonly ids: string[] = [];
  #traits!: Uint8Array;
  #capacity = 0;
  #used = 0;
  readonly #freed: number[] = [];

  constructor(capacity: number) {
    this.#resize(Math.max(16, capacity));
  }

  allocate(id: string, traits: OrderTraits): number {
    const handle = this.#freed.pop() ?? this.#used++;
    if (handle === this.#capacity) this.#resize(this.#capacity * 2);
    this.ids[handle] = id;
    this.#traits[handle] =
      traits.outcome |
      (traits.side === 'SELL' ? SELL_BIT : 0) |
      (TYPES.indexOf(traits.type) << TYPE_SHIFT) |
      (traits.postOnly ? POST_ONLY_BIT : 0);
    this.next[handle] = NONE;
    this.previous[handle] = NONE;
    this.ownerNext[handle] = NONE;
    this.ownerPrevious[handle] = NONE;
    this.expiryIndex[handle] = NONE;
    return handle;
  }

  free(handle: number): void {
    this.ids[handle] = '';
    this.#freed.push(handle);
  }

  outcome(handle: number): Outcome {
    return (this.#traits[handle]! & OUTCOME_BIT) as Outcome; // one bit: 0 or 1
  }

  isSell(handle: number): boolean {
    return (this.#traits[handle]! & SELL_BIT) !== 0;
  }

  side(handle: number): Side {
    return this.isSell(handle) ? 'SELL' : 'BUY';
  }

  type(handle: number): OrderType {
    return TYPES[(this.#traits[handle]! >>> TYPE_SHIFT) & 3]!;
  }

  isPostOnly(handle: number): boolean {
    return (this.#traits[handle]! & POST_ONLY_BIT) !== 0;
  }

  isLive(handle: number): boolean {
    return (this.#traits[handle]! & LIVE_BIT) !== 0;
  }

  setLive(handle: number, live: boolean): void {
    if (live) this.#traits[handle]! |= LIVE_BIT;
    else this.#traits[handle]! &= ~LIVE_BIT;
  }

  /** BUY YES and SELL NO are bids, the other two asks (design 4). */
  isBid(handle: number): boolean {
    return isBid(this.outcome(handle), this.isSell(handle));
  }

  /** The order's price in the market's one book, in YES ticks. */
  bookTicks(handle: number): Ticks {
    const own = this.priceTicks[handle]! as Ticks; // only checked prices are stored
    return this.outcome(handle) === 0 ? own : complement(own);
  }

  #resize(capacity: number): void {
    const grow = <T extends Column>(Kind: ColumnKind<T>, old: T | undefined): T => {
      const column = new Kind(capacity);
      if (old !== undefined) column.set(old);
      return column;
    };
    this.account = grow(Int32Array, this.account);
    this.market = grow(Int32Array, this.market);
    this.position = grow(Int32Array, this.position);
    this.priceTicks = grow(Uint16Array, this.priceTicks);
    this.#traits = grow(Uint8Array, this.#traits);
    this.lots = grow(Float64Array, this.lots);
    this.remainingLots = grow(Float64Array, this.remainingLots);
    this.filledMicros = grow(Float64Array, this.filledMicros);
    this.acceptedSeq = grow(Float64Array, this.acceptedSeq);
    this.acceptedMs = grow(Float64Array, this.acceptedMs);
    this.expiresAtMs = grow(Float64Array, this.expiresAtMs);
    this.next = grow(Int32Array, this.next);
    this.previous = grow(Int32Array, this.previous);
    this.ownerNext = grow(Int32Array, this.ownerNext);
    this.ownerPrevious = grow(Int32Array, this.ownerPrevious);
    this.expiryIndex = grow(Int32Array, this.expiryIndex);
    this.#capacity = capacity;
  }
}

/** BUY YES and SELL NO are bids of the market's one book, in YES ticks. */
export const isBid = (outcome: Outcome, isSell: boolean): boolean => (outcome === 1) === isSell;

type Column = Int32Array | Uint16Array | Uint8Array | Float64Array;
type ColumnKind<T extends Column> = new (length: number) => T & { set(from: Column): void };
