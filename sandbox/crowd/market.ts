/**
 * A market as the crowd sees it: its present terms and book, what the crowd wants there, and the
 * orders of noise traders that rest on its book.
 */
import { LOTS_PER_TOKEN, type Lots, lots, type Ticks } from '../../engine/model/index.ts';
import type { CrowdMode, CrowdModel } from '../../http/settings/crowd.ts';
import type { BookViews, MarketBook, MarketEntry, Registry } from '../../http/views/index.ts';
import { type CrowdModes, type Nature, type Traits, traitsOfCharacter } from './characters.ts';
import { stepFor } from './quotes.ts';
import type { Participant } from './roster.ts';

/** A resting order of a noise trader. */
export interface NoiseOrder {
  readonly participant: Participant;
  readonly orderId: string;
}

export interface MarketParts {
  readonly conditionId: string;
  readonly nature: Nature;
  readonly model: CrowdModel;
  readonly registry: Registry;
  readonly books: BookViews;
  readonly modes: CrowdModes;
}

export class CrowdMarket {
  readonly conditionId: string;
  readonly nature: Nature;
  readonly traits: Traits;
  readonly resting: NoiseOrder[] = [];
  /** Whether quotes must be placed: if the book lacks a side, or in any case. */
  fill: 'if_needed' | 'always' | 'done' = 'if_needed';
  /** Turns that informed traders have before the makers learn the news. */
  newsTurns = 0;
  /** Whether the makers have yet to learn news. */
  needsQuotes = false;
  /** Turns in a row in which every order was refused, and how many turns it sits out for that. */
  refusedTurns = 0;
  skippedTurns = 0;
  /** Around what probability the steps between levels are measured. */
  usualProbability = 0.5;
  readonly #parts: MarketParts;

  constructor(parts: MarketParts) {
    this.#parts = parts;
    this.conditionId = parts.conditionId;
    this.nature = parts.nature;
    this.traits = traitsOfCharacter(parts.nature.character);
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

  /** Whether the book has every side that the crowd quotes. */
  get isQuoted(): boolean {
    const { bids, asks } = this.book;
    const { onlySide } = this.traits;
    const hasBids = bids.levels.length > 0 || onlySide === 'ask';
    return hasBids && (asks.levels.length > 0 || onlySide === 'bid');
  }

  /** The size of a maker's best level: whole tokens, and enough for the market's minimum. */
  get levelLots(): Lots {
    const { model, nature } = this.#parts;
    const tokens = Math.max(1, Math.round(model.levelTokens * nature.sizeFactor));
    const least = Math.ceil(this.entry.minimumLots / LOTS_PER_TOKEN);
    return lots(Math.max(tokens, least) * LOTS_PER_TOKEN);
  }

  /** Between two levels of quotes. */
  get stepTicks(): Ticks {
    return stepFor(this.entry.tickTicks, this.usualProbability);
  }
}

/** Whether a market will never take orders again. */
export function isOver({ status }: MarketEntry): boolean {
  return status === 'closed' || status === 'resolved';
}
