/**
 * One owner on the user channel: its live orders and balances as they were published, its sequence,
 * and the messages kept for resumes.
 *
 * Invariant: the sequence counts the owner's steps, whatever its listeners filter. Each message of
 * an order, a trade or a balance is a step. The feed is the engine's state at `openSeq`, the end of
 * a batch, changed by the durable commands since. It begins with the engine's count of steps there
 * (engine/steps/step-counts.ts), so that a step has the same number in every process that applies
 * the same batches.
 * Bound: the owner's live orders and assets, and the bytes of the ring.
 */
import { strict as assert } from 'node:assert';
import type { OrderClosed, OwnerCopy, PlaceOrder } from '../../../engine/index.ts';
import type { TradeHead } from '../../../persistence/index.ts';
import type { OutcomeLabels, TradeStatus } from '../../format/index.ts';
import type { TokenEntry } from '../../views/index.ts';
import type { StreamContext } from '../delivery/context.ts';
import { ALL_AT_ONCE } from '../delivery/faults.ts';
import { type KeptMessage, MessageRing } from '../delivery/message-ring.ts';
import type { Stamp } from '../delivery/messages.ts';
import {
  closedStatus,
  filledOrder,
  placedOrder,
  restingOrder,
  type TrackedOrder,
} from './order.ts';
import {
  type AssetBalance,
  balanceMessage,
  makersText,
  type OrderStep,
  orderMessage,
  ownerSignal,
  type TradeStep,
  tradeMessage,
  withKey,
} from './texts.ts';

export interface OwnerFeedContext extends StreamContext {
  readonly labelsOf: (conditionId: string) => OutcomeLabels;
  /** YES token and NO token of a durable market. */
  readonly tokenIdsOf: (conditionId: string) => readonly [string, string];
  readonly marketOf: (tokenId: string) => string;
  readonly tradesPerOrder: number;
  readonly largeOwner: number;
}

/** A listener with a filter. It is passed every message. */
export interface FilteredListener {
  /** Returns whether the message passed the filter. */
  deliver(message: KeptMessage): boolean;
  heartbeat(text: string): void;
}

/** The engine's state at the end of a batch. */
export interface OwnerStart {
  readonly state: OwnerCopy;
  readonly openSeq: number;
  /** The steps until then: the first one of the feed has the next sequence. */
  readonly steps: number;
}

/** A trade that has become durable, with what its messages say to every party. */
export type FollowedTrade = Omit<TradeStep, 'status' | 'toldMs' | 'isTaker' | 'isOwn'>;
/** The same without the ids of its market. */
export type ToldTrade = Omit<FollowedTrade, 'conditionId' | 'tokenIds'>;

export class OwnerFeed {
  readonly owner: string;
  /** The seq of the feed's first state; Infinity while it has none. */
  openSeq = Number.POSITIVE_INFINITY;
  readonly accounts = new Set<string>();
  /** Whether its first state has so many orders that each part of its beginning needs a turn. */
  isLarge = false;
  /** Whether all orders of its first state are noted, so that clients may be shown them. */
  isRead = false;
  readonly #index: number;
  readonly #context: OwnerFeedContext;
  #ring: MessageRing;
  readonly #orders = new Map<string, TrackedOrder>();
  /** By account and token. */
  readonly #balances = new Map<string, AssetBalance>();
  /** The topic of each API key that a socket authenticated with. */
  readonly #topics = new Map<string, string>();
  /** The time of the last message to each listener with a filter. */
  readonly #filtered = new Map<FilteredListener, number>();
  /** The number of the owner's open sockets, subscribed or not. */
  #sockets = 0;
  /** The first state; its orders until they are all noted. */
  #state: OwnerCopy | undefined;
  #isOpen = false;
  #sequence = 0;
  #lastMessageMs: number;
  #idleSinceMs: number | undefined;

  /** `index` is the owner's number, which is part of its topic names. */
  constructor(owner: string, index: number, context: OwnerFeedContext) {
    this.owner = owner;
    this.#index = index;
    this.#context = context;
    this.#ring = new MessageRing(context.rings, 0, false);
    this.#lastMessageMs = context.monotonicMs();
  }

