/**
 * What the projection must say, worked out from the events in the plainest way: lists and filters.
 * It knows nothing of tables.
 */
import { strict as assert } from 'node:assert';
import type { CreateMarket, OpenAccount, PlaceOrder, Side } from '../../engine/index.ts';
import { lots, micros } from '../../engine/index.ts';
import type {
  DurableCommand,
  OrderRecord,
  TradeMaker,
  TradeRecord,
  TradesQuery,
} from '../../persistence/index.ts';
import { tradesOf } from '../../persistence/index.ts';

type Filters = Omit<TradesQuery, 'offset' | 'limit'>;

/** Everything in it is in order of time. */
export class ProjectionOracle {
  readonly markets: CreateMarket[] = [];
  readonly accounts: OpenAccount[] = [];
  readonly orders: OrderRecord[] = [];
  readonly trades: TradeRecord[] = [];

  constructor(durable: readonly DurableCommand[]) {
    for (const applied of durable) this.#take(applied);
  }

  /** The trades that pass, newest first. */
  search(filters: Filters): TradeRecord[] {
    return this.trades.filter((trade) => passes(trade, filters)).reverse();
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
      if (event.kind !== 'order_closed') continue;
      const released = event.reason === 'remainder_released' && event.filledLots > 0;
      const status = event.reason === 'matched' || released ? 'matched' : 'canceled';
      this.#change(event.orderId, { status, closeReason: event.reason, updatedMs: timeMs });
    }
  }

  #opened({ seq, timeMs }: DurableCommand, command: PlaceOrder): OrderRecord {
    const { kind, minimumLeadMs, idCheckedSeq, opens, ...given } = command;
    const market = this.markets.find(({ tokenIds }) => tokenIds.includes(command.tokenId));
    assert(market !== undefined && kind === 'place_order');
    return {
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
    const makers = head.fills.map((fill) =>
      this.#filled(fill.makerOrderId, { ...fill, priceTicks: fill.makerPriceTicks }),
    );
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
      tokenId: taker.tokenId,
      outcome: taker.outcome,
      side: taker.side,
      priceTicks: head.priceTicks,
      lots: head.lots,
      makers,
    });
  }

  #filled(orderId: string, part: Pick<TradeMaker, 'priceTicks' | 'lots'>): TradeMaker {
    const { account, owner, apiKey, tokenId, outcome, side, ...order } = this.#order(orderId);
    this.#change(orderId, {
      filledLots: lots(order.filledLots + part.lots),
      filledMicros: micros(order.filledMicros + part.lots * part.priceTicks),
    });
    const { priceTicks, lots: size } = part;
    return { orderId, account, owner, apiKey, tokenId, outcome, side, priceTicks, lots: size };
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

interface Party {
  readonly account: string;
  readonly owner: string;
  readonly tokenId: string;
  readonly side: Side;
}

function passes(trade: TradeRecord, filters: Filters): boolean {
  const { takerAccount: account, takerOwner: owner, tokenId, side } = trade;
  const taker = { account, owner, tokenId, side };
  const parties: Party[] = [taker, ...trade.makers];
  const { eitherAccount, takerAccount, makerAccount } = filters;
  return (
    (filters.owner === undefined || parties.some((party) => party.owner === filters.owner)) &&
    (eitherAccount === undefined || parties.some((party) => party.account === eitherAccount)) &&
    (takerAccount === undefined || account === takerAccount) &&
    (makerAccount === undefined || trade.makers.some((maker) => maker.account === makerAccount)) &&
    (filters.tradeId === undefined || trade.tradeId === filters.tradeId) &&
    (filters.conditionId === undefined || trade.conditionId === filters.conditionId) &&
    (filters.tokenId === undefined || parties.some((party) => party.tokenId === filters.tokenId)) &&
    (filters.beforeMs === undefined || trade.timeMs < filters.beforeMs) &&
    (filters.afterMs === undefined || trade.timeMs > filters.afterMs)
  );
}
