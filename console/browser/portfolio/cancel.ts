/** Cancels of orders, and what came of them. */
import { type CancelAnswer, send } from '../wire/index.ts';
import { PORTFOLIO_BOUNDS } from './use-pages.ts';

function cancelNamed(orderIds: readonly string[]): Promise<CancelAnswer> {
  return send({ method: 'DELETE', path: '/orders', body: orderIds, auth: 'l2' });
}

/** Cancels any number of orders, in requests of as many as the exchange takes. */
export async function cancelOrders(orderIds: readonly string[]): Promise<CancelAnswer> {
  const canceled: string[] = [];
  const kept: Record<string, string> = {};
  for (let first = 0; first < orderIds.length; first += PORTFOLIO_BOUNDS.idsPerCancel) {
    const part = await cancelNamed(orderIds.slice(first, first + PORTFOLIO_BOUNDS.idsPerCancel));
    canceled.push(...part.canceled);
    Object.assign(kept, part.not_canceled);
  }
  return { canceled, not_canceled: kept };
}

/** Also orders that the page does not show, of all accounts of the owner. */
export function cancelAll(): Promise<CancelAnswer> {
  return send({ method: 'DELETE', path: '/cancel-all', auth: 'l2' });
}

export function cancelMarket(conditionId: string): Promise<CancelAnswer> {
  const body = { market: conditionId };
  return send({ method: 'DELETE', path: '/cancel-market-orders', body, auth: 'l2' });
}

function count(orders: number): string {
  return orders === 1 ? '1 order' : `${orders} orders`;
}

/** "2 orders are canceled. 1 order is not canceled." */
export function cancelText({ canceled, not_canceled }: CancelAnswer): string {
  const kept = Object.keys(not_canceled).length;
  const isDone = canceled.length > 0;
  if (!isDone && kept === 0) return 'There was no order to cancel.';
  const done = isDone
    ? `${count(canceled.length)} ${canceled.length === 1 ? 'is' : 'are'} canceled.`
    : '';
  const left = kept > 0 ? `${count(kept)} ${kept === 1 ? 'is' : 'are'} not canceled:` : '';
  return `${done} ${left}`.trim();
}
