/**
 * What the projection must say, worked out from the events in the plainest way: lists and filters.
 * It knows nothing of tables.
 */
import { strict as assert } from 'node:assert';
import type {
  CreateMarket,
  OpenAccount,
  OrderClosed,
  PlaceOrder,
  Side,
} from '../../engine/index.ts';
import { lots, micros, ticks } from '../../engine/index.ts';
import type {
  DurableCommand,
  MarketVolume,
  NotificationRecord,
  OrderRecord,
  PriceHistoryQuery,
  TradeMaker,
  TradeRecord,
  TradesQuery,
} from '../../persistence/index.ts';
import { tradesOf } from '../../persistence/index.ts';

type Filters = Omit<TradesQuery, 'offset' | 'limit'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The last midpoint of a market in a minute in which it changed, in half ticks of YES. */
interface Point {
  readonly conditionId: string;
  readonly minute: number;
  readonly halfTicks: number;
}

type Notice = Omit<NotificationRecord, 'order'> & { readonly orderId: string };

/** Everything in it is in order of time. */
export class ProjectionOracle {
  readonly markets: CreateMarket[] = [];
  readonly accounts: OpenAccount[] = [];
  readonly orders: OrderRecord[] = [];
  readonly trades: TradeRecord[] = [];
  readonly points: Point[] = [];
  #notices: Notice[] = [];
  #noticed = 0;

  constructor(durable: readonly DurableCommand[]) {
    for (const applied of durable) this.#take(applied);
  }

  /** The trades that pass, newest first. */
  search(filters: Filters): TradeRecord[] {
    return this.trades.filter((trade) => passes(trade, filters)).reverse();
  }

  /** What the owner has not dismissed, newest first. */
  notifications(owner: string): NotificationRecord[] {
    const own = this.#notices.filter(({ orderId }) => this.#order(orderId).owner === owner);
    return own.reverse().map(({ orderId, ...notice }) => {
      const order = { ...this.#order(orderId), tradeIds: [], transactionHashes: [] };
      return { ...notice, order };
    });
  }

  volume(conditionId: string, sinceMs: number): MarketVolume {
    const all = this.trades.filter((trade) => trade.conditionId === conditionId);
    const recent = all.filter(({ timeMs }) => Math.floor(timeMs / HOUR_MS) * HOUR_MS >= sinceMs);
    return {
      conditionId,
      totalMicros: micros(sum(all.map((trade) => trade.lots * trade.priceTicks))),
      totalLots: lots(sum(all.map((trade) => trade.lots))),
      recentMicros: micros(sum(recent.map((trade) => trade.lots * trade.priceTicks))),
      recentLots: lots(sum(recent.map((trade) => trade.lots))),
    };
  }

  /** Start and value of each step, from the first that knows one. */
  history({ tokenId, startMs, endMs, stepMs }: Omit<PriceHistoryQuery, 'limit'>) {
    const market = this.markets.find(({ tokenIds }) => tokenIds.includes(tokenId));
    const points = this.points.filter(({ conditionId }) => conditionId === market?.conditionId);
    const steps: { timeMs: number; halfTicks: number }[] = [];
    for (let timeMs = startMs - (startMs % stepMs); timeMs <= endMs; timeMs += stepMs) {
      const known = points.filter(
        ({ minute }) => minute * MINUTE_MS < timeMs + stepMs && minute * MINUTE_MS <= endMs,
      );
      const value = known.at(-1)?.halfTicks;
      if (value === undefined) continue;
      const isYes = market?.tokenIds[0] === tokenId;
      steps.push({ timeMs, halfTicks: isYes ? value : 20_000 - value });
    }
    return steps;
  }

  #take(applied: DurableCommand): void {
    const { command, timeMs } = applied;
    for (const event of applied.events) {
      if (event.kind === 'market_created' && command.kind === 'create_market') {
        this.markets.push(command);
      } else if (event.kind === 'account_opened' && command.kind === 'open_account') {
        this.accounts.push(command);
      } else if (event.kind === 'order_accepted' && command.kind === 'place_order') {
        this.orders.push(this.#opened(applied, command));
      }
    }
    for (const trade of tradesOf(applied)) this.#trade(applied, trade);
    for (const event of applied.events) {
      if (event.kind === 'notifications_dismissed') {
        const isDismissed = ({ id, orderId }: Notice) =>
          event.ids.includes(id) && this.#order(orderId).owner === event.owner;
        this.#notices = this.#notices.filter((notice) => !isDismissed(notice));
      }
      if (event.kind !== 'order_closed') continue;
      this.#noticeClose(event, timeMs);
      const released = event.reason === 'remainder_released' && event.filledLots > 0;
      const status = event.reason === 'matched' || released ? 'matched' : 'canceled';
      this.#change(event.orderId, { status, closeReason: event.reason, updatedMs: timeMs });
    }
    for (const { conditionId } of this.markets) this.#quote(conditionId, timeMs);
  }

  #noticeClose({ reason, orderId, filledLots }: OrderClosed, timeMs: number): void {
    if (['matched', 'canceled', 'remainder_released'].includes(reason)) return;
    this.#noticed += 1;
    this.#notices.push({ id: this.#noticed, kind: 'cancellation', timeMs, filledLots, orderId });
  }

