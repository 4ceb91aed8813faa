/**
 * A random catalog of the size of a real venue, in the form of the public catalog: events with
 * markets, tags and series, and comments on them. A few words are in many titles, most are in few.
 * The same seed makes the same catalog. Records are yielded, not kept in memory.
 */
import { Random } from '../../test/engine/random/random.ts';

export interface CatalogSize {
  readonly seed: number;
  readonly events: number;
  readonly markets: number;
  readonly tags: number;
  readonly series: number;
}

type Fields = Readonly<Record<string, unknown>>;

const TOPICS =
  'election president senate bitcoin ethereum league final champion rain snow rate cut inflation ' +
  'album film award launch rocket court verdict merger price goal score match open cup treaty';
const PLACES =
  'Oslo London Paris Tokyo Lagos Lima Quito Porto Turin Delhi Seoul Cairo München Québec ' +
  'Москва Αθήνα 東京 서울 القاهرة';
const SYLLABLES = 'ka lo mi ra ne tu so vi da pe ro na li su mo te ba ri no ge';
function words(text: string): readonly string[] {
  return text.split(' ');
}

/** Added to every id, because the built-in catalog uses the low ids. */
export const IDS_FROM = 1_000_000;

function idOf(number: number): string {
  return `${IDS_FROM + number}`;
}

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
function isoDay(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString().replace('.000Z', 'Z');
}

function hex(number: number, kind: string): string {
  return `0x${kind}${number.toString(16).padStart(62, '0')}`;
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
    const { events, markets } = this.#size;
    let nextMarket = 1;
    for (let first = 1; first <= events; first += count) {
      const last = Math.min(events, first + count - 1);
      const batch: Fields[] = [];
      for (let id = first; id <= last; id += 1) {
        const lastMarket = Math.floor((markets * id) / events);
        batch.push(this.#event(id, nextMarket, lastMarket));
        nextMarket = lastMarket + 1;
      }
      yield batch;
    }
  }

  /** A word that hardly any other title contains. */
  rareWord(number: number): string {
    const syllables = words(SYLLABLES);
    let word = '';
    for (let rest = number; rest > 0; rest = Math.floor(rest / syllables.length)) {
      word += syllables[rest % syllables.length] ?? '';
    }
    return word;
  }

  #event(id: number, firstMarket: number, lastMarket: number): Fields {
    const title = `Will ${this.#topic()} in ${this.#place()} be ${this.rareWord(id)}?`;
    const slug = `event-${id}-${this.rareWord(id)}`;
    const markets: Fields[] = [];
    for (let market = firstMarket; market <= lastMarket; market += 1) {
      markets.push(this.#market(market, title));
    }
    return {
      ...this.#dates(),
      ...this.#state(),
      id: idOf(id),
      slug,
      ticker: slug,
      title,
      description: `${title} ${'Resolves by what is published on the day. '.repeat(6)}`,
      creator: `0x${(this.#random.below(200) + 1).toString(16).padStart(40, '0')}`,
      tags: this.#tags(),
      series: this.#random.below(3) === 0 ? [this.#series()] : [],
      markets,
    };
  }

  #market(id: number, title: string): Fields {
    return {
      ...this.#dates(),
      ...this.#state(),
      id: idOf(id),
      slug: `market-${id}-${this.rareWord(id)}`,
      question: `${title} ${this.#topic()} ${this.rareWord(id)}`,
      conditionId: hex(id, 'c0'),
      questionID: hex(id, 'd0'),
      clobTokenIds: `["${id}0000001", "${id}0000002"]`,
      outcomes: '["Yes", "No"]',
      description: 'Resolves to Yes by what is published on the day. '.repeat(6),
      volume: `${this.#random.below(1_000_000)}.5`,
      volume24hr: this.#random.below(10_000),
      liquidity: `${this.#random.below(50_000)}`,
      gameStartTime: '2027-03-23 19:00:00+00',
      feeType: 'none',
    };
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
        body: `I think ${this.#topic()} in ${this.#place()} ${this.rareWord(id)}.`,
        parentEntityType: 'Event',
        parentEntityID: IDS_FROM + parentEvent,
        parentCommentID: isAnswer ? idOf(id - 1) : null,
        userAddress: `0x${(1 + this.#random.below(5_000)).toString(16).padStart(40, '0')}`,
      };
    }
  }

  #topic(): string {
    const all = words(TOPICS);
    // The first words are frequent: half of all titles share a few of them.
    const place = Math.floor(all.length * (this.#random.below(1_000) / 1_000) ** 2);
    return all[place] ?? '';
  }

  #place(): string {
    const all = words(PLACES);
    return all[this.#random.below(all.length)] ?? '';
  }

  #tags(): readonly Fields[] {
    const count = 1 + this.#random.below(4);
    const numbers = Array.from({ length: count }, () =>
      Math.floor(this.#size.tags * (this.#random.below(1_000) / 1_000) ** 3),
    );
    return [...new Set(numbers)].map((number) => ({
      id: idOf(number + 1),
      slug: `tag-${number + 1}`,
      label: `${words(TOPICS)[number] ?? this.rareWord(number)} ${number + 1}`,
    }));
  }

  #series(): Fields {
    const number = 1 + this.#random.below(this.#size.series);
    return {
      id: idOf(number),
      slug: `series-${number}`,
      title: `Series ${number}`,
    };
  }

  #dates(): Fields {
    const day = this.#random.below(700);
    const dates = { startDate: isoDay(day), endDate: isoDay(day + 30 + this.#random.below(300)) };
    return { ...dates, createdAt: isoDay(day), updatedAt: isoDay(day + this.#random.below(30)) };
  }

  #state(): Fields {
    const isClosed = this.#random.below(3) > 0;
    return { active: true, closed: isClosed, archived: isClosed && this.#random.below(10) === 0 };
  }
}
