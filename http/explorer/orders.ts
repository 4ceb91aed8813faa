/** GET /explorer/orders/{id} and /explorer/trades/{id}. */
import { type Static, Type } from 'typebox';
import type {
  ExploredFill,
  OrderRecord,
  TradeMaker,
  TradeRecord,
} from '../../persistence/index.ts';
import { isoTime, lotsText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { type OutcomeLabels, textFinder } from '../format/index.ts';
import { hashIn, Text, uuidIn } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';
import { cashPair, pricePair, sizePair, timePair } from './amounts.ts';
import {
  ExplorerOrder,
  type ExplorerOrderFill,
  type ExplorerOrderState,
  type ExplorerParty,
  ExplorerTrade,
} from './schemas.ts';

export function formatOrderState(order: OrderRecord, labels: OutcomeLabels): ExplorerOrderState {
  return {
    order_id: order.orderId,
    status: order.status,
    close_reason: order.closeReason,
    accepted_seq: order.acceptedSeq,
    closed_seq: order.closedSeq === 0 ? null : order.closedSeq,
    account: order.account,
    owner: order.owner,
    api_key: order.apiKey,
    builder: order.builder,
    condition_id: order.conditionId,
    token_id: order.tokenId,
    outcome: order.outcome,
    outcome_label: labels[order.outcome],
    side: order.side,
    type: order.type,
    post_only: order.postOnly,
    ...pricePair('price', order.priceTicks),
    lots: order.lots,
    tokens: lotsText(order.lots),
    ...cashPair('budget', order.budgetMicros),
    ...sizePair('filled', order.filledLots),
    ...cashPair('filled', order.filledMicros),
    ...cashPair('fee', order.feeMicros),
    ...timePair('created', order.createdMs),
    ...timePair('updated', order.updatedMs),
    ...timePair('expires_at', order.expiresAtMs),
    ...timePair('release', order.releaseMs),
  };
}

function formatFill(fill: ExploredFill): Static<typeof ExplorerOrderFill> {
  return {
    trade_id: fill.tradeId,
    transaction_hash: fill.transactionHash,
    seq: fill.seq,
    time_ms: fill.timeMs,
    time: isoTime(fill.timeMs),
    role: fill.isTaker ? 'TAKER' : 'MAKER',
    ...pricePair('price', fill.priceTicks),
    lots: fill.lots,
    tokens: lotsText(fill.lots),
    ...cashPair('fee', fill.feeMicros),
    ...cashPair('builder_fee', fill.builderFeeMicros),
    fee_bps: fill.feeBps,
  };
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

function formatParty(party: Party, labels: OutcomeLabels): Static<typeof ExplorerParty> {
  return {
    order_id: party.orderId,
    account: party.account,
    owner: party.owner,
    builder: party.builder,
    token_id: party.tokenId,
    outcome: party.outcome,
    outcome_label: labels[party.outcome],
    side: party.side,
    ...pricePair('price', party.priceTicks),
    lots: party.lots,
    tokens: lotsText(party.lots),
    ...cashPair('fee', party.feeMicros),
    ...cashPair('builder_fee', party.builderFeeMicros),
    fee_bps: party.feeBps,
  };
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