  /** By the orders that rest, not by what was told of levels. */
  #quote(conditionId: string, timeMs: number): void {
    const before = this.points.findLast((point) => point.conditionId === conditionId);
    const halfTicks = this.#midpoint(conditionId);
    if (halfTicks === undefined || halfTicks === before?.halfTicks) return;
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (before?.minute === minute) this.points.splice(this.points.indexOf(before), 1);
    this.points.push({ conditionId, minute, halfTicks });
  }

  #midpoint(conditionId: string): number | undefined {
    const resting = this.orders.filter(
      (order) => order.status === 'live' && order.conditionId === conditionId,
    );
    const quotes = resting.map((order) => ({
      isBid: (order.side === 'BUY') === (order.outcome === 0),
      price: yesTicks(order),
    }));
    const bids = quotes.filter(({ isBid }) => isBid).map(({ price }) => price);
    const asks = quotes.filter(({ isBid }) => !isBid).map(({ price }) => price);
    const [bid, ask] = [Math.max(...bids), Math.min(...asks)];
    if (bids.length > 0 && asks.length > 0) return bid + ask;
    if (quotes.length > 0) return 2 * (bids.length > 0 ? bid : ask);
    const last = this.trades.findLast((trade) => trade.conditionId === conditionId);
    return last === undefined ? undefined : 2 * yesTicks(last);
  }

  #opened({ seq, timeMs }: DurableCommand, command: PlaceOrder): OrderRecord {
    const { kind, minimumLeadMs, idCheckedSeq, opens, ...given } = command;
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
      status: 'live',
      closeReason: '',
      createdMs: timeMs,
      updatedMs: timeMs,
      tradeIds: [],
      transactionHashes: [],
    };
  }

  #trade({ seq, timeMs }: DurableCommand, head: ReturnType<typeof tradesOf>[number]): void {
    const makers = head.fills.map((fill) => {
      const part = { lots: fill.lots, priceTicks: fill.makerPriceTicks };
      const maker = this.#filled(fill.makerOrderId, part);
      this.#noticed += 1;
      const { tradeId, transactionHash, takerOrderId } = head;
      this.#notices.push({
        id: this.#noticed,
        kind: 'fill',
        timeMs,
        filledLots: this.#order(maker.orderId).filledLots,
        orderId: maker.orderId,
        trade: { tradeId, transactionHash, takerOrderId, ...part },
      });
      return maker;
    });
    const taker = this.#filled(head.takerOrderId, head);
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
      priceTicks: head.priceTicks,
      lots: head.lots,
      makers,
    });
  }

  #filled(orderId: string, part: Pick<TradeMaker, 'priceTicks' | 'lots'>): TradeMaker {
    const { filledLots, filledMicros, ...order } = this.#order(orderId);
    this.#change(orderId, {
      filledLots: lots(filledLots + part.lots),
      filledMicros: micros(filledMicros + part.lots * part.priceTicks),
    });
    const { account, owner, apiKey, builder, tokenId, outcome, side } = order;
    return { orderId, account, owner, apiKey, builder, tokenId, outcome, side, ...part };
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

const yesTicks = ({ outcome, priceTicks }: Pick<OrderRecord, 'outcome' | 'priceTicks'>) =>
  outcome === 0 ? priceTicks : ticks(10_000 - priceTicks);

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

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

export const BUILDERS = ['b1', 'b2', 'b3'].map((two) => `0x${two.repeat(32)}`);

/** A random stream goes on for minutes: so it becomes one of many hours. */
const SLOWED = 1_000;

/**
 * The same stream with what random commands seldom have: time passes, every other order names a
 * builder, and now and then somebody dismisses notifications, own and others'.
 */
export function enrich(durable: readonly DurableCommand[]): DurableCommand[] {
  const enriched: DurableCommand[] = [];
  const owners: string[] = [];
  const startMs = durable[0]?.timeMs ?? 0;
  for (const { command, events, ...applied } of durable) {
    const timeMs = startMs + SLOWED * (applied.timeMs - startMs);
    const number = enriched.length;
    const builder = BUILDERS[Math.floor(number / 2) % BUILDERS.length] ?? '';
    const isBuilt = command.kind === 'place_order' && number % 2 === 0;
    const seq = number + 1;
    enriched.push({ seq, timeMs, events, command: isBuilt ? { ...command, builder } : command });
    if (command.kind === 'open_account') owners.push(command.owner);
    const owner = owners[number % Math.max(1, owners.length)];
    if (number % 7 !== 0 || owner === undefined) continue;
    const ids = [1, 2, 3, 5, 8, 13].map((step) => step * Math.floor(number / 40) + 1);
    enriched.push({
      seq: seq + 1,
      timeMs,
      command: { kind: 'dismiss_notifications', owner, ids },
      events: [{ kind: 'notifications_dismissed', owner, ids }],
    });
  }
  return enriched;
}
