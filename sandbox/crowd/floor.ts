/**
 * The markets that the crowd trades in, with their makers and fair values.
 *
 * Invariant: what a market is like follows from the seed, its condition id, and whether it is one
 * of the first or depends on others. All fair values move together with the model's time.
 * Bound: `CROWD_MARKETS` markets, the first that were created and are not over.
 */
import { DAY_MS, HOUR_MS, ONE_TICKS } from '../../engine/model/index.ts';
import type { Random } from '../../http/codec/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import type { BookViews, MarketEntry, Registry } from '../../http/views/index.ts';
import {
  type CrowdModes,
  drawNature,
  happens,
  logNormal,
  type Nature,
  probabilityOf,
  randomFor,
} from './characters.ts';
import { FairValues } from './fair-values.ts';
import { type LadderTexts, type Rung, rungOf } from './ladders.ts';
import { CrowdMarket, isOver } from './market.ts';
import type { Participant } from './roster.ts';

/** The most markets that the crowd trades in. */
export const CROWD_MARKETS = 200;
/**
 * These first markets have both sides, whatever the seed, so that a first look at an exchange shows
 * prices.
 */
const ORDINARY_MARKETS = 10;
/** How long a market without an end date lasts, as far as its fair value is concerned. */
const USUAL_LIFE_MS = 365 * DAY_MS;
/** A market that is about to end, or should have ended, moves as if this were left. */
const LEAST_LEFT_MS = 6 * HOUR_MS;
/** The likeliest rung of a new ladder, and how much of its chance each further one has. */
const FIRST_RUNG_PERCENT = { least: 55, most: 85 } as const;
const NEXT_RUNG_PERCENT = { least: 40, most: 80 } as const;

export interface FloorParts {
  readonly registry: Registry;
  readonly books: BookViews;
  readonly settings: Pick<Settings, 'crowdSeed' | 'crowdModel'>;
  readonly makers: readonly Participant[];
  readonly modes: CrowdModes;
  /** What the catalog says of a market; undefined if it has none. */
  readonly textsOf: (conditionId: string) => LadderTexts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Markets with one hidden variable, the likeliest rung of a ladder first. */
interface Group {
  readonly conditionIds: readonly string[];
  readonly values: FairValues;
  readonly endMs: number;
}

export class Floor {
  readonly #parts: FloorParts;
  readonly #random: Random;
  readonly #markets = new Map<string, CrowdMarket>();
  readonly #rungs = new Map<string, Rung>();
  /** By the name of the group. One that lacks a new market is made again. */
  readonly #groups = new Map<string, Group>();
  /** The number of markets of the exchange when it was last searched. */
  #seenMarkets = 0;

  constructor(parts: FloorParts) {
    this.#parts = parts;
    this.#random = randomFor(parts.settings.crowdSeed, 'news');
  }

