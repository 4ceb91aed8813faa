/**
 * The engine's state, and the few ways of changing an order that more than one command has.
 * Commands are functions over a `Core` in files of their own. Invariant: between two commands
 * every live order is in its level's queue or in `delayed`, in its owner's list, counted for its
 * account, and in the queue of what is due if it is delayed or GTD; no other order is in the store.
 */

import {
  Book,
  DueQueue,
  ID_WORDS,
  NONE,
  OrderStore,
  OrderTable,
  placeOf,
  RecentOrders,
  readOrderId,
  TextTable,
} from '../book/index.ts';
import type {
  Bounds,
  CloseReason,
  CreateMarket,
  EngineEvent,
  IdempotencyKeyState,
  OrderClosed,
  Outcome,
  PlaceOrder,
  RejectCode,
  RejectDetails,
  TradingTerms,
} from '../model/index.ts';
import {
  cashFor,
  invariant,
  type Lots,
  type Micros,
  ONE_TICKS,
  OPEN,
  RULES_VERSION,
} from '../model/index.ts';
import { ApiKeys } from './api-keys.ts';
import { type Builder, MarketFees } from './fee-schedules.ts';
import { Ledger, Positions } from './ledger.ts';
import type { OrderFees } from './order-fees.ts';
import { Redemptions } from './redemptions.ts';
import { Taker } from './taker.ts';

/** Whatever its creation left out is zero here. */
export type MarketTerms = Omit<CreateMarket, 'kind' | keyof TradingTerms> & TradingTerms;

export class Market {
  readonly index: number;
  /** As it was created, so that its creation asked for again is known. */
  readonly original: MarketTerms;
  /** In force. */
  terms: MarketTerms;
  /** By the terms in force. */
  fees: MarketFees;
  readonly book: Book;
  /** YES, NO. */
  readonly tokens: readonly [Token, Token];
  /** Complete sets in existence; the collateral locked is one unit each. */
  setsLots = 0;
  /** See market-status.ts. */
  status: number = OPEN;
  /** What a YES lot pays, once the market is resolved; NONE before. */
  payoutTicks: number = NONE;
  /** What its tokens are worth together, once it is resolved; their sets count no more then. */
  owedMicros = 0;
  /** Converted in its neg-risk event: NO that is missing, the same in all the event's markets. */
  bundlesLots = 0;

  constructor(index: number, terms: MarketTerms, orders: OrderStore) {
    this.index = index;
    this.original = terms;
    this.terms = terms;
    this.fees = new MarketFees(terms);
    this.book = new Book(orders, terms.tickTicks);
    const [yes, no] = terms.tokenIds;
    this.tokens = [
      { tokenId: yes, market: this, outcome: 0 },
      { tokenId: no, market: this, outcome: 1 },
    ];
  }
}

/** One side of a market: what a token id stands for. */
export interface Token {
  readonly tokenId: string;
  readonly market: Market;
  readonly outcome: Outcome;
}

/** An order that waits: what it takes to execute it later. */
export interface DelayedOrder {
  readonly command: PlaceOrder;
  readonly market: Market;
  readonly releaseMs: number;
  /** What it holds of cash; a SELL holds its lots instead. */
  readonly heldMicros: Micros;
  /** Its owner's dead man's switch tripped meanwhile: nothing of it comes to rest. */
  isTripped: boolean;
}

/** A neg-risk event that was opened; see neg-risk-event.ts. */
export interface NegRiskEvent {
  readonly eventId: string;
  readonly noneConditionId: string;
  /** All it will ever have, in order of creation. */
  readonly markets: readonly Market[];
  /** Condition id to place among them. */
  readonly places: ReadonlyMap<string, number>;
  /** The one that resolved to YES. */
  winner: Market | undefined;
}

/** How an engine is laid out in memory; nothing that it does depends on it. */
export interface MemoryOptions {
  /** Orders there is room for at once, so that growing never pauses a busy engine. */
  readonly reserveOrders?: number;
  /** A number that nobody outside knows, against ids chosen to collide. */
  readonly hashSeed?: number;
}

/** Orders there is room for when nothing is said. */
const RESERVED_ORDERS = 1_024;

