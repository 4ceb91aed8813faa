/** What all parts of a market page share. */
import type { ReadonlySignal } from '@preact/signals';
import type { MarketView } from '../streams/index.ts';
import type { MarketRules } from '../trading/index.ts';
import type { Market } from '../wire/index.ts';
import type { Ticket } from './ticket-state.ts';

export interface Desk {
  readonly market: ReadonlySignal<Market>;
  /** With the price step of now. */
  readonly rules: ReadonlySignal<MarketRules>;
  readonly view: MarketView;
  readonly ticket: Ticket;
}