  get markets(): readonly CrowdMarket[] {
    return [...this.#markets.values()];
  }

  /**
   * Adds new markets and drops those that are over. It searches only if there are new ones, or if
   * one of a full floor is over and leaves its place to another.
   */
  update(): void {
    const { registry } = this.#parts;
    const count = registry.counts.markets;
    if (count === this.#seenMarkets && !this.#hasPlaceToGive()) return;
    this.#seenMarkets = count;
    for (const [conditionId, market] of this.#markets) {
      if (!market.isOver) continue;
      this.#markets.delete(conditionId);
      this.#groups.delete(this.#rungOf(conditionId).group);
      this.#rungs.delete(conditionId);
    }
    let place = 0;
    for (const entry of registry.markets()) {
      place += 1;
      const { conditionId, negRisk } = entry;
      const isFull = this.#markets.size >= CROWD_MARKETS;
      // There may be very many that are over, or without room. Of these only the outcomes of
      // neg-risk events matter, because they have their part of 1.
      if (isOver(entry) || (isFull && !negRisk)) continue;
      if (!this.#rungs.has(conditionId)) {
        const texts = negRisk ? undefined : this.#parts.textsOf(conditionId);
        const found = rungOf(entry, texts, place);
        this.#rungs.set(conditionId, found);
        // It has one more market: its values are made again, from the prices that it has.
        this.#groups.delete(found.group);
      }
      if (!isFull && !this.#markets.has(conditionId)) this.#add(entry, place);
    }
    for (const market of this.#markets.values()) this.#groupOf(market.conditionId);
  }

  #hasPlaceToGive(): boolean {
    if (this.#markets.size < CROWD_MARKETS) return false;
    return this.markets.some(({ isOver }) => isOver);
  }

  /** A market of the floor; undefined if there is no room for it or it is over. */
  find(conditionId: string): CrowdMarket | undefined {
    this.update();
    return this.#markets.get(conditionId);
  }

  /** Lets time pass in the model: fair values move, and now and then there is news of a group. */
  advance(passedMs: number): void {
    const { settings, now } = this.#parts;
    const { volatility, newsPerDay, newsPercent } = settings.crowdModel;
    const nowMs = now();
    const groups = [...this.#groups.values()];
    for (const { values, endMs } of groups) {
      values.reveal((volatility ** 2 * passedMs) / Math.max(endMs - nowMs, LEAST_LEFT_MS));
    }
    // The first event of a Poisson process in this time.
    const hasNews = happens(this.#random, 1 - Math.exp((-newsPerDay * passedMs) / DAY_MS));
    if (hasNews && groups.length > 0) this.#random.pick(groups).values.reveal(newsPercent / 100);
    for (const group of groups) this.#tell(group);
  }

  #tell({ conditionIds, values }: Group): void {
    const fair = values.values;
    for (const [place, conditionId] of conditionIds.entries()) {
      const market = this.#markets.get(conditionId);
      if (market !== undefined) market.fair = fair[place];
    }
  }

  #add(entry: MarketEntry, place: number): void {
    const { makers, settings, registry, books, modes } = this.#parts;
    const { conditionId } = entry;
    const { crowdModel: model, crowdSeed } = settings;
    const maker = randomFor(crowdSeed, `maker of ${conditionId}`).pick(makers);
    const nature = this.#natureOf(entry, place <= ORDINARY_MARKETS);
    const parts = { conditionId, nature, model, registry, books, modes, maker };
    this.#markets.set(conditionId, new CrowdMarket(parts));
  }

  #natureOf({ conditionId }: MarketEntry, isOrdinary: boolean): Nature {
    const random = randomFor(this.#parts.settings.crowdSeed, conditionId);
    const isAlone = this.#rungOf(conditionId).group === conditionId;
    return drawNature(random, isOrdinary || !isAlone);
  }

  #rungOf(conditionId: string): Rung {
    const place = this.#rungs.get(conditionId);
    if (place === undefined) throw new Error('every market has a place when the floor knows it');
    return place;
  }

  #groupOf(conditionId: string): Group {
    const { group: name } = this.#rungOf(conditionId);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const { settings, textsOf, now } = this.#parts;
    const conditionIds = [...this.#rungs]
      .filter(([, { group }]) => group === name)
      .toSorted(([, one], [, other]) => one.rank - other.rank)
      .map(([id]) => id);
    const ends = conditionIds.map((id) => Date.parse(textsOf(id)?.endDate ?? ''));
    const knownEnds = ends.filter((end) => !Number.isNaN(end));
    const endMs = knownEnds.length > 0 ? Math.max(...knownEnds) : now() + USUAL_LIFE_MS;
    const random = randomFor(settings.crowdSeed, `values of ${name}`);
    const isNegRisk = this.#entryOf(conditionId).negRisk;
    const values = new FairValues(this.#firstValues(conditionIds, random), isNegRisk, random);
    const group = { conditionIds, values, endMs };
    this.#groups.set(name, group);
    this.#tell(group);
    return group;
  }

  #entryOf(conditionId: string): MarketEntry {
    const entry = this.#parts.registry.market(conditionId);
    if (entry === undefined) throw new Error('the markets of a group are registered');
    return entry;
  }

  /** What the books say: midpoints and last trades; for markets without them what the seed says. */
  #firstValues(conditionIds: readonly string[], random: Random): number[] {
    const entries = conditionIds.map((conditionId) => this.#entryOf(conditionId));
    const drawn = this.#drawValues(entries, random);
    const values = entries.map(({ tokenIds }, place) => {
      const book = this.#parts.books.token(tokenIds[0]);
      const isTwoSided = book !== undefined && book.bidTicks > 0 && book.askTicks < ONE_TICKS;
      const isKnown = isTwoSided || book?.lastTradeTicks !== undefined;
      return isKnown ? book.value / (2 * ONE_TICKS) : (drawn[place] ?? 0);
    });
    if (!entries.some(({ negRisk }) => negRisk)) return values.toSorted((a, b) => b - a);
    const sum = values.reduce((all, value) => all + value, 0);
    return values.map((value) => value / sum);
  }

  #drawValues(entries: readonly MarketEntry[], random: Random): number[] {
    const [first] = entries;
    if (first?.negRisk === true) return entries.map(() => logNormal(random, 1));
    if (entries.length === 1 && first !== undefined) {
      const nature = this.#markets.get(first.conditionId)?.nature ?? this.#natureOf(first, true);
      return [probabilityOf(nature.logOdds)];
    }
    let value = random.between(FIRST_RUNG_PERCENT.least, FIRST_RUNG_PERCENT.most) / 100;
    return entries.map((_, place) => {
      if (place > 0) {
        value *= random.between(NEXT_RUNG_PERCENT.least, NEXT_RUNG_PERCENT.most) / 100;
      }
      return value;
    });
  }
}
