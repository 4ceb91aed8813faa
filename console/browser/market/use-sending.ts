/** Sends the order of a ticket. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { session } from '../identity/index.ts';
import type { OrderBody } from '../signing/order.ts';
import type { MarketView } from '../streams/market-feed.ts';
import type { MarketRules, Order } from '../trading/draft.ts';
import { ExchangeError, type Market, type OrderResult, send } from '../wire/index.ts';
import type { Ticket } from './ticket-state.ts';

export interface Desk {
  readonly market: ReadonlySignal<Market>;
  /** With the price step of now. */
  readonly rules: ReadonlySignal<MarketRules>;
  readonly view: MarketView;
  readonly ticket: Ticket;
}

/** An order that the exchange accepted. */
export interface SentOrder {
  readonly order: Order;
  readonly result: OrderResult;
}

/** An order that was sent and not answered: it may have been carried out. */
interface Unanswered {
  readonly question: string;
  readonly body: OrderBody;
}

/** Whether the exchange said that it did not carry the order out. */
function isRefusal(fault: unknown): boolean {
  return fault instanceof ExchangeError && fault.status >= 400 && fault.status < 500;
}

/**
 * Sends the order of the ticket. After success the amount is emptied, so that a second click sends
 * nothing. After no answer the next click sends the same signed order, which the exchange never
 * carries out twice.
 */
export function useSending({ quantity }: Ticket) {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const sent = useSignal<SentOrder | undefined>(undefined);
  const unanswered = useSignal<Unanswered | undefined>(undefined);
  async function deliver(order: Order): Promise<OrderResult> {
    const question = JSON.stringify([order, session.identity.peek()]);
    const { body } =
      unanswered.value?.question === question ? unanswered.value : await session.signOrder(order);
    unanswered.value = { question, body };
    try {
      const result = await send({ method: 'POST', path: '/order', body, auth: 'l2' });
      unanswered.value = undefined;
      return result;
    } catch (fault) {
      if (isRefusal(fault)) unanswered.value = undefined;
      throw fault;
    }
  }
  async function run(order: Order): Promise<void> {
    if (isBusy.value) return;
    const amount = quantity.value;
    isBusy.value = true;
    forget();
    try {
      sent.value = { order, result: await deliver(order) };
      if (quantity.value === amount) quantity.value = '';
    } catch (fault) {
      failure.value = fault;
    } finally {
      isBusy.value = false;
    }
  }
  function forget(): void {
    failure.value = undefined;
    sent.value = undefined;
  }
  return { isBusy, failure, sent, unanswered, run, forget };
}
