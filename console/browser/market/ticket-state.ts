/**
 * The ticket of a market page: what a person chose and typed, and the order that it makes.
 *
 * Invariant: a quantity keeps its meaning: when cash becomes tokens or the other way round, the
 * field is emptied. Prices are texts in cents, as they are typed.
 */

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { DAY_MS, type OrderType, type Side } from '../../../engine/model/index.ts';
import { ONE_TICKS } from '../decimal/index.ts';
import { DECIMALS, decimalText, localTime } from '../kit/index.ts';
import type { BookLevel, Outcome } from '../streams/market-book.ts';
import type { MarketView } from '../streams/market-feed.ts';
import { isBudget, type MarketRules, type OrderDraft, readDraft } from '../trading/draft.ts';
import { worstPrice } from '../trading/estimate.ts';

const CENT_DECIMALS = 2;

export function priceText(ticks: number): string {
  return decimalText(ticks, CENT_DECIMALS);
}

export function isMarketType(type: OrderType): boolean {
  return type === 'FOK' || type === 'FAK';
}

/** As `<input type="datetime-local">` has it. */
function tomorrow(): string {
  return localTime(Date.now() + DAY_MS)
    .slice(0, 16)
    .replace(' ', 'T');
}

export class Ticket {
  readonly outcome = signal<Outcome>(0);
  readonly side = signal<Side>('BUY');
  readonly type = signal<OrderType>('GTC');
  /** Empty in a market order: the worst price follows the book. */
  readonly price = signal('');
  readonly quantity = signal('');
  readonly postOnly = signal(false);
  readonly expiration = signal('');
  readonly isBudget = computed(() => isBudget({ side: this.side.value, type: this.type.value }));
  /** The worst price that follows the book; undefined without one. */
  readonly bookPrice: ReadonlySignal<number | undefined>;
  readonly draft: ReadonlySignal<OrderDraft>;
  readonly reading;
  readonly #rules: ReadonlySignal<MarketRules>;
  readonly #view: MarketView;

  constructor(rules: ReadonlySignal<MarketRules>, view: MarketView) {
    this.#rules = rules;
    this.#view = view;
    this.bookPrice = computed(() => this.#bookPrice());
    this.draft = computed(() => ({
      outcome: this.outcome.value,
      side: this.side.value,
      type: this.type.value,
      price: this.#price(),
      quantity: this.quantity.value,
      postOnly: this.postOnly.value,
      expiration: this.expiration.value,
    }));
    this.reading = computed(() => readDraft(this.draft.value, rules.value));
  }

  /** The levels that the order meets, the best first. */
  levels(): readonly BookLevel[] {
    // Read first, so that what calls this is told when the book changes.
    void this.#view.changes.value;
    return this.#view.book.levels(this.outcome.value, this.side.value === 'BUY' ? 'ask' : 'bid');
  }

  /** The best price that the order can trade at; undefined if there is none. */
  bestPrice(outcome: Outcome): number | undefined {
    void this.#view.changes.value;
    return this.#view.book.best(outcome, this.side.value === 'BUY' ? 'ask' : 'bid');
  }

  chooseSide(side: Side): void {
    this.#change(() => {
      this.side.value = side;
    });
  }

  chooseOutcome(outcome: Outcome): void {
    batch(() => {
      if (outcome === this.outcome.peek()) return;
      this.outcome.value = outcome;
      this.price.value = '';
    });
  }

  chooseType(type: OrderType): void {
    const wasMarket = isMarketType(this.type.peek());
    this.#change(() => {
      this.type.value = type;
      if (wasMarket !== isMarketType(type)) this.price.value = '';
      if (type === 'GTD' && this.expiration.peek() === '') this.expiration.value = tomorrow();
    });
  }

  /** Takes the price of a level, and all tokens up to it. */
  takeLevel(side: Side, priceTicks: number, lots: number): void {
    batch(() => {
      this.chooseSide(side);
      if (isMarketType(this.type.peek())) this.chooseType('GTC');
      this.postOnly.value = false;
      this.price.value = priceText(priceTicks);
      this.quantity.value = decimalText(lots, DECIMALS.lots);
    });
  }

  /** Moves the price by steps of the market, to the next price on its grid. */
  movePrice(steps: number): void {
    const { tickTicks } = this.#rules.peek();
    const reading = Number(this.price.peek() === '' ? Number.NaN : this.price.peek());
    const typed = Number.isFinite(reading) ? Math.round(reading * 100) : this.#startPrice();
    const place = steps > 0 ? Math.floor(typed / tickTicks) : Math.ceil(typed / tickTicks);
    const moved = (place + steps) * tickTicks;
    const ticks = Math.min(Math.max(moved, tickTicks), ONE_TICKS - tickTicks);
    this.price.value = priceText(ticks);
  }

  /** Empties the fields; side, outcome and type stay. */
  clear(): void {
    batch(() => {
      this.price.value = '';
      this.quantity.value = '';
      this.postOnly.value = false;
    });
  }

  #change(change: () => void): void {
    batch(() => {
      const hadBudget = this.isBudget.peek();
      change();
      if (hadBudget !== this.isBudget.peek()) this.quantity.value = '';
    });
  }

  #price(): string {
    const typed = this.price.value;
    if (typed !== '' || !isMarketType(this.type.value)) return typed;
    const ticks = this.bookPrice.value;
    return ticks === undefined ? '' : priceText(ticks);
  }

  #startPrice(): number {
    const { book } = this.#view;
    const outcome = this.outcome.peek();
    return (
      this.#bookPrice() ?? book.best(outcome, 'bid') ?? book.best(outcome, 'ask') ?? ONE_TICKS / 2
    );
  }

  #bookPrice(): number | undefined {
    const [side, type] = [this.side.value, this.type.value];
    if (!isMarketType(type)) return this.bestPrice(this.outcome.value);
    const { tickTicks } = this.#rules.value;
    const hundredths = Number(this.quantity.value) * 100;
    const amount = Number.isFinite(hundredths) ? Math.round(hundredths) : 0;
    const scale = this.isBudget.value ? 10_000 : 1;
    return worstPrice({ side, type, amount: amount * scale, tickTicks }, this.levels());
  }
}
