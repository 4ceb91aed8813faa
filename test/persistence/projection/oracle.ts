/**
 * What the projection must contain, computed from the events in the plainest way: with lists and
 * filters instead of tables.
 */
import { strict as assert } from 'node:assert';
import type {
  CreateMarket,
  EngineEvent,
  Fill,
  MarketResolved,
  OpenAccount,
  OrderClosed,
  PlaceOrder,
  Side,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type {
  DurableCommand,
  MarketVolume,
  NotificationRecord,
  OrderNotification,
  OrderRecord,
  PartyFees,
  PriceHistoryQuery,
  ResolutionNotification,
  TradeMaker,
  TradeRecord,
  TradesQuery,
} from '../../../persistence/index.ts';
import { tradesOf } from '../../../persistence/index.ts';
import type { HoldersOf } from '../../../persistence/projection/projection.ts';

type Filters = Omit<TradesQuery, 'offset' | 'limit'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The last midpoint of a market in a minute in which it changed, in half ticks of YES. */
interface Point {
  readonly conditionId: string;
  readonly minute: number;
  readonly halfTicks: number;
}

type OrderNotice = Omit<OrderNotification, 'order'> & { readonly orderId: string };
type Notice = (OrderNotice | ResolutionNotification) & { readonly owner: string };

/** Its lists are in order of time. */
export class ProjectionOracle {
  /** By order that several commands worked off: the seq of the last one. */
  readonly #lastContinued = new Map<string, number>();
  /** The order that this command continued. */
  #continued = '';
  readonly markets: CreateMarket[] = [];
  readonly accounts: OpenAccount[] = [];
  readonly orders: OrderRecord[] = [];
  readonly trades: TradeRecord[] = [];
  readonly points: Point[] = [];
  readonly #holdersOf: HoldersOf;
  /** Account to owner. */
  readonly #owners = new Map<string, string>();
  #notices: Notice[] = [];
  #noticed = 0;

  constructor(durable: readonly DurableCommand[], holdersOf: HoldersOf) {
    this.#holdersOf = holdersOf;
    for (const { seq, events } of durable) {
      for (const event of events) {
        if (event.kind === 'order_continued') this.#lastContinued.set(event.orderId, seq);
      }
    }
    for (const applied of durable) this.#take(applied);
  }

  /** The trades that pass the filters, newest first. */
  search(filters: Filters): TradeRecord[] {
    return this.trades.filter((trade) => passes(trade, filters)).reverse();
  }

  /** The notifications that the owner has not dismissed, newest first. */
  notifications(owner: string): NotificationRecord[] {
    const own = this.#notices.filter((notice) => notice.owner === owner);
    return own.reverse().map(({ owner: _, ...notice }) => {
      if (notice.kind === 'resolution') return notice;
      const { orderId, ...data } = notice;
      return { ...data, order: { ...this.#order(orderId), tradeIds: [], transactionHashes: [] } };
    });
  }

  volume(conditionId: string, sinceMs: number): MarketVolume {
    const all = this.trades.filter((trade) => trade.conditionId === conditionId);
    const recent = all.filter(({ timeMs }) => Math.floor(timeMs / HOUR_MS) * HOUR_MS >= sinceMs);
    return {
      conditionId,
      totalMicros: micros(sum(all.map((trade) => trade.lots * trade.priceTicks))),
      recentMicros: micros(sum(recent.map((trade) => trade.lots * trade.priceTicks))),
    };
  }

  /** Start and value of each step, from the first step with a value. */
  history({ tokenId, startMs, endMs, stepMs }: Omit<PriceHistoryQuery, 'limit'>) {
    const market = this.markets.find(({ tokenIds }) => tokenIds.includes(tokenId));
    const points = this.points.filter(({ conditionId }) => conditionId === market?.conditionId);
    const steps: { timeMs: number; halfTicks: number }[] = [];
    for (let timeMs = startMs - (startMs % stepMs); timeMs <= endMs; timeMs += stepMs) {
      const known = points.filter(({ minute }) => minute * MINUTE_MS < timeMs + stepMs);
      const value = known.at(-1)?.halfTicks;
      if (value === undefined) continue;
      const isYes = market?.tokenIds[0] === tokenId;
      steps.push({ timeMs, halfTicks: isYes ? value : 20_000 - value });
    }
    return steps;
  }

  #take(applied: DurableCommand): void {
    this.#continued = '';
    const { command, timeMs } = applied;
    for (const event of applied.events) {
      if (event.kind === 'order_continued') this.#continued = event.orderId;
      if (event.kind === 'market_created' && command.kind === 'create_market') {
        this.markets.push(command);
      } else if (event.kind === 'account_opened' && command.kind === 'open_account') {
        this.accounts.push(command);
      } else if (event.kind === 'order_accepted' && command.kind === 'place_order') {
        this.orders.push(this.#opened(applied, command));
      } else if (event.kind === 'order_delayed') {
        this.#change(event.orderId, { status: 'delayed', releaseMs: event.releaseMs });
      } else if (event.kind === 'order_released') {
        this.#change(event.orderId, { status: 'live', updatedMs: timeMs });
      }
      if (event.kind === 'account_opened') this.#owners.set(event.address, event.owner);
    }
    for (const trade of tradesOf(applied)) this.#trade(applied, trade);
    for (const event of applied.events) this.#end(event, applied);
    for (const { conditionId } of this.markets) this.#quote(conditionId, applied);
  }

  #end(event: EngineEvent, { seq, timeMs }: DurableCommand): void {
    if (event.kind === 'notifications_dismissed') {
      const isDismissed = ({ id, owner }: Notice) =>
        event.ids.includes(id) && owner === event.owner;
      this.#notices = this.#notices.filter((notice) => !isDismissed(notice));
    } else if (event.kind === 'market_resolved') this.#noticeResolution(event, timeMs);
    else if (event.kind === 'order_closed') {
      this.#noticeClose(event, timeMs);
      const status = statusAfter(event);
      this.#change(event.orderId, {
        status,
        closeReason: event.reason,
        updatedMs: timeMs,
        closedSeq: seq,
      });
    }
  }

  #noticeClose({ reason, owner, orderId, filledLots }: OrderClosed, timeMs: number): void {
    if (['matched', 'canceled', 'remainder_released'].includes(reason)) return;
    const kind = 'cancellation';
    this.#notices.push({ id: this.#nextId(), kind, timeMs, filledLots, orderId, owner });
  }

  /** Notifies owners in the order of their first accounts. */
  #noticeResolution({ conditionId, payoutTicks }: MarketResolved, timeMs: number): void {
    const holders = [...this.#holdersOf(conditionId)];
    for (const owner of new Set(this.#owners.values())) {
      const own = holders.filter(({ account }) => this.#owners.get(account) === owner);
      if (own.length === 0) continue;
      const yesLots = lots(sum(own.map((holder) => holder.yesLots)));
      const noLots = lots(sum(own.map((holder) => holder.noLots)));
      const data = { conditionId, payoutTicks, yesLots, noLots };
      this.#notices.push({ id: this.#nextId(), kind: 'resolution', timeMs, ...data, owner });
    }
  }

  #nextId(): number {
    this.#noticed += 1;
    return this.#noticed;
  }

  /** Adds a price point. The price is from the resting orders, not from events of levels. */
  #quote(conditionId: string, { seq, timeMs, events }: DurableCommand): void {
    const before = this.points.findLast((point) => point.conditionId === conditionId);
    const resolved = events.find(
      (event) => event.kind === 'market_resolved' && event.conditionId === conditionId,
    );
    const halfTicks =
      resolved?.kind === 'market_resolved'
        ? 2 * resolved.payoutTicks
        : this.#midpoint(conditionId, seq);
    if (halfTicks === undefined || halfTicks === before?.halfTicks) return;
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (before?.minute === minute) this.points.splice(this.points.indexOf(before), 1);
    this.points.push({ conditionId, minute, halfTicks });
  }

  /** In half ticks. If a side is empty: from a trade of this command, or undefined. */
  #midpoint(conditionId: string, seq: number): number | undefined {
    // An order that a later command continues does not rest yet.
    const resting = this.orders.filter(
      (order) =>
        order.status === 'live' &&
        order.conditionId === conditionId &&
        (this.#lastContinued.get(order.orderId) ?? 0) <= seq,
    );
    const { bid, ask } = bestOf(resting);
    if (bid > 0 && ask < Number.POSITIVE_INFINITY) return bid + ask;
    const last = this.trades.findLast((trade) => trade.conditionId === conditionId);
    return last?.seq === seq ? 2 * yesTicks(last) : undefined;
  }

  #opened({ seq, timeMs }: DurableCommand, command: PlaceOrder): OrderRecord {
    const { kind, minimumLeadMs, earlyEndMs, idCheckedSeq, opens, ...given } = command;
    const market = this.markets.find(({ tokenIds }) => tokenIds.includes(command.tokenId));
    assert(market !== undefined && kind === 'place_order');
    return {
      builder: '',
      ...given,
      acceptedSeq: seq,
      conditionId: market.conditionId,
      outcome: market.tokenIds[0] === command.tokenId ? 0 : 1,
      filledLots: lots(0),
      filledMicros: micros(0),
      feeMicros: micros(0),
      status: 'live',
      closeReason: '',
      createdMs: timeMs,
      updatedMs: timeMs,
      releaseMs: 0,
      closedSeq: 0,
      tradeIds: [],
      transactionHashes: [],
    };
  }

  #trade({ seq, timeMs }: DurableCommand, head: TradeHead): void {
    const taker = this.#filled(head.takerOrderId, { ...partOf(head), ...takerFees(head.fills) });
    // The order was accepted earlier and delayed. Later parts of others are in their answer.
    const { releaseMs } = this.#order(taker.orderId);
    const isAnswered =
      taker.acceptedSeq === seq || (this.#continued === taker.orderId && releaseMs === 0);
    if (!isAnswered) this.#noticeFill(taker, timeMs, head);
    const makers = head.fills.map((fill) => {
      const price = { lots: fill.lots, priceTicks: fill.makerPriceTicks };
      const maker = this.#filled(fill.makerOrderId, { ...price, ...makerFees(fill) });
      this.#noticeFill(maker, timeMs, head);
      const { acceptedSeq, ...data } = maker;
      return data;
    });
    for (const { orderId } of [taker, ...makers]) {
      const { tradeIds } = this.#order(orderId);
      this.#change(orderId, { tradeIds: [...tradeIds, head.tradeId], updatedMs: timeMs });
    }
    const { transactionHashes } = this.#order(taker.orderId);
    this.#change(taker.orderId, {
      transactionHashes: [...transactionHashes, head.transactionHash],
    });
    this.trades.push({
      tradeId: head.tradeId,
      transactionHash: head.transactionHash,
      seq,
      timeMs,
      bucket: head.bucket,
      conditionId: this.#order(taker.orderId).conditionId,
      takerOrderId: taker.orderId,
      takerAccount: taker.account,
      takerOwner: taker.owner,
      takerApiKey: taker.apiKey,
      takerBuilder: taker.builder,
      tokenId: taker.tokenId,
      outcome: taker.outcome,
      side: taker.side,
      ...partOf(head),
      ...takerFees(head.fills),
      makers,
    });
  }

  #noticeFill(party: TradeMaker, timeMs: number, head: TradeHead): void {
    const { tradeId, transactionHash, takerOrderId } = head;
    const { orderId, owner } = party;
    const trade = { tradeId, transactionHash, takerOrderId, ...partOf(party) };
    const { filledLots } = this.#order(orderId);
    const data = { timeMs, filledLots, orderId, trade, owner };
    this.#notices.push({ id: this.#nextId(), kind: 'fill', ...data });
  }

  #filled(orderId: string, part: Part & PartyFees): TradeMaker & { readonly acceptedSeq: number } {
    const { filledLots, filledMicros, feeMicros, ...order } = this.#order(orderId);
    this.#change(orderId, {
      filledLots: lots(filledLots + part.lots),
      filledMicros: micros(filledMicros + part.lots * part.priceTicks),
      feeMicros: micros(feeMicros + part.feeMicros),
    });
    const { acceptedSeq, account, owner, apiKey, builder, tokenId, outcome, side } = order;
    const names = { orderId, account, owner, apiKey, builder, tokenId, outcome, side };
    return { acceptedSeq, ...names, ...part };
  }

  #order(orderId: string): OrderRecord {
    const order = this.orders.find((candidate) => candidate.orderId === orderId);
    assert(order !== undefined, `no order ${orderId}`);
    return order;
  }

  #change(orderId: string, changes: Partial<OrderRecord>): void {
    const index = this.orders.findIndex((candidate) => candidate.orderId === orderId);
    this.orders[index] = { ...this.#order(orderId), ...changes };
  }
}