  /** Whether the feed's first state is durable. What changes from then on is published. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Gives the feed its first state, which may not be durable yet. */
  begin({ state, openSeq, steps }: OwnerStart): void {
    for (const { address } of state.accounts) this.accounts.add(address);
    this.openSeq = openSeq;
    this.isLarge = state.orders.left > this.#context.largeOwner;
    this.#state = state;
    this.#sequence = steps;
    this.#ring = new MessageRing(this.#context.rings, steps, false);
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** The stamp of a message made now. */
  get stamp(): Stamp {
    const { streamId, now } = this.#context;
    return { sequence: this.#sequence, streamId: streamId(), serverMs: now() };
  }

  get orders(): Iterable<TrackedOrder> {
    return this.#orders.values();
  }

  get balances(): Iterable<AssetBalance> {
    return this.#balances.values();
  }

  /** Fills the feed with its first state, but for the orders. Called when that state is durable. */
  open(): void {
    assert(this.#state !== undefined, 'a feed begins before it opens');
    this.#isOpen = true;
    const { accounts } = this.#state;
    for (const { address: account, availableMicros, heldMicros, positions } of accounts) {
      const cash = { tokenId: '', conditionId: '', available: availableMicros, held: heldMicros };
      this.#noteBalance({ account, ...cash });
      for (const { conditionId, outcome, availableLots, heldLots } of positions) {
        const tokenId = this.#context.tokenIdsOf(conditionId)[outcome];
        const tokens = { available: availableLots, held: heldLots };
        this.#noteBalance({ account, tokenId, conditionId, ...tokens });
      }
    }
  }

  /** Notes up to `most` orders of the first state. Called until `isRead`, after `open`. */
  read(most: number): void {
    assert(this.#state !== undefined, 'a feed is read once');
    const { orders } = this.#state;
    for (const order of orders.take(most)) this.#orders.set(order.orderId, restingOrder(order));
    if (orders.left > 0) return;
    this.#state = undefined;
    this.isRead = true;
  }

  placed(command: PlaceOrder, token: TokenEntry, timeMs: number, isDelayed: boolean): void {
    const { market, outcome } = token;
    const order = placedOrder(command, { conditionId: market.conditionId, outcome }, timeMs);
    const placed = isDelayed ? ({ ...order, status: 'DELAYED' } as const) : order;
    this.#publishOrder(placed, { type: 'PLACEMENT', timeMs, reason: '' });
  }

  /** Publishes that an order's delay is over and that it rests unchanged. */
  released(orderId: string, timeMs: number): void {
    const order = this.#orderOf(orderId);
    if (order?.status !== 'DELAYED') return;
    this.#publishOrder({ ...order, status: 'LIVE' }, { type: 'UPDATE', timeMs, reason: '' });
  }

  /** Publishes the owner's orders in a trade, then the trade. `closing`: orders that now end. */
  traded(step: FollowedTrade, closing: ReadonlyMap<string, OrderClosed>): void {
    const { trade, timeMs } = step;
    const isOwn = (account: string): boolean => this.accounts.has(account);
    if (isOwn(takerOf(trade))) this.#fill(trade, trade.takerOrderId, timeMs, closing);
    for (const { makerOrderId, makerAccount } of trade.fills) {
      if (isOwn(makerAccount)) this.#fill(trade, makerOrderId, timeMs, closing);
    }
    const { faults } = this.#context;
    const statuses = faults.isOn ? faults.toldAtOnce(trade.tradeId) : ALL_AT_ONCE;
    this.told(step, statuses, timeMs);
  }

  told(step: FollowedTrade, statuses: readonly TradeStatus[], toldMs: number): void {
    const isOwn = (account: string): boolean => this.accounts.has(account);
    const isTaker = isOwn(takerOf(step.trade));
    const labels = this.#context.labelsOf(step.conditionId);
    const tokenIds = tokensOf(step, isTaker, isOwn);
    const makers = makersText({ ...step, isOwn }, labels);
    for (const status of statuses) {
      this.#step(tokenIds, (stamp) =>
        tradeMessage({ ...step, status, toldMs, isTaker, isOwn, makers }, labels, stamp),
      );
    }
  }

  #fill(
    trade: TradeHead,
    orderId: string,
    timeMs: number,
    closing: ReadonlyMap<string, OrderClosed>,
  ): void {
    const order = this.#orderOf(orderId);
    assert(order !== undefined, 'an order that trades is live');
    const size = sizeIn(trade, orderId);
    const limit = this.#context.tradesPerOrder;
    const filled = filledOrder(order, size, trade.tradeId, limit);
    const closed = closing.get(orderId);
    const isDone = closed?.filledLots === filled.filledLots && closedStatus(closed) === 'MATCHED';
    const updated = isDone ? ({ ...filled, status: 'MATCHED' } as const) : filled;
    this.#publishOrder(updated, { type: 'UPDATE', timeMs, reason: '' });
  }

  /** Publishes an order's end, unless the message of its last trade already said MATCHED. */
  closed(event: OrderClosed, timeMs: number): void {
    const order = this.#orderOf(event.orderId);
    assert(order !== undefined, 'an order that ends is live');
    const status = closedStatus(event);
    const { reason } = event;
    if (reason !== 'matched' && status !== 'MATCHED') {
      this.#publishOrder({ ...order, status }, { type: 'CANCELLATION', timeMs, reason });
    }
    this.#orders.delete(event.orderId);
  }

  /** Publishes a balance that a batch changed, to clients with custom features. */
  balance(balance: AssetBalance, timeMs: number): void {
    const { tokenId } = balance;
    this.#noteBalance(balance);
    const tokenIds = tokenId === '' ? [] : [tokenId];
    this.#step(tokenIds, (stamp) => balanceMessage(balance, timeMs, stamp), true);
  }

  /** The messages after `sequence`; undefined if it is of another stream or some are not kept. */
  missed(streamId: string, sequence: number): readonly KeptMessage[] | undefined {
    const isKnown = streamId === this.#context.streamId() && sequence <= this.#sequence;
    if (!isKnown || !this.#ring.reaches(sequence, false)) return undefined;
    return [...this.#ring.after(sequence, () => true)];
  }

  labelsOf(conditionId: string): OutcomeLabels {
    return this.#context.labelsOf(conditionId);
  }

  /**
   * The topic for listeners that authenticated with this API key and set no filter. Those with
   * custom features listen to its `extraTopic` too.
   */
  topicOf(apiKey: string): string {
    const known = this.#topics.get(apiKey);
    if (known !== undefined) return known;
    const topic = `u${this.#index}.${this.#topics.size}`;
    this.#topics.set(apiKey, topic);
    return topic;
  }

  get sockets(): number {
    return this.#sockets;
  }

  addSocket(): void {
    this.#sockets += 1;
    this.#idleSinceMs = undefined;
  }

  dropSocket(): void {
    this.#sockets -= 1;
  }

  addFiltered(listener: FilteredListener): void {
    this.#filtered.set(listener, this.#context.monotonicMs());
  }

  dropFiltered(listener: FilteredListener): void {
    this.#filtered.delete(listener);
  }

  /** Sends due heartbeats. Returns whether the owner has had no sockets for `ringKeepMs`. */
  sweep(): boolean {
    const { monotonicMs, heartbeatMs, ringKeepMs } = this.#context;
    const nowMs = monotonicMs();
    if (this.#sockets === 0) {
      this.#idleSinceMs ??= nowMs;
      return nowMs - this.#idleSinceMs >= ringKeepMs;
    }
    if (this.isOpen && nowMs - this.#lastMessageMs >= heartbeatMs) this.#sendHeartbeats(nowMs);
    for (const [listener, lastMs] of this.#filtered) {
      if (nowMs - lastMs < heartbeatMs) continue;
      this.#filtered.set(listener, nowMs);
      listener.heartbeat(ownerSignal('heartbeat', this.stamp, {}));
    }
    return false;
  }

  /** Drops the kept messages. */
  clear(): void {
    this.#ring.clear();
  }

  #sendHeartbeats(nowMs: number): void {
    this.#lastMessageMs = nowMs;
    const text = ownerSignal('heartbeat', this.stamp, {});
    for (const topic of this.#topics.values()) this.#publish(extraTopic(topic), text);
  }

  /** A live order. It may be one of the first state that is not noted yet. */
  #orderOf(orderId: string): TrackedOrder | undefined {
    const known = this.#orders.get(orderId);
    if (known !== undefined) return known;
    const order = this.#state?.orders.takeById(orderId);
    if (order === undefined) return undefined;
    const tracked = restingOrder(order);
    this.#orders.set(orderId, tracked);
    return tracked;
  }

  #publishOrder(order: TrackedOrder, step: OrderStep): void {
    this.#orders.set(order.orderId, order);
    const labels = this.#context.labelsOf(order.conditionId);
    this.#step([order.tokenId], (stamp) => orderMessage(order, labels, step, stamp));
  }

  /** A token balance of zero is not kept. */
  #noteBalance(balance: AssetBalance): void {
    const { tokenId, available, held } = balance;
    if (tokenId !== '' && available + held === 0) this.#balances.delete(nameOf(balance));
    else this.#balances.set(nameOf(balance), balance);
  }

  /** Counts a step, keeps and publishes its message. Without tokens it passes every filter. */
  #step(tokenIds: readonly string[], textFor: (stamp: Stamp) => string, isExtra = false): void {
    this.#sequence += 1;
    const nowMs = this.#context.monotonicMs();
    this.#lastMessageMs = nowMs;
    const text = textFor(this.stamp);
    const message = this.#ring.add(this.#sequence, undefined, text, { tokenIds, isExtra });
    for (const [apiKey, plain] of this.#topics) {
      const topic = isExtra ? extraTopic(plain) : plain;
      if (!this.leavesOut(message, apiKey, topic)) this.#publish(topic, text, apiKey);
    }
    for (const listener of this.#filtered.keys()) {
      if (listener.deliver(message)) this.#filtered.set(listener, nowMs);
    }
  }

  /**
   * Whether a fault keeps a message from the listeners of an API key, or from one with a filter.
   */
  leavesOut(message: KeptMessage, apiKey: string, topic?: string): boolean {
    const { faults, hasListeners, marketOf } = this.#context;
    if (!faults.isOn || (topic !== undefined && !hasListeners(topic))) return false;
    const { sequence, tokenIds } = message;
    const [conditionId = ''] = tokenIds.map(marketOf);
    return faults.leavesOut({ channel: 'user', conditionId, owner: this.owner, apiKey, sequence });
  }

  #publish(topic: string, text: string, apiKey = ''): void {
    const { hasListeners, publish } = this.#context;
    if (hasListeners(topic)) publish(topic, withKey(text, apiKey));
  }
}

/** The topic of what only clients with custom features get: balances and heartbeats. */
export function extraTopic(topic: string): string {
  return `${topic}+`;
}

function takerOf({ fills }: TradeHead): string {
  return fills[0]?.takerAccount ?? '';
}

function nameOf({ account, tokenId }: AssetBalance): string {
  return `${account}/${tokenId}`;
}

function sizeIn({ takerOrderId, lots, fills }: TradeHead, orderId: string): TradeHead['lots'] {
  if (orderId === takerOrderId) return lots;
  const fill = fills.find(({ makerOrderId }) => makerOrderId === orderId);
  assert(fill !== undefined, 'a maker of a trade has a fill in it');
  return fill.lots;
}

/** The tokens of the owner's orders in a trade. */
function tokensOf(
  { trade, tokenIds }: Pick<TradeStep, 'trade' | 'tokenIds'>,
  isTaker: boolean,
  isOwn: (account: string) => boolean,
): readonly string[] {
  const found = new Set<string>();
  for (const { takerOutcome, makerOutcome, makerAccount } of trade.fills) {
    if (isTaker) found.add(tokenIds[takerOutcome]);
    if (isOwn(makerAccount)) found.add(tokenIds[makerOutcome]);
  }
  return [...found];
}
