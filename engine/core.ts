/**
 * The engine's state, and the few ways of changing an order that more than one command has.
 * Commands are functions over a `Core` in files of their own. Invariant: between two commands
 * every live order is in its level's queue, in its owner's list, counted for its account, and in
 * the expiry queue if it is GTD; every other order in the store is in `recent`.
 */

import { Book } from './book.ts';
import type { Bounds } from './bounds.ts';
import type { CreateMarket, Outcome } from './commands.ts';
import type { CloseReason, EngineEvent } from './events.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import { invariant } from './invariant.ts';
import { Ledger, Positions } from './ledger.ts';
import { NONE } from './level-index.ts';
import { OrderIdTable } from './order-id-table.ts';
import { OrderStore } from './order-store.ts';
import type { RejectCode, RejectDetails } from './rejects.ts';
import type { ApiKeyState, MoneyKeyState } from './state-view.ts';
import { Taker } from './taker.ts';
import { cashFor, type Lots, type Micros, ONE_TICKS, type Ticks } from './units.ts';

export type MarketTerms = Omit<CreateMarket, 'kind'>;

export class Market {
  readonly index: number;
  readonly terms: MarketTerms;
  readonly book: Book;
  /** Complete sets in existence; the collateral locked is one unit each. */
  setsLots = 0;

  constructor(index: number, terms: MarketTerms, orders: OrderStore) {
    this.index = index;
    this.terms = terms;
    this.book = new Book(orders, terms.tickTicks);
  }
}

/** One side of a market: what a token id stands for. */
export interface Token {
  readonly market: Market;
  readonly outcome: Outcome;
}

/** How an engine is laid out in memory; nothing that it does depends on it. */
export interface Room {
  /** Orders there is room for at once, so that growing never pauses a busy engine. */
  readonly reserveOrders?: number;
  /** A number that nobody outside knows, against ids chosen to collide. */
  readonly idSeed?: number;
}

/** Orders there is room for when nothing is said. */
const RESERVED_ORDERS = 1_024;

export class Core {
  readonly bounds: Bounds;
  readonly orders: OrderStore;
  readonly ids: OrderIdTable;
  readonly expiries: ExpiryQueue;
  readonly ledger = new Ledger();
  readonly positions = new Positions();
  readonly markets: Market[] = [];
  readonly marketByCondition = new Map<string, Market>();
  readonly tokens = new Map<string, Token>();
  readonly apiKeys: ApiKeyState[] = [];
  readonly keyByNonce = new Map<string, ApiKeyState>();
  readonly keyByText = new Map<string, ApiKeyState>();
  readonly keysOfOwner = new Map<string, number>();
  readonly moneyKeys = new Map<string, MoneyKeyState>();
  readonly recent: RecentOrders;
  /** The one order being matched: reused, because a new record an order would be garbage. */
  readonly taker = new Taker();
  /** Collateral behind all complete sets. */
  lockedMicros = 0;
  /** Of the last command that changed something. */
  changedSeq = 0;
  /** Of the command in hand. */
  seq = 0;
  timeMs = 0;
  events: EngineEvent[] = [];

  constructor(bounds: Bounds, { reserveOrders = RESERVED_ORDERS, idSeed = 0 }: Room = {}) {
    this.bounds = bounds;
    this.orders = new OrderStore(reserveOrders);
    this.ids = new OrderIdTable(this.orders.ids, reserveOrders, idSeed);
    this.expiries = new ExpiryQueue(this.orders);
    this.recent = new RecentOrders(bounds.recentOrders);
  }
}

/** Closed orders, oldest first, in a ring of handles. */
class RecentOrders {
  readonly #ring: Int32Array;
  #start = 0;
  count = 0;
  /** The highest accepted seq among those dropped. */
  forgottenSeq = 0;

  constructor(capacity: number) {
    this.#ring = new Int32Array(capacity + 1);
  }

  /** Adds a handle; returns the one that has to go for it, or NONE. */
  push(handle: number): number {
    const size = this.#ring.length;
    this.#ring[(this.#start + this.count) % size] = handle;
    if (this.count < size - 1) {
      this.count += 1;
      return NONE;
    }
    const dropped = this.#ring[this.#start]!;
    this.#start = (this.#start + 1) % size;
    return dropped;
  }

  at(position: number): number {
    return this.#ring[(this.#start + position) % this.#ring.length]!;
  }
}

/** Makes complete sets (positive) or burns them (negative). */
export function changeSets(core: Core, market: Market, lots: number): void {
  market.setsLots += lots;
  core.lockedMicros += lots * ONE_TICKS;
  invariant(market.setsLots >= 0, 'complete sets are never negative');
}

/** The invariants of design 5 on what a fill touched. */
export function checkMarket(core: Core, market: Market): void {
  const { bestBid, bestAsk } = market.book;
  const { setsLots, index } = market;
  invariant(bestAsk === NONE || bestBid < bestAsk, 'no book is crossed');
  invariant(
    core.positions.supply(index, 0) === setsLots && core.positions.supply(index, 1) === setsLots,
    'YES held = NO held = complete sets',
  );
}

