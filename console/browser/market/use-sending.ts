/** Sends the order of a ticket. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { session } from '../identity/index.ts';
import type { MarketView } from '../streams/market-feed.ts';
import type { MarketRules, Order } from '../trading/draft.ts';
import { type Market, type OrderResult, send } from '../wire/index.ts';
import type { Ticket } from './ticket-state.ts';

/** What all parts of a market page share. */
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

/** Sends the order of the ticket. The fields stay: a person may want the same once more. */
export function useSending() {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const sent = useSignal<SentOrder | undefined>(undefined);
  async function run(order: Order): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    sent.value = undefined;
    try {
      const { body } = await session.signOrder(order);
      const request = { method: 'POST', path: '/order', body, auth: 'l2' } as const;
      sent.value = { order, result: await send(request) };
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
  return { isBusy, failure, sent, run, forget };
}
