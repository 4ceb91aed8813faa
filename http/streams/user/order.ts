/** A live order as the user channel follows it. Pure: each change makes a new record. */
import {
  affordableLots,
  type Lots,
  lots,
  type OrderClosed,
  type OwnedOrder,
  type PlaceOrder,
} from '../../../engine/index.ts';
import type { ShownOrderStatus } from '../../format/index.ts';

/** The terms are those of the engine's order; `lots` is 0 for an order with a budget. */
export interface TrackedOrder
  extends Pick<OwnedOrder, 'orderId' | 'account' | 'conditionId' | 'tokenId' | 'outcome'>,
    Pick<PlaceOrder, 'side' | 'type' | 'priceTicks' | 'lots' | 'budgetMicros' | 'expiresAtMs'> {
  readonly filledLots: Lots;
  readonly createdMs: number;
  readonly status: ShownOrderStatus;
  /** Its newest trades since the feed of its owner began, oldest first. */
  readonly tradeIds: readonly string[];
}

export function placedOrder(
  command: PlaceOrder,
  token: Pick<TrackedOrder, 'conditionId' | 'outcome'>,
  timeMs: number,
): TrackedOrder {
  return {
    orderId: command.orderId,
    account: command.account,
    conditionId: token.conditionId,
    tokenId: command.tokenId,
    outcome: token.outcome,
    side: command.side,
    type: command.type,
    priceTicks: command.priceTicks,
    lots: command.lots,
    budgetMicros: command.budgetMicros,
    filledLots: lots(0),
    createdMs: timeMs,
    expiresAtMs: command.expiresAtMs,
    status: 'LIVE',
    tradeIds: [],
  };
}

/** An order that is live in the engine when the feed of its owner begins. */
export function restingOrder(order: OwnedOrder): TrackedOrder {
  return {
    ...order,
    filledLots: lots(order.lots - order.remainingLots),
    createdMs: order.acceptedMs,
    status: order.releaseMs > 0 ? 'DELAYED' : 'LIVE',
    tradeIds: [],
  };
}

/** The order after a trade; it keeps its newest `limit` trades. */
export function filledOrder(
  order: TrackedOrder,
  size: Lots,
  tradeId: string,
  limit: number,
): TrackedOrder {
  return {
    ...order,
    status: 'LIVE',
    filledLots: lots(order.filledLots + size),
    tradeIds: [...order.tradeIds, tradeId].slice(-limit),
  };
}

/** The size that the order was placed with, or that its budget buys (as in REST). */
export function originalLots({ lots: size, budgetMicros, ...order }: TrackedOrder): Lots {
  if (budgetMicros === 0) return size;
  const affordable = affordableLots(budgetMicros, order.priceTicks);
  return lots(Math.max(order.filledLots, affordable));
}

/** How an order ended. The unfilled part of a FAK or a budget is not a cancellation (wire 5.4). */
export function closedStatus({ reason, filledLots }: OrderClosed): ShownOrderStatus {
  if (reason === 'matched') return 'MATCHED';
  const isRest = reason === 'remainder_released' || reason === 'unmatched';
  if (isRest && filledLots > 0) return 'MATCHED';
  return reason === 'unmatched' ? 'UNMATCHED' : 'CANCELED';
}
