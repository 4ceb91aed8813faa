/** GET /explorer/orders/{id} and /explorer/trades/{id}. */
import { Type } from 'typebox';
import type {
  ExploredFill,
  OrderRecord,
  TradeMaker,
  TradeRecord,
} from '../../persistence/index.ts';
import { isoTime } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { type OutcomeLabels, textFinder } from '../format/index.ts';
import { hashIn, Text, uuidIn } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';
import { shownAs } from './amounts.ts';
import {
  ExplorerOrder,
  ExplorerOrderFill,
  ExplorerOrderState,
  ExplorerParty,
  ExplorerTrade,
} from './schemas.ts';

export function formatOrderState(order: OrderRecord, labels: OutcomeLabels): ExplorerOrderState {
  const outcomeLabel = labels[order.outcome];
  const closedSeq = order.closedSeq === 0 ? null : order.closedSeq;
  return shownAs(ExplorerOrderState, { ...order, closedSeq, outcomeLabel });
}

function formatFill(fill: ExploredFill) {
  return shownAs(ExplorerOrderFill, { ...fill, role: fill.isTaker ? 'TAKER' : 'MAKER' });
}

export const getExplorerOrder = defineRoute({
  method: 'GET',
  path: '/explorer/orders/{id}',
  summary: 'Any order, live or not, with its fills and the commands that placed and closed it',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ id: Text('Order id') }),
  response: ExplorerOrder,
  needs: ['exchange'],
  handler: async ({ params, services: { exchange } }): Promise<ExplorerOrder> => {
    const id = hashIn(params.id, 'id');
    const explored = await exchange.explorer.ask('exploredOrder', id);
    if (explored === undefined) throw new ApiError('order_not_found', { field: 'id', actual: id });
    const { order, fills, more } = explored;
    const { outcomes } = textFinder(exchange.catalog.lookup)(order.conditionId);
    return {
      ...formatOrderState(order, outcomes),
      fills: fills.map(formatFill),
      has_older_fills: more,
    };
  },
});

type Party = Omit<TradeMaker, 'apiKey'>;

function formatParty(party: Party, labels: OutcomeLabels) {
  return shownAs(ExplorerParty, { ...party, outcomeLabel: labels[party.outcome] });
}

function takerOf(trade: TradeRecord): Party {
  const { takerOrderId, takerAccount, takerOwner, takerBuilder, ...taker } = trade;
  return {
    ...taker,
    orderId: takerOrderId,
    account: takerAccount,
    owner: takerOwner,
    builder: takerBuilder,
  };
}

export const getExplorerTrade = defineRoute({
  method: 'GET',
  path: '/explorer/trades/{id}',
  summary: 'A trade with its taker, its makers and all that its id is derived from',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ id: Text('UUID') }),
  response: ExplorerTrade,
  needs: ['exchange'],
  handler: async ({ params, services: { exchange } }): Promise<ExplorerTrade> => {
    const tradeId = uuidIn(params.id, 'id');
    const { records } = await exchange.reader.trades({ tradeId, offset: 0, limit: 1 });
    const [trade] = records;
    if (trade === undefined) {
      throw new ApiError('trade_not_found', { field: 'id', actual: tradeId });
    }
    const { outcomes } = textFinder(exchange.catalog.lookup)(trade.conditionId);
    return {
      id: trade.tradeId,
      transaction_hash: trade.transactionHash,
      seq: trade.seq,
      time_ms: trade.timeMs,
      time: isoTime(trade.timeMs),
      bucket_index: trade.bucket,
      condition_id: trade.conditionId,
      taker: formatParty(takerOf(trade), outcomes),
      makers: trade.makers.map((maker) => formatParty(maker, outcomes)),
    };
  },
});