/** Cash of all accounts + collateral locked = deposits - withdrawals. */
export function checkCash(core: Core): void {
  const { totalMicros, depositedMicros, withdrawnMicros } = core.ledger;
  invariant(
    totalMicros + core.lockedMicros === depositedMicros - withdrawnMicros,
    'cash and locked collateral are what was deposited and not withdrawn',
  );
}

/** Answers that the command is refused. */
export function reject(core: Core, code: RejectCode, details: RejectDetails): void {
  core.events.push({ kind: 'rejected', code, ...details });
}

/** Says what a level of the book holds now. */
export function reportLevel(core: Core, market: Market, level: number, isBid: boolean): void {
  core.events.push({
    kind: 'level_changed',
    conditionId: market.terms.conditionId,
    side: isBid ? 'bid' : 'ask',
    priceTicks: market.book.priceOf(level),
    lots: market.book.lotsAt(level) as Lots, // a sum of whole lots
  });
}

/** Takes a resting order off the book, gives back what it holds, and closes it. */
export function closeResting(core: Core, handle: number, reason: CloseReason): void {
  const { orders } = core;
  const market = core.markets[orders.market[handle]!]!;
  market.book.delete(handle);
  releaseHold(core, handle);
  closeOrder(core, handle, reason);
}

/** The same, and says what is left at its level: for everything outside matching. */
export function cancelResting(core: Core, handle: number, reason: CloseReason): void {
  const market = core.markets[core.orders.market[handle]!]!;
  const level = market.book.levelOf(core.orders.bookTicks(handle));
  const isBid = core.orders.isBid(handle);
  closeResting(core, handle, reason);
  reportLevel(core, market, level, isBid);
}

/** Holds what a resting order needs: its cost at its own price, or its tokens. */
function holdFor(core: Core, handle: number): void {
  const { orders } = core;
  const remaining = orders.remainingLots[handle]! as Lots; // whole lots by construction
  if (orders.isSell(handle)) {
    core.positions.hold(orders.position[handle]!, orders.outcome(handle), remaining);
  } else {
    core.ledger.hold(orders.account[handle]!, holdMicros(core, handle));
  }
}

function releaseHold(core: Core, handle: number): void {
  const { orders } = core;
  const remaining = orders.remainingLots[handle]! as Lots; // whole lots by construction
  if (orders.isSell(handle)) {
    core.positions.release(orders.position[handle]!, orders.outcome(handle), remaining);
  } else {
    core.ledger.release(orders.account[handle]!, holdMicros(core, handle));
  }
}

/** Cash that a resting BUY holds. */
export function holdMicros(core: Core, handle: number): Micros {
  const { remainingLots, priceTicks } = core.orders;
  return cashFor(remainingLots[handle]! as Lots, priceTicks[handle]! as Ticks); // checked values
}

/** Puts an accepted order on the book, and into every list a live order is in. */
export function restOrder(core: Core, market: Market, handle: number): void {
  const { orders, ledger } = core;
  const account = orders.account[handle]!;
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  holdFor(core, handle);
  market.book.add(handle);
  orders.setLive(handle, true);
  ledger.liveOrders[account]! += 1;
  orders.ownerPrevious[handle] = owner.lastOrder;
  if (owner.lastOrder === NONE) owner.firstOrder = handle;
  else orders.ownerNext[owner.lastOrder] = handle;
  owner.lastOrder = handle;
  if (orders.type(handle) === 'GTD') core.expiries.add(handle);
}

/** Ends an order that is off the book: it leaves the lists of live orders and is remembered. */
export function closeOrder(core: Core, handle: number, reason: CloseReason): void {
  const { orders, ledger } = core;
  const account = ledger.accounts[orders.account[handle]!]!;
  if (orders.isLive(handle)) unlist(core, handle);
  core.events.push({
    kind: 'order_closed',
    orderId: orders.ids[handle]!,
    account: account.address,
    owner: account.owner,
    conditionId: core.markets[orders.market[handle]!]!.terms.conditionId,
    reason,
    filledLots: (orders.lots[handle]! - orders.remainingLots[handle]!) as Lots, // whole lots
    filledMicros: orders.filledMicros[handle]! as Micros, // a sum of whole micros
  });
  const dropped = core.recent.push(handle);
  if (dropped === NONE) return;
  core.recent.forgottenSeq = Math.max(core.recent.forgottenSeq, orders.acceptedSeq[dropped]!);
  core.ids.delete(dropped);
  orders.free(dropped);
}

function unlist(core: Core, handle: number): void {
  const { orders, ledger } = core;
  const account = orders.account[handle]!;
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  const before = orders.ownerPrevious[handle]!;
  const after = orders.ownerNext[handle]!;
  if (before === NONE) owner.firstOrder = after;
  else orders.ownerNext[before] = after;
  if (after === NONE) owner.lastOrder = before;
  else orders.ownerPrevious[after] = before;
  ledger.liveOrders[account]! -= 1;
  invariant(
    ledger.liveOrders[account]! > 0 || ledger.heldMicros[account] === 0,
    'an account without live orders holds no cash for them',
  );
  core.expiries.delete(handle);
  orders.setLive(handle, false);
}
