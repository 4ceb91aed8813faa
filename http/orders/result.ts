/**
 * The result of placing an order (wire 3.10, 5.4). It always has all keys; amounts are decimals, or
 * '' if nothing matched.
 *
 * Invariant: one function makes the answer to a new order and to its retry, so that they are the
 * same for the same state. Neither includes events of other orders in the same command.
 */
import { Type } from 'typebox';
import {
  cashFor,
  type EngineEvent,
  type Lots,
  lots,
  type Micros,
  micros,
  type Side,
} from '../../engine/model/index.ts';
import {
  type Applied,
  type OrderRecord,
  type TradeHead,
  tradesOf,
} from '../../persistence/index.ts';
import { type Dialect, isoTime, lotsText, microsText } from '../codec/index.ts';
import { type ApiError, errorBody, Failure, sentenceOf } from '../errors/index.ts';
import { OptionalText, OptionalTrueFalse, OrNull, Text } from '../parameters/index.ts';
import { nextTurn } from '../runtime/log.ts';

const texts = Type.Array(Type.String());

export const OrderResult = Type.Object({
  success: Type.Boolean(),
  errorMsg: Text('Why it was refused; "" if it was accepted'),
  orderID: Text('The order hash; "" if it was refused'),
  orderHash: OrNull(Type.String()),
  takingAmount: Text('Amount received so far; "" if nothing matched'),
  makingAmount: Text('Amount given so far; "" if nothing matched'),
  status: Text('live, delayed, matched, unmatched, canceled or error'),
  transactionsHashes: texts,
  tradeIDs: texts,
  releaseAt: OptionalText('When a delayed order starts to trade, ISO 8601'),
  duplicate: OptionalTrueFalse('Whether the order was accepted before'),
});
export type OrderResult = Type.Static<typeof OrderResult>;

/** The answer to a refused order: the failure with all keys of a result. */
export const OrderRefusal = Type.Intersect([Failure, OrderResult]);

/** The fills and state of an order so far. */
interface Progress {
  readonly orderId: string;
  readonly side: Side;
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** The engine's close reason; '' while it is open. */
  readonly closeReason: string;
  /** The time until which its market delays it; 0 if it is not delayed. */
  readonly releaseMs: number;
  readonly transactionHashes: readonly string[];
  readonly tradeIds: readonly string[];
}

/** An order whose remainder was released counts as matched if it has fills. */
function statusOf({ closeReason, filledLots, releaseMs }: Progress): string {
  if (closeReason === '') return releaseMs > 0 ? 'delayed' : 'live';
  if (closeReason === 'matched' || closeReason === 'unmatched') return closeReason;
  return closeReason === 'remainder_released' && filledLots > 0 ? 'matched' : 'canceled';
}

function resultOf(progress: Progress): OrderResult {
  const { orderId, side, filledLots, filledMicros, releaseMs } = progress;
  const tokens = filledLots === 0 ? '' : lotsText(filledLots);
  const cash = filledLots === 0 ? '' : microsText(filledMicros);
  const status = statusOf(progress);
  return {
    success: true,
    errorMsg: '',
    orderID: orderId,
    orderHash: orderId,
    takingAmount: side === 'BUY' ? tokens : cash,
    makingAmount: side === 'BUY' ? cash : tokens,
    status,
    transactionsHashes: [...progress.transactionHashes],
    tradeIDs: [...progress.tradeIds],
    ...(status === 'delayed' ? { releaseAt: isoTime(releaseMs) } : {}),
  };
}

/** Whether an order closed or was delayed in the command that placed it. */
function stateOf(
  orderId: string,
  events: readonly EngineEvent[],
): Pick<Progress, 'closeReason' | 'releaseMs'> {
  let [closeReason, releaseMs] = ['', 0];
  for (const event of events) {
    if (event.kind === 'order_closed' && event.orderId === orderId) closeReason = event.reason;
    if (event.kind === 'order_delayed' && event.orderId === orderId) releaseMs = event.releaseMs;
  }
  return { closeReason, releaseMs };
}

type Step = Omit<Applied, 'steps'>;

/** The result of an order from the events of the command that placed it. */
export function resultOfEvents(orderId: string, side: Side, applied: Step): OrderResult {
  return resultOfTrades(orderId, side, { events: applied.events, trades: tradesOf(applied) });
}

/**
 * The same for an order that several steps worked off. The ids of its trades are hashes of up to
 * 10,000 fills, so those of each step are made in a turn of the event loop.
 */
export async function resultOfSteps(
  orderId: string,
  side: Side,
  steps: readonly Step[],
): Promise<OrderResult> {
  const trades: TradeHead[] = [];
  for (const step of steps) {
    await nextTurn();
    trades.push(...tradesOf(step));
  }
  const events = steps.flatMap((step) => step.events);
  return resultOfTrades(orderId, side, { events, trades });
}

function resultOfTrades(
  orderId: string,
  side: Side,
  done: { readonly events: readonly EngineEvent[]; readonly trades: readonly TradeHead[] },
): OrderResult {
  // The same command may contain trades of orders whose delay was over.
  const trades = done.trades.filter(({ takerOrderId }) => takerOrderId === orderId);
  let filledLots = 0;
  let filledMicros = 0;
  for (const trade of trades) {
    filledLots += trade.lots;
    filledMicros += cashFor(trade.lots, trade.priceTicks);
  }
  return resultOf({
    orderId,
    side,
    filledLots: lots(filledLots),
    filledMicros: micros(filledMicros),
    ...stateOf(orderId, done.events),
    transactionHashes: trades.map(({ transactionHash }) => transactionHash),
    tradeIds: trades.map(({ tradeId }) => tradeId),
  });
}

/** The current result of an order that was accepted before. */
export function resultOfRecord(record: OrderRecord): OrderResult {
  return {
    ...resultOf({ ...record, releaseMs: record.status === 'delayed' ? record.releaseMs : 0 }),
    duplicate: true,
  };
}

/** The keys of a result in the answer to a refused order. */
export function refusalKeys(error: ApiError, sentence: string): Readonly<Record<string, unknown>> {
  const { orderHash } = error.details;
  return {
    success: false,
    errorMsg: sentence,
    orderID: '',
    orderHash: typeof orderHash === 'string' ? orderHash : null,
    takingAmount: '',
    makingAmount: '',
    status: 'error',
    transactionsHashes: [],
    tradeIDs: [],
  };
}

/** A refused element of a batch. */
export function refusalOf(error: ApiError, dialect: Dialect): Readonly<Record<string, unknown>> {
  return {
    ...errorBody(error, dialect),
    ...refusalKeys(error, sentenceOf(error, dialect)),
  };
}
