/**
 * The whole mutable state of the engine. Commands are functions over it, in the rooms accounts,
 * orders, money and markets. Invariant between commands: a live order is in the queue of its level
 * or in `delayed`, or it is `unfinished`; it is in its owner's list and counted for its account; if
 * it is delayed, or GTD and on the book, it is in `due`; no other order is in the store.
 */

import {
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
import type { OrderFees } from '../fees/order-fees.ts';
import {
  type Answer,
  type Bounds,
  type CloseMarket,
  type Command,
  type EngineEvent,
  type Micros,
  OPEN,
  type OrderTerms,
  type RejectCode,
  type RejectDetails,
  type Rejected,
  type ResolveEvent,
  type ResolveMarket,
  RULES_VERSION,
  type SetStanding,
  type SetTradingState,
} from '../model/index.ts';
import { ApiKeys } from './api-keys.ts';
import { Builders } from './builders.ts';
import { Ledger } from './ledger.ts';
import { Market, type MarketTerms, type NegRiskEvent, type Token } from './market.ts';
import { MoneyKeys } from './money-keys.ts';
import { Positions } from './positions.ts';
import { Redemptions } from './redemptions.ts';
import { Taker } from './taker.ts';

/** What the store does not know of a delayed order. */
export interface DelayedOrder {
  /** Cash of a FOK or FAK BUY; 0 otherwise. */
  readonly budgetMicros: Micros;
  readonly market: Market;
  readonly releaseMs: number;
  /** The cash that it holds; a SELL holds its lots instead. */
  readonly heldMicros: Micros;
  /** Whether its owner's dead man's switch tripped: then what it does not fill is cancelled. */
  isTripped: boolean;
}

/** An order that met as many resting orders as one command does, and could meet more. */
export interface UnfinishedOrder {
  readonly handle: number;
  readonly terms: OrderTerms;
  readonly market: Market;
  /** How far it is matched. */
  readonly taker: Taker;
}

/** The commands that end all orders of a kind before they take effect: orders/clearing.ts. */
export type Clearing = SetTradingState | CloseMarket | ResolveMarket | ResolveEvent | SetStanding;

/** The memory layout of an engine. It never affects events or state. */
export interface MemoryOptions {
  /** Room for this many orders from the start, so that growing never pauses a busy engine. */
  readonly reserveOrders?: number;
  /** The secret seed of the hash tables, against ids that are chosen to collide. */
  readonly hashSeed?: number;
}

const DEFAULT_RESERVED_ORDERS = 1_024;

export class EngineState {
  readonly bounds: Bounds;
  readonly orders: OrderStore;
  /** Maps ids to the handles of live orders, and to `entryOf(place)` of recently closed ones. */
  readonly ids: OrderTable;
  /**
   * The words of the order id that was read last: one array, so that commands allocate none.
   */
  readonly idWords = new Int32Array(ID_WORDS);
  /** Expirations of resting orders. */
  readonly due: DueQueue;
  /** Ends of delays, and expirations before them. */
  readonly releases: DueQueue;
  /** By handle, in order of acceptance; see orders/delayed-orders.ts. */
  readonly delayed = new Map<number, DelayedOrder>();
  readonly ledger: Ledger;
  readonly positions = new Positions();
  readonly redemptions = new Redemptions(this.positions);
  readonly markets: Market[] = [];
  readonly marketByCondition = new Map<string, Market>();
  /** The markets of each event of the catalog, in order of creation. */
  readonly marketsByEvent = new Map<string, Market[]>();
  /** Opened neg-risk events by id, in order of opening. */
  readonly negRiskEvents = new Map<string, NegRiskEvent>();
  readonly #tokens: Token[] = [];
  readonly #tokenTable: TextTable;
  readonly apiKeys = new ApiKeys();
  /** Heartbeat ids of armed dead man's switches by owner, in order of arming. */
  readonly switches = new Map<string, string>();
  /** See idempotency.ts. */
  readonly moneyKeys = new MoneyKeys();
  readonly builders = new Builders();
  /** By handle, for exactly the orders in the store that are charged fees. */
  readonly orderFees = new Map<number, OrderFees>();
  /** The live orders of all owners. */
  liveCount = 0;
  /** Index of the account that collects fees; NONE until a command lets anyone charge fees. */
  feeAccount = NONE;
  readonly recent: RecentOrders;
  /** The order being matched: one object for nearly all orders, so that commands allocate none. */
  taker = new Taker();
  /** Live, but neither on the book nor delayed, and without funds: orders/execute-order.ts. */
  unfinished: UnfinishedOrder | undefined = undefined;
  /** A command that has ended as many orders as one step does, and has more to end. */
  clearing: Clearing | undefined = undefined;
  /** The work that the command may still do; see `Bounds.workPerCommand`. */
  workLeft = Number.POSITIVE_INFINITY;
  /** Markets with a finer tick whose book or terms this command changed, possibly repeated. */
  readonly finerTickCandidates: Market[] = [];
  /** The trading state of the exchange; see model/state-view.ts. */
  status: number = OPEN;
  /** Collateral behind all complete sets and behind tokens of resolved markets. */
  lockedMicros = 0;
  /** The version of the rules in force; see RULES_VERSION. */
  rules = RULES_VERSION;
  /** Seq and time of the last command that changed something. */
  changedSeq = 0;
  changedMs = 0;
  /** Seq, time and events of the current command. */
  seq = 0;
  timeMs = 0;
  events: EngineEvent[] = [];

  constructor(bounds: Bounds, memory: MemoryOptions = {}) {
    const { reserveOrders = DEFAULT_RESERVED_ORDERS, hashSeed = 0 } = memory;
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
    this.releases = new DueQueue(this.orders);
  }

  /** Adds a market whose ids are new. */
  addMarket(terms: MarketTerms): void {
    const market = new Market(this.markets.length, terms, this.orders);
    const { conditionId, eventId } = terms;
    this.markets.push(market);
    this.marketByCondition.set(conditionId, market);
    const siblings = this.marketsByEvent.get(eventId);
    if (siblings !== undefined) siblings.push(market);
    else if (eventId !== '') this.marketsByEvent.set(eventId, [market]);
    for (const token of market.tokens) {
      this.#tokenTable.add(token.tokenId);
      this.#tokens.push(token);
    }
  }

  /** Opens a neg-risk event that is not open. */
  openEvent(event: Pick<NegRiskEvent, 'eventId' | 'noneConditionId' | 'markets'>): void {
    const places = new Map(event.markets.map(({ terms }, place) => [terms.conditionId, place]));
    this.negRiskEvents.set(event.eventId, { ...event, places, winner: undefined });
  }

  /** The entry of a live or recently closed order; NONE for any other text. */
  findOrder(orderId: string): number {
    return readOrderId(orderId, this.idWords) ? this.ids.find(this.idWords) : NONE;
  }

  /** The number of a token, or NONE. */
  findTokenIndex(tokenId: string): number {
    return this.#tokenTable.find(tokenId);
  }

  findToken(tokenId: string): Token | undefined {
    return this.#tokens[this.#tokenTable.find(tokenId)];
  }

  /** The token with a number; undefined for NONE. */
  token(index: number): Token | undefined {
    return this.#tokens[index];
  }
}

/** The answer to a command that is refused. */
export function refusal(code: RejectCode, details: RejectDetails): Rejected {
  return { kind: 'rejected', code, ...details };
}

/** Answers that the command is refused. Returns false, so that a check can end with it. */
export function reject(state: EngineState, code: RejectCode, details: RejectDetails): false {
  state.events.push(refusal(code, details));
  return false;
}

/** Answers with the fault that a check returned, if it found one. Returns whether it found none. */
export function passes(state: EngineState, fault: Answer | undefined): boolean {
  if (fault !== undefined) state.events.push(fault);
  return fault === undefined;
}

/** Answers that what a command asks for is already the case. Returns false, like `reject`. */
export function answerKnown(state: EngineState, command: Command['kind']): false {
  state.events.push({ kind: 'known', command });
  return false;
}

/** The market with a condition id; rejects an unknown one. */
export function findMarket(state: EngineState, conditionId: string): Market | undefined {
  const market = state.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(state, 'market_unknown', { field: 'conditionId', actual: conditionId });
  }
  return market;
}

/** The opened neg-risk event with an id; rejects any other. */
export function findOpenedEvent(state: EngineState, eventId: string): NegRiskEvent | undefined {
  const event = state.negRiskEvents.get(eventId);
  if (event !== undefined) return event;
  const code = state.marketsByEvent.has(eventId) ? 'event_not_sealed' : 'event_unknown';
  reject(state, code, { field: 'eventId', actual: eventId });
  return undefined;
}