type TradeHead = ReturnType<typeof tradesOf>[number];
type Part = Pick<TradeMaker, 'priceTicks' | 'lots'>;

function partOf({ priceTicks, lots }: Part): Part {
  return { priceTicks, lots };
}

function takerFees(fills: readonly Fill[]): PartyFees {
  return {
    feeMicros: micros(sum(fills.map(({ fees }) => fees?.takerMicros ?? 0))),
    builderFeeMicros: micros(sum(fills.map(({ fees }) => fees?.takerBuilderMicros ?? 0))),
    feeBps: Math.max(...fills.map(({ fees }) => fees?.takerFeeBps ?? 0)),
  };
}

function makerFees({ fees }: Fill): PartyFees {
  return {
    feeMicros: fees?.makerMicros ?? micros(0),
    builderFeeMicros: fees?.makerBuilderMicros ?? micros(0),
    feeBps: fees?.makerFeeBps ?? 0,
  };
}

function statusAfter({ reason, filledLots }: OrderClosed): OrderRecord['status'] {
  if (reason === 'matched') return 'matched';
  if (reason === 'remainder_released') return filledLots > 0 ? 'matched' : 'canceled';
  return reason === 'unmatched' ? 'unmatched' : 'canceled';
}

function yesTicks({ outcome, priceTicks }: Pick<OrderRecord, 'outcome' | 'priceTicks'>) {
  return outcome === 0 ? priceTicks : ticks(10_000 - priceTicks);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

interface Party {
  readonly account: string;
  readonly owner: string;
  readonly builder: string;
  readonly tokenId: string;
  readonly side: Side;
}

function passes(trade: TradeRecord, filters: Filters): boolean {
  const { takerAccount: account, takerOwner: owner, takerBuilder: builder, tokenId, side } = trade;
  const taker = { account, owner, builder, tokenId, side };
  const parties: Party[] = [taker, ...trade.makers];
  const { eitherAccount, takerAccount, makerAccount, builtAccount } = filters;
  const ofBuilder = parties.filter((party) => party.builder === (filters.builder ?? party.builder));
  return (
    (filters.owner === undefined || parties.some((party) => party.owner === filters.owner)) &&
    (eitherAccount === undefined || parties.some((party) => party.account === eitherAccount)) &&
    (takerAccount === undefined || account === takerAccount) &&
    (makerAccount === undefined || trade.makers.some((maker) => maker.account === makerAccount)) &&
    ofBuilder.length > 0 &&
    (builtAccount === undefined ||
      ofBuilder.some((party) => party.account === builtAccount && party.builder !== '')) &&
    (filters.tradeId === undefined || trade.tradeId === filters.tradeId) &&
    (filters.conditionId === undefined || trade.conditionId === filters.conditionId) &&
    (filters.tokenId === undefined || parties.some((party) => party.tokenId === filters.tokenId)) &&
    (filters.beforeMs === undefined || trade.timeMs < filters.beforeMs) &&
    (filters.afterMs === undefined || trade.timeMs > filters.afterMs)
  );
}

/** The best prices of these orders in YES ticks; 0 and Infinity for none. */
function bestOf(orders: readonly OrderRecord[]): { readonly bid: number; readonly ask: number } {
  const isBid = ({ side, outcome }: OrderRecord): boolean => (side === 'BUY') === (outcome === 0);
  const bids = orders.filter(isBid).map(yesTicks);
  const asks = orders.filter((order) => !isBid(order)).map(yesTicks);
  return { bid: Math.max(0, ...bids), ask: Math.min(Number.POSITIVE_INFINITY, ...asks) };
}