export class Core {
  readonly bounds: Bounds;
  readonly orders: OrderStore;
  /** Finds live orders by handle, recently closed ones by `entryOf` their place. */
  readonly ids: OrderTable;
  /** The words of the one order id in hand: reused, because a new record an id would be garbage. */
  readonly idWords = new Int32Array(ID_WORDS);
  readonly due: DueQueue;
  /** By handle, in order of acceptance; see delayed-orders.ts. */
  readonly delayed = new Map<number, DelayedOrder>();
  readonly ledger: Ledger;
  readonly positions = new Positions();
  readonly redemptions = new Redemptions(this.positions);
  readonly markets: Market[] = [];
  readonly marketByCondition = new Map<string, Market>();
  /** The markets of each catalog event that has some, in order of creation. */
  readonly marketsByEvent = new Map<string, Market[]>();
  /** By event id, in order of opening. */
  readonly negRiskEvents = new Map<string, NegRiskEvent>();
  readonly #tokens: Token[] = [];
  readonly #tokenTable: TextTable;
  readonly apiKeys = new ApiKeys();
  /** Owner to heartbeat id of the armed dead man's switches, in order of arming. */
  readonly switches = new Map<string, string>();
  readonly idempotencyKeys = new Map<string, IdempotencyKeyState>();
  /** Those of them that are not of redemptions. */
  boundedKeyCount = 0;
  /** By code, in order of being set first. */
  readonly builders = new Map<string, Builder>();
  /** By handle: of orders in the store that are charged fees, and of no others. */
  readonly orderFees = new Map<number, OrderFees>();
  /** Index of the account that they are collected in; NONE until something charges any. */
  feeAccount = NONE;
  readonly recent: RecentOrders;
  /** The one order being matched: reused, because a new record an order would be garbage. */
  readonly taker = new Taker();
  /**
   * Markets with a finer step to come whose book or terms the command in hand has changed; one may
   * be there several times.
   */
  readonly finerCandidates: Market[] = [];
  /** The exchange's, one of the trading states of market-status.ts. */
  status: number = OPEN;
  /** Collateral behind all complete sets, and behind what is owed for resolved markets. */
  lockedMicros = 0;
  /** Those that commands are judged by now. */
  rules = RULES_VERSION;
  /** Of the last command that changed something. */
  changedSeq = 0;
  changedMs = 0;
  /** Of the command in hand. */
  seq = 0;
  timeMs = 0;
  events: EngineEvent[] = [];

  constructor(
    bounds: Bounds,
    { reserveOrders = RESERVED_ORDERS, hashSeed: hashSeed = 0 }: MemoryOptions = {},
  ) {
    this.bounds = bounds;
    this.orders = new OrderStore(reserveOrders);
    this.recent = new RecentOrders(bounds.recentOrders);
    const { orders, recent } = this;
    this.ids = new OrderTable(
      (entry, id) => (entry >= 0 ? orders.hasId(entry, id) : recent.hasId(placeOf(entry), id)),
      { capacity: reserveOrders + Math.min(reserveOrders, bounds.recentOrders), seed: hashSeed },
    );
    this.ledger = new Ledger(hashSeed);
    this.#tokenTable = new TextTable(hashSeed);
    this.due = new DueQueue(this.orders);
  }

  /** Makes a market that is not there yet. */
  addMarket(terms: MarketTerms): void {
    const market = new Market(this.markets.length, terms, this.orders);
    this.markets.push(market);
    this.marketByCondition.set(terms.conditionId, market);
    this.#addToEvent(market);
    for (const token of market.tokens) {
      this.#tokenTable.add(token.tokenId);
      this.#tokens.push(token);
    }
  }

