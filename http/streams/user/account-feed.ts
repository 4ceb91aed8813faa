/**
 * One owner on the user channel: its live orders and balances as far as they were told, its
 * sequence, and what is kept for those who come back.
 *
 * Invariant: the sequence counts the owner's steps, whatever its listeners filter: each message of
 * an order, a trade or a balance is one. What it knows is what the engine had at `openSeq`, and
 * what durable commands did since.
 * Bound: the owner's live orders and assets; the ring's bytes.
 */
import { strict as assert } from 'node:assert';
import type { OrderClosed, OwnerState, PlaceOrder } from '../../../engine/index.ts';
import type { TradeHead } from '../../../persistence/index.ts';
import type { OutcomeLabels } from '../../codec/index.ts';
import type { TokenEntry } from '../../views/index.ts';
import type { StreamContext } from '../delivery/index.ts';
import { type KeptMessage, MessageRing } from '../delivery/index.ts';
import type { Stamp } from '../market/index.ts';
import {
  type AccountOrder,
  closedStatus,
  filledOrder,
  placedOrder,
  restingOrder,
} from './account-order.ts';
import {
  type AssetBalance,
  accountSignal,
  balanceMessage,
  type OrderStep,
  orderMessage,
  type TradeStep,
  tradeMessage,
  withKey,
} from './account-texts.ts';

/** What all feeds of owners share. */
export interface AccountContext extends StreamContext {
  readonly labelsOf: (conditionId: string) => OutcomeLabels;
  /** YES token, NO token, of a market that is durable. */
  readonly tokenIdsOf: (conditionId: string) => readonly [string, string];
  readonly tradesPerOrder: number;
}

/** One who does not listen to everything, and is asked about each message. */
export interface PickyListener {
  /** Returns whether it wanted the message. */
  hear(message: KeptMessage): boolean;
  beat(text: string): void;
}

interface FeedStart {
  readonly owner: string;
  /** Tells its topics from those of others. */
  readonly index: number;
  /** What the engine had at `openSeq`. */
  readonly state: OwnerState;
  readonly openSeq: number;
  /** Of the last step before it. */
  readonly sequence: number;
}

const TRADE_STATUSES = ['MATCHED', 'MINED', 'CONFIRMED'] as const;

export class AccountFeed {
  readonly owner: string;
  readonly openSeq: number;
  readonly accounts: Set<string>;
  readonly #index: number;
  readonly #context: AccountContext;
  readonly #ring: MessageRing;
  readonly #orders = new Map<string, AccountOrder>();
  /** By account and token. */
  readonly #balances = new Map<string, AssetBalance>();
  /** Of each key that somebody came with. */
  readonly #topics = new Map<string, string>();
  /** When each was told something last: to one who wants little, a busy owner is quiet. */
  readonly #picky = new Map<PickyListener, number>();
  /** Sockets of the owner, whether they listen yet or not. */
  #sockets = 0;
  #state: OwnerState | undefined;
  #sequence: number;
  #lastMessageMs: number;
  #idleSinceMs: number | undefined;

  constructor({ owner, index, state, openSeq, sequence }: FeedStart, context: AccountContext) {
    this.owner = owner;
    this.openSeq = openSeq;
    this.accounts = new Set(state.accounts.map(({ address }) => address));
    this.#index = index;
    this.#context = context;
    this.#state = state;
    this.#sequence = sequence;
    this.#ring = new MessageRing(context.rings, sequence, false);
    this.#lastMessageMs = context.monotonicMs();
  }

