/**
 * The markets that the crowd trades in, with their makers and fair values.
 *
 * Invariant: what a market is like follows from the seed, its condition id, and whether it is one
 * of the first or of a neg-risk event. The values of the markets of a neg-risk event add up to 1.
 * Bound: `CROWD_MARKETS` markets, the first that were created and are not over.
 */
import { MINUTE_MS, ONE_TICKS } from '../../engine/model/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import type { BookViews, MarketEntry, Registry } from '../../http/views/index.ts';
import {
  type CrowdModes,
  drawNature,
  type Nature,
  probabilityOf,
  randomFor,
  traitsOfCharacter,
} from './characters.ts';
import type { Desk } from './desk.ts';
import { type Member, ValueGroup } from './fair-values.ts';
import { Maker } from './maker.ts';
import { CrowdMarket, isOver } from './market.ts';
import type { Participant } from './roster.ts';

/** The most markets that the crowd trades in. */
export const CROWD_MARKETS = 200;
/**
 * These first markets have both sides, whatever the seed, so that a first look at an exchange shows
 * prices.
 */
const ORDINARY_MARKETS = 10;
/** Turns of informed traders after news. */
const NEWS_TURNS = 3;

export interface FloorParts {
  readonly registry: Registry;
  readonly books: BookViews;
  readonly settings: Pick<Settings, 'crowdSeed' | 'crowdModel'>;
  readonly desk: Desk;
  readonly makers: readonly Participant[];
  readonly modes: CrowdModes;
}

/** A market of the floor. */
export interface Listed {
  readonly market: CrowdMarket;
  readonly makers: readonly Maker[];
}

interface TimedGroup {
  readonly values: ValueGroup;
  /** The model's time up to which it has advanced. */
  advancedMs: number;
}

export class Floor {
  readonly #parts: FloorParts;
  readonly #markets = new Map<string, Listed>();
  /** By event id, or by condition id for markets that stand alone. */
  readonly #groups = new Map<string, TimedGroup>();
  /** The number of markets of the exchange when it was last searched. */
  #seenMarkets = 0;

  constructor(parts: FloorParts) {
    this.#parts = parts;
  }

  get markets(): Iterable<Listed> {
    return this.#markets.values();
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
    for (const [conditionId, { market }] of this.#markets) {
      if (market.isOver) this.#drop(conditionId, market);
    }
    let place = 0;
    for (const entry of registry.markets()) {
      place += 1;
      if (this.#markets.size >= CROWD_MARKETS) return;
      // There may be very many that are over.
      if (!isOver(entry) && !this.#markets.has(entry.conditionId)) this.#add(entry, place);
    }
  }

  #hasPlaceToGive(): boolean {
    if (this.#markets.size < CROWD_MARKETS) return false;
    return [...this.#markets.values()].some(({ market }) => market.isOver);
  }

  /** A market of the floor; undefined if there is no room for it or it is over. */
  find(conditionId: string): Listed | undefined {
    this.update();
    return this.#markets.get(conditionId);
  }

  /** The fair value of a market, at this time of the model. News that break are noted. */
  probabilityAt(market: CrowdMarket, modelMs: number): number {
    const group = this.#groupOf(market.entry, modelMs);
    if (modelMs > group.advancedMs) {
      const news = group.values.advance((modelMs - group.advancedMs) / MINUTE_MS);
      group.advancedMs = modelMs;
      if (news !== undefined) this.#noteNews(news, group.values);
    }
    return group.values.probability(market.conditionId);
  }

  /** News about one market of an event move all of them. */
  #noteNews(about: string, { conditionIds }: ValueGroup): void {
    for (const conditionId of conditionIds) {
      const market = this.#markets.get(conditionId)?.market;
      if (market === undefined) continue;
      market.needsQuotes = true;
      if (conditionId === about) market.newsTurns = NEWS_TURNS;
    }
  }

  /** The last fair value of a market; undefined before the crowd has acted there. */
  knownProbability({ conditionId, entry }: CrowdMarket): number | undefined {
    return this.#groups.get(nameOfGroup(entry))?.values.probability(conditionId);
  }

  #add(entry: MarketEntry, place: number): void {
    const { registry, books, settings, desk, makers, modes } = this.#parts;
    const { crowdModel: model, crowdSeed: seed } = settings;
    const { conditionId } = entry;
    const nature = this.#natureOf(entry, place <= ORDINARY_MARKETS);
    const parts = { conditionId, nature, model, registry, books, modes };
    const market = new CrowdMarket(parts);
    const first = randomFor(seed, `makers of ${conditionId}`).below(makers.length);
    const chosen = [...makers.slice(first), ...makers.slice(0, first)];
    const quoting = chosen
      .slice(0, market.traits.makers)
      .map((participant, rank) => new Maker(market, { participant, desk, model, rank }));
    this.#markets.set(conditionId, { market, makers: quoting });
    // The event has one more market: its values are made again, from the prices that it has.
    this.#groups.delete(nameOfGroup(entry));
  }

  #drop(conditionId: string, { entry }: CrowdMarket): void {
    this.#markets.delete(conditionId);
    this.#groups.delete(nameOfGroup(entry));
  }

