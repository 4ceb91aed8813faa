/**
 * A random catalog of the size of a real venue, in the form of the public catalog: events with
 * markets, tags and series, and comments on them. A few words are in many titles, most are in few.
 * The same seed makes the same catalog. Records are yielded, not kept in memory.
 */

import { openCatalog } from '../../catalog/catalog.ts';
import { Random } from '../../http/codec/random.ts';

export interface CatalogSize {
  readonly seed: number;
  readonly events: number;
  readonly markets: number;
  readonly tags: number;
  readonly series: number;
  /** Whether every market is open. Otherwise two in three events and markets have closed. */
  readonly isOpen?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** The first ones are in many titles. */
const TOPICS = (
  'election president senate bitcoin ethereum league final champion rain snow rate cut inflation ' +
  'album film award launch rocket court verdict merger price goal score match open cup treaty'
).split(' ');
const PLACES = (
  'Oslo London Paris Tokyo Lagos Lima Quito Porto Turin Delhi Seoul Cairo München Québec ' +
  'Москва Αθήνα 東京 서울 القاهرة'
).split(' ');
const SYLLABLES = 'ka lo mi ra ne tu so vi da pe ro na li su mo te ba ri no ge'.split(' ');
const RULES = 'Resolves by what is published on the day. '.repeat(6);
const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const EVENTS_PER_BATCH = 200;
const MARKETS_PER_EVENT = 4;

/** Added to every id, because the built-in catalog uses the low ids. */
export const IDS_FROM = 1_000_000;

function idOf(number: number): string {
  return `${IDS_FROM + number}`;
}

function isoDay(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString().replace('.000Z', 'Z');
}

function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

/** A word that hardly any other title contains. */
export function rareWord(number: number): string {
  let word = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
  }
  return word;
}

export interface MadeMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  readonly eventId: string;
}

/** The ids of the market with a number from 1 to `markets`. */
function marketOf(number: number, { events, markets }: CatalogSize): MadeMarket {
  return {
    conditionId: `0xc0${number.toString(16).padStart(62, '0')}`,
    tokenIds: [`${number}0000001`, `${number}0000002`],
    eventId: idOf(Math.ceil((number * events) / markets)),
  };
}

export class CatalogGenerator {
  readonly #size: CatalogSize;
  readonly #random: Random;

  constructor(size: CatalogSize) {
    this.#size = size;
    this.#random = new Random(size.seed);
  }

  /** Yields events with their markets in the order of their ids, in batches of `count`. */
  *batches(count: number): Generator<readonly Fields[]> {
    for (let first = 1; first <= this.#size.events; first += count) {
      const length = Math.min(count, this.#size.events + 1 - first);
      yield Array.from({ length }, (_, at) => this.#event(first + at));
    }
  }

  /** Yields comments on events. Every second comment replies to the comment before it. */
  *comments(count: number): Generator<Fields> {
    let parentEvent = 1;
    for (let id = 1; id <= count; id += 1) {
      const isAnswer = id % 2 === 0;
      if (!isAnswer) parentEvent = 1 + this.#random.below(this.#size.events);
      yield {
        ...this.#dates(),
        id: idOf(id),
        body: `I think ${this.#topic()} in ${this.#random.pick(PLACES)} ${rareWord(id)}.`,
        parentEntityType: 'Event',
        parentEntityID: IDS_FROM + parentEvent,
        parentCommentID: isAnswer ? idOf(id - 1) : null,
        userAddress: addressOf(1 + this.#random.below(5_000)),
      };
    }
  }

  #event(id: number): Fields {
    const { events, markets, series } = this.#size;
    const title = `Will ${this.#topic()} in ${this.#random.pick(PLACES)} be ${rareWord(id)}?`;
    const slug = `event-${id}-${rareWord(id)}`;
    const firstMarket = 1 + Math.floor((markets * (id - 1)) / events);
    const length = 1 + Math.floor((markets * id) / events) - firstMarket;
    const inSeries = 1 + this.#random.below(series);
    return {
      ...this.#dates(),
      ...this.#state(),
      id: idOf(id),
      slug,
      ticker: slug,
      title,
      description: `${title} ${RULES}`,
      creator: addressOf(1 + this.#random.below(200)),
      tags: this.#tags(),
      series:
        this.#random.below(3) === 0
          ? [{ id: idOf(inSeries), slug: `series-${inSeries}`, title: `Series ${inSeries}` }]
          : [],
      markets: Array.from({ length }, (_, at) => this.#market(firstMarket + at, title)),
    };
  }

  #market(id: number, title: string): Fields {
    const { conditionId, tokenIds } = marketOf(id, this.#size);
    return {
      ...this.#dates(),
      ...this.#state(),
      id: idOf(id),
      slug: `market-${id}-${rareWord(id)}`,
      question: `${title} ${this.#topic()} ${rareWord(id)}`,
      conditionId,
      questionID: conditionId.replace('0xc0', '0xd0'),
      clobTokenIds: JSON.stringify(tokenIds),
      outcomes: '["Yes", "No"]',
      description: RULES,
      volume: `${this.#random.below(1_000_000)}.5`,
      volume24hr: this.#random.below(10_000),
      liquidity: `${this.#random.below(50_000)}`,
      gameStartTime: '2027-03-23 19:00:00+00',
      feeType: 'none',
    };
  }

  /** Half of all titles share a few topics. */
  #topic(): string {
    return TOPICS[Math.floor(TOPICS.length * (this.#random.below(1_000) / 1_000) ** 2)]!;
  }

  #tags(): readonly Fields[] {
    const numbers = Array.from({ length: 1 + this.#random.below(4) }, () =>
      Math.floor(this.#size.tags * (this.#random.below(1_000) / 1_000) ** 3),
    );
    return [...new Set(numbers)].map((number) => ({
      id: idOf(number + 1),
      slug: `tag-${number + 1}`,
      label: `${TOPICS[number] ?? rareWord(number)} ${number + 1}`,
    }));
  }

  #dates(): Fields {
    const day = this.#random.below(700);
    const dates = { startDate: isoDay(day), endDate: isoDay(day + 30 + this.#random.below(300)) };
    return { ...dates, createdAt: isoDay(day), updatedAt: isoDay(day + this.#random.below(30)) };
  }

  #state(): Fields {
    const isClosed = !this.#size.isOpen && this.#random.below(3) > 0;
    return { active: true, closed: isClosed, archived: isClosed && this.#random.below(10) === 0 };
  }
}

/** Makes the catalog of a new data folder, in which all markets are open. Returns the markets. */
export function makeOpenCatalog(path: string, seed: number, markets: number): MadeMarket[] {
  const events = Math.ceil(markets / MARKETS_PER_EVENT);
  const size = { seed, events, markets, tags: 100, series: 20, isOpen: true };
  const catalog = openCatalog(path);
  for (const batch of new CatalogGenerator(size).batches(EVENTS_PER_BATCH)) {
    catalog.importEvents(batch);
  }
  catalog.close();
  return Array.from({ length: markets }, (_, at) => marketOf(at + 1, size));
}