  /** Whether what it started with is durable, so that it may be shown. */
  get isOpen(): boolean {
    return this.#state === undefined;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Of a message made now. */
  get stamp(): Stamp {
    const { streamId, now } = this.#context;
    return { sequence: this.#sequence, streamId: streamId(), serverMs: now() };
  }

  get orders(): Iterable<AccountOrder> {
    return this.#orders.values();
  }

  get balances(): Iterable<AssetBalance> {
    return this.#balances.values();
  }

  /** What it started with is durable. */
  open(): void {
    const { accounts, orders } = this.#state ?? { accounts: [], orders: [] };
    this.#state = undefined;
    for (const order of orders) this.#orders.set(order.orderId, restingOrder(order));
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

  placed(command: PlaceOrder, token: TokenEntry, timeMs: number, isDelayed: boolean): void {
    const { market, outcome } = token;
    const order = placedOrder(command, { conditionId: market.conditionId, outcome }, timeMs);
    const told = isDelayed ? ({ ...order, status: 'DELAYED' } as const) : order;
    this.#tellOrder(told, { type: 'PLACEMENT', timeMs, reason: '' });
  }

  /** A delay is over, and the order rests as it was. */
  released(orderId: string, timeMs: number): void {
    const order = this.#orders.get(orderId);
    if (order?.status !== 'DELAYED') return;
    this.#tellOrder({ ...order, status: 'LIVE' }, { type: 'UPDATE', timeMs, reason: '' });
  }

  /** What a trade made of its orders, then the trade; `closing` has what ends in its command. */
  traded(
    step: Omit<TradeStep, 'status' | 'isTaker' | 'isOwn'>,
    closing: ReadonlyMap<string, OrderClosed>,
  ): void {
    const { trade, timeMs } = step;
    const isOwn = (account: string): boolean => this.accounts.has(account);
    const isTaker = isOwn(trade.fills[0]?.takerAccount ?? '');
    if (isTaker) this.#fill(trade, trade.takerOrderId, timeMs, closing);
    for (const { makerOrderId, makerAccount } of trade.fills) {
      if (isOwn(makerAccount)) this.#fill(trade, makerOrderId, timeMs, closing);
    }
    const tokenIds = tokensOf(step, isTaker, isOwn);
    const labels = this.#context.labelsOf(step.conditionId);
    for (const status of TRADE_STATUSES) {
      this.#step(tokenIds, (stamp) =>
        tradeMessage({ ...step, status, isTaker, isOwn }, labels, stamp),
      );
    }
  }

  #fill(
    trade: TradeHead,
    orderId: string,
    timeMs: number,
    closing: ReadonlyMap<string, OrderClosed>,
  ): void {
    const order = this.#orders.get(orderId);
    assert(order !== undefined, 'an order that trades is live');
    const size = sizeIn(trade, orderId);
    const limit = this.#context.tradesPerOrder;
    const filled = filledOrder(order, size, trade.tradeId, limit);
    const closed = closing.get(orderId);
    const isDone = closed?.filledLots === filled.filledLots && closedStatus(closed) === 'MATCHED';
    const told = isDone ? ({ ...filled, status: 'MATCHED' } as const) : filled;
    this.#tellOrder(told, { type: 'UPDATE', timeMs, reason: '' });
  }

  /** What matched to its end was told so by its last trade. */
  closed(event: OrderClosed, timeMs: number): void {
    const order = this.#orders.get(event.orderId);
    assert(order !== undefined, 'an order that ends is live');
    const status = closedStatus(event);
    if (status !== 'MATCHED') {
      const { reason } = event;
      this.#tellOrder({ ...order, status }, { type: 'CANCELLATION', timeMs, reason });
    }
    this.#orders.delete(event.orderId);
  }

  /** What an account has now of an asset; what it had before is no step. */
  balance(balance: AssetBalance, timeMs: number): void {
    const before = this.#balances.get(nameOf(balance));
    const { available, held, tokenId } = balance;
    const isSame = (before?.available ?? 0) === available && (before?.held ?? 0) === held;
    if (isSame && (before !== undefined || tokenId !== '')) return;
    this.#noteBalance(balance);
    const tokenIds = tokenId === '' ? [] : [tokenId];
    this.#step(tokenIds, (stamp) => balanceMessage(balance, timeMs, stamp));
  }

  /**
   * What somebody has missed who got the messages up to a sequence of a stream; undefined when
   * that is not known any more.
   */
  missed(streamId: string, sequence: number): readonly KeptMessage[] | undefined {
    const isOurs = streamId === this.#context.streamId() && sequence <= this.#sequence;
    if (!isOurs || !this.#ring.reaches(sequence, false)) return undefined;
    return [...this.#ring.after(sequence, () => true)];
  }

  labelsOf(conditionId: string): OutcomeLabels {
    return this.#context.labelsOf(conditionId);
  }

  /** The topic of those with a key who listen to everything. */
  topicOf(apiKey: string): string {
    const known = this.#topics.get(apiKey);
    if (known !== undefined) return known;
    const topic = `u${this.#index}.${this.#topics.size}`;
    this.#topics.set(apiKey, topic);
    return topic;
  }

  enter(): void {
    this.#sockets += 1;
    this.#idleSinceMs = undefined;
  }

  leave(): void {
    this.#sockets -= 1;
  }

  addPicky(listener: PickyListener): void {
    this.#picky.set(listener, this.#context.monotonicMs());
  }

  dropPicky(listener: PickyListener): void {
    this.#picky.delete(listener);
  }

  /** Sends the heartbeat when it is time; returns whether nobody has come for long enough. */
  look(): boolean {
    const { monotonicMs, heartbeatMs, ringKeepMs } = this.#context;
    const nowMs = monotonicMs();
    if (this.#sockets === 0) {
      this.#idleSinceMs ??= nowMs;
      return nowMs - this.#idleSinceMs >= ringKeepMs;
    }
    if (this.isOpen && nowMs - this.#lastMessageMs >= heartbeatMs) this.#beat(nowMs);
    for (const [listener, toldMs] of this.#picky) {
      if (nowMs - toldMs < heartbeatMs) continue;
      this.#picky.set(listener, nowMs);
      listener.beat(accountSignal('heartbeat', this.stamp));
    }
    return false;
  }

  /** Lets go of what is kept. */
  clear(): void {
    this.#ring.clear();
  }

  #beat(nowMs: number): void {
    this.#lastMessageMs = nowMs;
    const text = accountSignal('heartbeat', this.stamp);
    for (const topic of this.#topics.values()) this.#publish(topic, text);
  }

  #tellOrder(order: AccountOrder, step: OrderStep): void {
    this.#orders.set(order.orderId, order);
    const labels = this.#context.labelsOf(order.conditionId);
    this.#step([order.tokenId], (stamp) => orderMessage(order, labels, step, stamp));
  }

  /** Zeros of a token are as good as nothing. */
  #noteBalance(balance: AssetBalance): void {
    const { tokenId, available, held } = balance;
    if (tokenId !== '' && available + held === 0) this.#balances.delete(nameOf(balance));
    else this.#balances.set(nameOf(balance), balance);
  }

  /** Counts a step, keeps its message and sends it; a message without tokens is for everybody. */
  #step(tokenIds: readonly string[], textFor: (stamp: Stamp) => string): void {
    this.#sequence += 1;
    const nowMs = this.#context.monotonicMs();
    this.#lastMessageMs = nowMs;
    const text = textFor(this.stamp);
    const message = this.#ring.add(this.#sequence, undefined, text, tokenIds);
    for (const [apiKey, topic] of this.#topics) this.#publish(topic, text, apiKey);
    for (const listener of this.#picky.keys()) {
      if (listener.hear(message)) this.#picky.set(listener, nowMs);
    }
  }

  #publish(topic: string, text: string, apiKey = ''): void {
    const { hasListeners, publish } = this.#context;
    if (hasListeners(topic)) publish(topic, withKey(text, apiKey));
  }
}

function nameOf({ account, tokenId }: AssetBalance): string {
  return `${account}/${tokenId}`;
}

/** What an order traded in a trade. */
function sizeIn({ takerOrderId, lots, fills }: TradeHead, orderId: string): TradeHead['lots'] {
  if (orderId === takerOrderId) return lots;
  const fill = fills.find(({ makerOrderId }) => makerOrderId === orderId);
  assert(fill !== undefined, 'a maker of a trade has a fill in it');
  return fill.lots;
}

/** The owner's side of a trade: the tokens of its orders. */
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
