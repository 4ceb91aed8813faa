/**
 * The same operations in `nodejs-order-book`: a book alone, without accounts, balances, fees,
 * events, bounds or self-trade prevention, so it does less for each of them. Prices are the YES
 * ticks of our one book as plain integers; a budget is given as the size that it buys.
 */
import { OrderBook, Side } from 'nodejs-order-book';
import type { Operation } from '../engine/workload.ts';
import { copyText } from '../harness/commands.ts';

/** One call, made beforehand as our commands are. */
export type BookCall =
  | { readonly kind: 'limit'; readonly options: Parameters<OrderBook['limit']>[0] }
  | { readonly kind: 'cancel'; readonly orderId: string };

export function toBookCall({ command, isBid, bookTicks, sizeLots }: Operation): BookCall {
  if (command.kind === 'cancel_orders')
    return { kind: 'cancel', orderId: copyText(command.orderIds[0] ?? '') };
  const options = {
    side: isBid ? Side.BUY : Side.SELL,
    id: copyText(command.orderId),
    size: sizeLots,
    price: bookTicks,
    accountId: copyText(command.account),
  };
  // The names of time in force are not exported as values.
  type Limit = Parameters<OrderBook['limit']>[0];
  const timeInForce = (command.type === 'FAK' ? 'IOC' : command.type) as Limit['timeInForce'] & {};
  return { kind: 'limit', options: { ...options, timeInForce } };
}

export function callBook(book: OrderBook, call: BookCall): unknown {
  return call.kind === 'limit' ? book.limit(call.options) : book.cancel(call.orderId);
}

/** Its levels as `price:lots`, best bid and best ask first. */
export function depthOf(book: OrderBook): string {
  const [asks, bids] = book.depth();
  const line = (levels: readonly [number, number][]): string =>
    levels.map(([price, size]) => `${price}:${size}`).join(' ');
  return `${line(bids)} | ${line(asks)}`;
}

export { OrderBook };
