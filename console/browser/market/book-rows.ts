/**
 * The rows of the order book as elements that are kept and changed in place: a book changes a
 * thousand times a second, and the page draws it once a frame.
 *
 * Invariant: only what changed is written to the page. One row can be reached by Tab, the others by
 * the arrow keys from there. Bound: the rows that it is made with.
 */
import type { Side } from '../../../engine/model/index.ts';
import { DECIMALS, decimalText, grouped } from '../decimal/index.ts';
import { centsText, tokensText } from '../trading/units.ts';
import type { BookRow } from './book-model.ts';

export interface BookPick {
  /** What takes the level: an ask is bought. */
  readonly side: Side;
  readonly row: BookRow;
}

function span(name: string, parent: HTMLElement): HTMLElement {
  const element = document.createElement('span');
  element.className = name;
  parent.append(element);
  return element;
}

/** With all decimals, so that sizes stand below each other. */
function sizeText(lots: number): string {
  return grouped(decimalText(lots, DECIMALS.lots, DECIMALS.lots));
}

const NO_ROW: BookRow = { priceTicks: 0, lots: 0, totalLots: 0, ownLots: 0 };

class Line {
  readonly element = document.createElement('button');
  readonly #bar = span('bar', this.element);
  readonly #price: HTMLElement;
  readonly #size: HTMLElement;
  readonly #total: HTMLElement;
  readonly #mine: HTMLElement;
  row = NO_ROW;
  #decimals = 0;
  #share = -1;

  /** The words between the figures make the row a sentence for screen readers. */
  constructor(verb: string) {
    span('hidden', this.element).textContent = `${verb} at `;
    this.#price = span('price', this.element);
    this.#mine = span('mine', this.element);
    span('hidden', this.element).textContent = ': ';
    this.#size = span('number', this.element);
    span('hidden', this.element).textContent = ' tokens, ';
    this.#total = span('number', this.element);
    span('hidden', this.element).textContent = ' up to here';
    this.element.type = 'button';
    this.element.className = 'book-row';
    this.element.tabIndex = -1;
    this.element.hidden = true;
  }

  show(row: BookRow | undefined, mostLots: number, decimals: number): void {
    if (row === undefined) {
      this.element.hidden = true;
      this.row = NO_ROW;
      return;
    }
    const old = this.row;
    this.row = row;
    this.element.hidden = false;
    const isSame =
      this.#decimals === decimals &&
      old.priceTicks === row.priceTicks &&
      old.lots === row.lots &&
      old.totalLots === row.totalLots &&
      old.ownLots === row.ownLots;
    this.#decimals = decimals;
    if (!isSame) this.#write(row);
    const share = Math.round((row.totalLots / mostLots) * 1000) / 1000;
    if (share === this.#share) return;
    this.#share = share;
    this.#bar.style.transform = `scaleX(${share})`;
  }

  #write({ priceTicks, lots, totalLots, ownLots }: BookRow): void {
    this.#price.textContent = centsText(priceTicks, this.#decimals);
    this.#size.textContent = sizeText(lots);
    this.#total.textContent = sizeText(totalLots);
    this.#mine.textContent = ownLots > 0 ? `my ${tokensText(ownLots)}` : '';
    this.element.classList.toggle('own', ownLots > 0);
  }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export class BookRows {
  readonly #asks: readonly Line[];
  readonly #bids: readonly Line[];
  /** From top to bottom. */
  readonly #lines: readonly Line[];
  #current: Line | undefined;

  /** Fills the two elements with `count` rows each; the best rows are next to each other. */
  constructor(
    places: { readonly asks: HTMLElement; readonly bids: HTMLElement },
    count: number,
    onPick: (pick: BookPick) => void,
  ) {
    const make = (verb: string) => Array.from({ length: count }, () => new Line(verb));
    this.#asks = make('Buy');
    this.#bids = make('Sell');
    this.#lines = [...this.#asks.toReversed(), ...this.#bids];
    // The style sheet draws the first of them lowest.
    places.asks.replaceChildren(...this.#asks.map(({ element }) => element));
    places.bids.replaceChildren(...this.#bids.map(({ element }) => element));
    for (const [side, lines] of [['BUY', this.#asks] as const, ['SELL', this.#bids] as const]) {
      for (const line of lines) {
        line.element.addEventListener('click', () => onPick({ side, row: line.row }));
        line.element.addEventListener('keydown', (event) => this.#move(line, event));
        line.element.addEventListener('focus', () => this.#reachable(line));
      }
    }
  }

  /** All prices get the same number of decimals. */
  draw(asks: readonly BookRow[], bids: readonly BookRow[], decimals: number): void {
    const mostLots = Math.max(asks.at(-1)?.totalLots ?? 0, bids.at(-1)?.totalLots ?? 0, 1);
    const focused = this.#lines.find(({ element }) => element === document.activeElement);
    for (const [place, line] of this.#asks.entries()) line.show(asks[place], mostLots, decimals);
    for (const [place, line] of this.#bids.entries()) line.show(bids[place], mostLots, decimals);
    if (this.#current === undefined || this.#current.element.hidden) {
      const next = this.#nearest();
      this.#reachable(next);
      if (focused?.element.hidden) next?.element.focus();
    }
  }

  /** The visible row nearest to the one that can be reached by Tab; at first the best ask. */
  #nearest(): Line | undefined {
    const shown = this.#lines.filter(({ element }) => !element.hidden);
    const placeOf = (line: Line): number => this.#lines.indexOf(line);
    const here = this.#current === undefined ? this.#asks.length - 1 : placeOf(this.#current);
    return shown.reduce<Line | undefined>(
      (best, line) =>
        best === undefined || Math.abs(placeOf(line) - here) < Math.abs(placeOf(best) - here)
          ? line
          : best,
      undefined,
    );
  }

  #reachable(line: Line | undefined): void {
    if (this.#current !== undefined) this.#current.element.tabIndex = -1;
    this.#current = line;
    if (line !== undefined) line.element.tabIndex = 0;
  }

  #move(from: Line, event: KeyboardEvent): void {
    const shown = this.#lines.filter(({ element }) => !element.hidden);
    const place = shown.indexOf(from) + (STEPS[event.key] ?? 0);
    const next =
      event.key === 'Home' ? shown[0] : event.key === 'End' ? shown.at(-1) : shown[place];
    if (next === undefined || next === from) return;
    event.preventDefault();
    next.element.focus();
  }
}