  #natureOf({ conditionId, negRisk }: MarketEntry, isOrdinary: boolean): Nature {
    const random = randomFor(this.#parts.settings.crowdSeed, conditionId);
    return drawNature(random, negRisk || isOrdinary);
  }

  #groupOf(entry: MarketEntry, modelMs: number): TimedGroup {
    const { settings } = this.#parts;
    const { conditionId, negRisk } = entry;
    const name = nameOfGroup(entry);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const random = randomFor(settings.crowdSeed, `values of ${name}`);
    const first = this.#firstValues(negRisk ? this.#marketsOfEvent(entry) : [conditionId]);
    const values = new ValueGroup(first, settings.crowdModel, random);
    const group = { values, advancedMs: modelMs };
    this.#groups.set(name, group);
    for (const member of first) {
      const listed = this.#markets.get(member.conditionId);
      if (listed !== undefined) {
        listed.market.usualProbability = values.probability(member.conditionId);
      }
    }
    return group;
  }

  /** Also those beyond `CROWD_MARKETS`, and before the event is opened. */
  #marketsOfEvent({ eventId }: MarketEntry): string[] {
    return [...this.#parts.registry.markets()]
      .filter((other) => other.negRisk && other.eventId === eventId)
      .map(({ conditionId }) => conditionId);
  }

  /** The midpoints of books with both sides, for the others what the seed says. */
  #firstValues(conditionIds: readonly string[]): Member[] {
    const { registry, books } = this.#parts;
    const natures = conditionIds.map((conditionId) => {
      const entry = registry.market(conditionId);
      if (entry === undefined) throw new Error('the markets of an event are registered');
      const listed = this.#markets.get(conditionId);
      const nature = listed?.market.nature ?? this.#natureOf(entry, true);
      const book = books.token(entry.tokenIds[0]);
      const isTwoSided = book !== undefined && book.bidTicks > 0 && book.askTicks < ONE_TICKS;
      const midpoint = isTwoSided ? book.midpoint / (2 * ONE_TICKS) : undefined;
      return { conditionId, nature, midpoint };
    });
    const weights = natures.map(({ nature }) => Math.exp(nature.logOdds));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const isEvent = conditionIds.length > 1;
    const values = natures.map(({ nature, midpoint }, index) => {
      const drawn = isEvent ? (weights[index] ?? 0) / total : probabilityOf(nature.logOdds);
      return midpoint ?? drawn;
    });
    const sum = isEvent ? values.reduce((all, value) => all + value, 0) : 1;
    return natures.map(({ conditionId, nature }, index) => ({
      conditionId,
      traits: traitsOfCharacter(nature.character),
      probability: (values[index] ?? 0) / sum,
    }));
  }
}

/** A neg-risk market shares its group with its event, any other one has its own. */
function nameOfGroup({ conditionId, negRisk, eventId }: MarketEntry): string {
  return negRisk ? `event ${eventId}` : conditionId;
}
