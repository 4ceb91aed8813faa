/**
 * A market as the crowd sees it: its present terms and book, its fair value, and the runs of orders
 * that its traders carry out.
 */
import { LOTS_PER_TOKEN, ONE_TICKS, type Ticks } from '../../engine/model/index.ts';
import type { CrowdMode, CrowdModel } from '../../http/settings/crowd.ts';
import type { BookViews, MarketBook, MarketEntry, Registry } from '../../http/views/index.ts';
import { type CrowdModes, type Nature, type Traits, traitsOfCharacter } from './characters.ts';
import {
  bestQuote,
  QUOTE_SIDES,
  type Quote,
  type QuoteSide,
  type QuoteTerms,
  unitTicks,
} from './quotes.ts';
import type { Participant } from './roster.ts';

/** A large order that its trader splits into small ones. */
export interface Metaorder {
  readonly participant: Participant;
  readonly buysYes: boolean;
  /** The usual size of its small orders, in tokens. */
  readonly tokens: number;
  left: number;
}

export interface MarketParts {
  readonly conditionId: string;
  readonly nature: Nature;
  readonly model: CrowdModel;
  readonly registry: Registry;
  readonly books: BookViews;
  readonly modes: CrowdModes;
  /** Who quotes in it. */
  readonly maker: Participant;
}

export class CrowdMarket {
  readonly conditionId: string;
  readonly nature: Nature;
  readonly traits: Traits;
  readonly maker: Participant;
  /** The large orders that are carried out now. */
  readonly metaorders: Metaorder[] = [];
  /** The fair value of YES; undefined before the crowd has looked at it. */
  fair: number | undefined;
  /** The fair value that the maker's quotes are around; undefined before the first ones. */
  quoted: number | undefined;
  /** Whether somebody watched it in its last turn. */
  isWatched = false;
  /** How much recent trades raise the chance of the next one. */
  excitement = 0;
  /** Whether its book has had its first quotes. */
  isFilled = false;
  /** The maker's orders that were live when it last looked, by id; undefined before that. */
  quotes: Map<string, Quote> | undefined;
  /** Turns in a row in which every order was refused, and until which turn it sits out for that. */
  refusedTurns = 0;
  idleUntil = 0;
  readonly #parts: MarketParts;

  constructor(parts: MarketParts) {
    this.#parts = parts;
    this.conditionId = parts.conditionId;
    this.nature = parts.nature;
    this.traits = traitsOfCharacter(parts.nature.character);
    this.maker = parts.maker;
  }

  get mode(): CrowdMode {
    return this.#parts.modes.of(this.conditionId);
  }

  get entry(): MarketEntry {
    const entry = this.#parts.registry.market(this.conditionId);
    if (entry === undefined) throw new Error('markets are never removed');
    return entry;
  }

  get book(): MarketBook {
    const book = this.#parts.books.token(this.entry.tokenIds[0])?.book;
    if (book === undefined) throw new Error('every market has a book');
    return book;
  }

  /** Whether it will never take orders again. */
  get isOver(): boolean {
    return isOver(this.entry);
  }

  get acceptsOrders(): boolean {
    return this.#parts.registry.acceptsOrders(this.entry);
  }

  get terms(): QuoteTerms {
    if (this.fair === undefined) throw new Error('the fair value is known before any quotes');
    const { tickTicks } = this.entry;
    return { fair: this.fair, tickTicks, halfSpread: this.traits.halfSpread };
  }

  /** The sides that the maker quotes. */
  get sides(): readonly QuoteSide[] {
    const { onlySide } = this.traits;
    const { terms } = this;
    return QUOTE_SIDES.filter(
      (side) =>
        (onlySide === undefined || onlySide === side) && bestQuote(side, terms) !== undefined,
    );
  }

  /** Whether the book has every side that the maker quotes. */
  get isQuoted(): boolean {
    const { bids, asks } = this.book;
    return this.sides.every((side) => (side === 'bid' ? bids : asks).levels.length > 0);
  }

  /** Whether the fair value has left the maker's quotes behind. */
  get isStale(): boolean {
    const { fair = 0, quoted } = this;
    if (quoted === undefined) return false;
    const most = Math.max(this.traits.halfSpread, 0.5) * unitTicks(this.terms);
    return ONE_TICKS * Math.abs(fair - quoted) > most;
  }

  /** Resting orders that the maker wants on a side. */
  get wishedOrders(): number {
    return Math.max(1, Math.round(this.#parts.model.orders * this.traits.depth));
  }

  /** The median size of a resting order, in tokens: enough for the market's minimum. */
  get medianTokens(): number {
    const { model, nature } = this.#parts;
    const tokens = model.orderTokens * nature.sizeFactor * this.traits.depth;
    return Math.max(tokens, this.entry.minimumLots / LOTS_PER_TOKEN);
  }

  /** The best price of a side; undefined if nothing rests there. */
  best(side: QuoteSide): Ticks | undefined {
    const { levels, bestTicks } = side === 'bid' ? this.book.bids : this.book.asks;
    return levels.length === 0 ? undefined : bestTicks;
  }
}

/** Whether a market will never take orders again. */
export function isOver({ status }: MarketEntry): boolean {
  return status === 'closed' || status === 'resolved';
}