  #addToEvent(market: Market): void {
    const { eventId } = market.terms;
    const siblings = this.marketsByEvent.get(eventId);
    if (siblings !== undefined) siblings.push(market);
    else if (eventId !== '') this.marketsByEvent.set(eventId, [market]);
  }

  /** Opens a neg-risk event that is not open yet. */
  openEvent(event: Pick<NegRiskEvent, 'eventId' | 'noneConditionId' | 'markets'>): void {
    const places = new Map(event.markets.map(({ terms }, place) => [terms.conditionId, place]));
    this.negRiskEvents.set(event.eventId, { ...event, places, winner: undefined });
  }

  /** The live or recently closed order of an id; NONE for none, and for what is no order id. */
  findOrder(orderId: string): number {
    return readOrderId(orderId, this.idWords) ? this.ids.find(this.idWords) : NONE;
  }

  findToken(tokenId: string): Token | undefined {
    const entry = this.#tokenTable.find(tokenId);
    return entry === NONE ? undefined : this.#tokens[entry];
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
  const { setsLots, bundlesLots, index } = market;
  invariant(bestAsk === NONE || bestBid < bestAsk, 'no book is crossed');
  invariant(
    core.positions.supply(index, 0) === setsLots &&
      core.positions.supply(index, 1) === setsLots - bundlesLots,
    'YES held = complete sets, NO held = complete sets - bundles converted',
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

/** Has a market looked at after the command, where a finer step is to come (finer-tick.ts). */
export function noteCandidate(core: Core, market: Market): void {
  if (market.terms.finerTickTicks === 0) return;
  const { finerCandidates } = core;
  // Most commands change one market, level by level.
  if (finerCandidates[finerCandidates.length - 1] !== market) finerCandidates.push(market);
}

/** Says what a level of the book holds now: every change of a book comes here. */
export function reportLevel(core: Core, market: Market, level: number, isBid: boolean): void {
  noteCandidate(core, market);
  core.events.push({
    kind: 'level_changed',
    conditionId: market.terms.conditionId,
    side: isBid ? 'bid' : 'ask',
    priceTicks: market.book.priceOf(level),
    lots: market.book.lotsAt(level) as Lots, // a sum of whole lots
  });
}

/** Takes a resting order off the book, gives back what it holds, and closes it. */
export function closeResting(
  core: Core,
  handle: number,
  reason: CloseReason,
  orderId?: string,
): void {
  const { orders } = core;
  const market = core.markets[orders.market(handle)]!;
  market.book.delete(handle);
  releaseHold(core, handle);
  closeOrder(core, handle, reason, orderId);
}

/** The same, and says what is left at its level: for everything outside matching. */
export function cancelResting(
  core: Core,
  handle: number,
  reason: CloseReason,
  orderId?: string,
): void {
  const market = core.markets[core.orders.market(handle)]!;
  const level = market.book.levelOf(core.orders.bookTicks(handle));
  const isBid = core.orders.isBid(handle);
  closeResting(core, handle, reason, orderId);
  reportLevel(core, market, level, isBid);
}

/** Holds what a resting order needs: its cost at its own price, or its tokens. */
function holdFor(core: Core, handle: number): void {
  const { orders } = core;
  const remaining = orders.remainingLots(handle);
  if (orders.isSell(handle)) {
    core.positions.hold(orders.position(handle), orders.outcome(handle), remaining);
  } else {
    core.ledger.hold(orders.account(handle), holdMicros(core, handle));
  }
}

function releaseHold(core: Core, handle: number): void {
  const { orders } = core;
  const remaining = orders.remainingLots(handle);
  if (orders.isSell(handle)) {
    core.positions.release(orders.position(handle), orders.outcome(handle), remaining);
  } else {
    core.ledger.release(orders.account(handle), holdMicros(core, handle));
  }
}

/** Cash that a resting BUY holds: its price, and the fees that it will be charged at it. */
export function holdMicros({ orders, orderFees }: Core, handle: number): Micros {
  const remaining = orders.remainingLots(handle);
  const cash = cashFor(remaining, orders.priceTicks(handle));
  if (!orders.hasFees(handle)) return cash;
  return (cash + orderFees.get(handle)!.restMicros(remaining)) as Micros; // whole micros
}

/** Puts an accepted order on the book, and into every list a live order is in. */
export function restOrder(core: Core, market: Market, handle: number): void {
  const { orders } = core;
  holdFor(core, handle);
  market.book.add(handle);
  // One that was delayed is live already, at the place of its acceptance.
  if (!orders.isLive(handle)) enlist(core, handle);
  if (orders.type(handle) === 'GTD') core.due.add(handle, orders.expiresAtMs(handle));
}

/** Puts an order that was just accepted among its owner's live ones. */
export function enlist(core: Core, handle: number): void {
  const { orders, ledger } = core;
  const account = orders.account(handle);
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  orders.setLive(handle, true);
  ledger.liveOrders[account]! += 1;
  orders.setOwnerPrevious(handle, owner.lastOrder);
  if (owner.lastOrder === NONE) owner.firstOrder = handle;
  else orders.setOwnerNext(owner.lastOrder, handle);
  owner.lastOrder = handle;
}

/**
 * Ends an order that is off the book: it leaves the lists of live orders and is remembered. The
 * text of its id is made where the caller has none.
 */
export function closeOrder(
  core: Core,
  handle: number,
  reason: CloseReason,
  orderId: string = core.orders.id(handle),
): void {
  const { orders, ledger } = core;
  const account = ledger.accounts[orders.account(handle)]!;
  if (orders.isLive(handle)) unlist(core, handle);
  const closed: OrderClosed = {
    kind: 'order_closed',
    orderId,
    account: account.address,
    owner: account.owner,
    conditionId: core.markets[orders.market(handle)]!.terms.conditionId,
    reason,
    filledLots: (orders.lots(handle) - orders.remainingLots(handle)) as Lots, // whole lots
    filledMicros: orders.filledMicros(handle),
  };
  const feeMicros = orders.hasFees(handle) ? forgetFees(core, handle) : 0;
  core.events.push(feeMicros === 0 ? closed : { ...closed, feeMicros });
  core.recent.take(orders, core.ids, handle);
}

/** Lets go of what an order was charged by; returns what it was charged. */
function forgetFees({ orderFees }: Core, handle: number): Micros {
  const { chargedMicros } = orderFees.get(handle)!;
  orderFees.delete(handle);
  return chargedMicros;
}

function unlist(core: Core, handle: number): void {
  const { orders, ledger } = core;
  const account = orders.account(handle);
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  const before = orders.ownerPrevious(handle);
  const after = orders.ownerNext(handle);
  if (before === NONE) owner.firstOrder = after;
  else orders.setOwnerNext(before, after);
  if (after === NONE) owner.lastOrder = before;
  else orders.setOwnerPrevious(after, before);
  ledger.liveOrders[account]! -= 1;
  invariant(
    ledger.liveOrders[account]! > 0 || ledger.heldMicros[account] === 0,
    'an account without live orders holds no cash for them',
  );
  core.due.delete(handle);
  orders.setLive(handle, false);
}
