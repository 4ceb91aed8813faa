// From a file of unknown content to rows that can be stored: every record checked by itself and
// against the other records of the same import. Pure: what is stored already is not looked at.

import type {
  EventFigureRow,
  EventRow,
  FigureRow,
  Flag,
  MarketRow,
  SeriesRow,
  TagRow,
} from '../model/index.ts';
import { CATALOG_BOUNDS, TOLD_MARKET_FIELDS } from '../model/index.ts';
import {
  readBoolean,
  readDate,
  readFigure,
  readFlag,
  readHex,
  readId,
  readMinimum,
  readMirrorTokens,
  readOutcomes,
  readRequiredHex,
  readRequiredText,
  readSlug,
  readText,
  readTick,
  readTokenIds,
  readTold,
} from './fields.ts';
import { deriveHexIdentity } from './identity.ts';
import { describeValue, RecordReader, type RefusalList } from './record-reader.ts';

export interface CheckedMarket {
  /** Where the market stands in the file, for refusals that come later. */
  readonly path: string;
  readonly row: MarketRow;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  readonly figures: FigureRow;
}

export interface CheckedEvent {
  readonly path: string;
  readonly row: EventRow;
  readonly figures: EventFigureRow;
  readonly markets: readonly CheckedMarket[];
  readonly tags: readonly TagRow[];
  readonly series: readonly SeriesRow[];
}

/** Checks `[event, …]` or `{events: [event, …]}`; each fault is added to `refusals`. */
export function checkEvents(input: unknown, refusals: RefusalList): CheckedEvent[] {
  const isWrapped = typeof input === 'object' && input !== null && 'events' in input;
  const path = isWrapped ? '$.events' : '$';
  const events: unknown = isWrapped ? input.events : input;
  if (!Array.isArray(events) || events.length > CATALOG_BOUNDS.eventsAnImport) {
    const limit = `an array of at most ${CATALOG_BOUNDS.eventsAnImport} events`;
    refusals.add(path, limit, describeValue(events));
    return [];
  }
  const records: readonly unknown[] = events;
  const names = new NameRegister(refusals);
  return records.map((record, index) => {
    const event = checkEvent(new RecordReader(record, `${path}[${index}]`, refusals));
    names.registerEvent(event);
    return event;
  });
}

function checkEvent(reader: RecordReader): CheckedEvent {
  const id = readId(reader, 'id');
  const slug = readSlug(reader, 'slug');
  const creator = readText(reader, 'creator', CATALOG_BOUNDS.lineChars);
  const statedNegRisk = readBoolean(reader, 'negRisk');
  const isNegRisk = statedNegRisk ?? false;
  const statedNegRiskEventId = readHex(reader, 'negRiskMarketID');
  const markets = reader
    .takeRecords('markets', CATALOG_BOUNDS.marketsAnEvent)
    .map((market) => checkMarket(market, { eventId: id, creator, isNegRisk }));
  if (statedNegRisk === false) refuseNegRiskMarkets(reader, markets);
  const negRisk: Flag = isNegRisk || markets.some((market) => market.row.negRisk === 1) ? 1 : 0;
  return {
    path: reader.path,
    figures: {
      ...readFigures(reader),
      competitive: readFigure(reader, 'competitive'),
      toldComments: Math.floor(readFigure(reader, 'commentCount')),
    },
    markets,
    tags: reader.takeRecords('tags', CATALOG_BOUNDS.tagsAnEvent).map(checkTag),
    series: reader.takeRecords('series', CATALOG_BOUNDS.seriesAnEvent).map(checkSeries),
    row: {
      id,
      slug,
      creator,
      negRisk,
      negRiskEventId: negRisk === 1 ? negRiskEventIdOf(statedNegRiskEventId, id) : '',
      ticker: readText(reader, 'ticker', CATALOG_BOUNDS.lineChars) || slug,
      title: readRequiredText(reader, 'title', CATALOG_BOUNDS.lineChars),
      startDate: readDate(reader, 'startDate'),
      creationDate: readDate(reader, 'creationDate'),
      endDate: readDate(reader, 'endDate'),
      ...readWords(reader),
      ...readState(reader),
      record: reader.leftover(),
    },
  };
}

/** What a market takes from its event. */
export interface ParentEvent {
  readonly eventId: number;
  readonly creator: string;
  readonly isNegRisk: boolean;
}

/** Checks one market record by itself. */
export function checkMarket(reader: RecordReader, parent: ParentEvent): CheckedMarket {
  // Its event is known from elsewhere.
  reader.take('events');
  return {
    path: reader.path,
    figures: readFigures(reader),
    outcomes: readOutcomes(reader, 'outcomes'),
    tokenIds: readTokenIds(reader, 'clobTokenIds'),
    row: {
      id: readId(reader, 'id'),
      eventId: parent.eventId,
      conditionId: readRequiredHex(reader, 'conditionId'),
      questionId: readHex(reader, 'questionID'),
      slug: readSlug(reader, 'slug'),
      question: readRequiredText(reader, 'question', CATALOG_BOUNDS.lineChars),
      groupItemTitle: readText(reader, 'groupItemTitle', CATALOG_BOUNDS.lineChars),
      startDate: readDate(reader, 'startDate'),
      endDate: readDate(reader, 'endDate'),
      enableOrderBook: readFlag(reader, 'enableOrderBook', true),
      acceptingOrders: readFlag(reader, 'acceptingOrders', true),
      negRisk: readFlag(reader, 'negRisk', parent.isNegRisk),
      mirrorConditionId: readHex(reader, 'mirrorConditionId'),
      creator: readText(reader, 'creator', CATALOG_BOUNDS.lineChars) || parent.creator,
      tickTicks: readTick(reader, 'orderPriceMinTickSize'),
      minimumLots: readMinimum(reader, 'orderMinSize'),
      ...readWords(reader),
      ...readState(reader),
      told: readTold(reader, TOLD_MARKET_FIELDS),
      mirrorTokens: readMirrorTokens(reader, 'mirrorClobTokenIds'),
      record: reader.leftover(),
    },
  };
}

function readFigures(reader: RecordReader): FigureRow {
  return {
    volume: readFigure(reader, 'volume', 'volumeNum'),
    volume24hr: readFigure(reader, 'volume24hr'),
    liquidity: readFigure(reader, 'liquidity', 'liquidityNum'),
  };
}

export function checkTag(reader: RecordReader): TagRow {
  return {
    id: readId(reader, 'id'),
    slug: readSlug(reader, 'slug'),
    label: readRequiredText(reader, 'label', CATALOG_BOUNDS.lineChars),
    requiresTranslation: readFlag(reader, 'requiresTranslation', false),
    createdAt: readDate(reader, 'createdAt'),
    updatedAt: readDate(reader, 'updatedAt'),
    record: reader.leftover(),
  };
}

export function checkSeries(reader: RecordReader): SeriesRow {
  const slug = readSlug(reader, 'slug');
  // They name it themselves.
  reader.take('events');
  return {
    id: readId(reader, 'id'),
    slug,
    ticker: readText(reader, 'ticker', CATALOG_BOUNDS.lineChars) || slug,
    title: readRequiredText(reader, 'title', CATALOG_BOUNDS.lineChars),
    seriesType: readText(reader, 'seriesType', CATALOG_BOUNDS.lineChars),
    recurrence: readText(reader, 'recurrence', CATALOG_BOUNDS.lineChars),
    image: readText(reader, 'image', CATALOG_BOUNDS.addressChars),
    icon: readText(reader, 'icon', CATALOG_BOUNDS.addressChars),
    ...readState(reader),
    record: reader.leftover(),
  };
}

/** What an event and a market say about themselves in prose and pictures. */
function readWords(reader: RecordReader) {
  return {
    description: readText(reader, 'description', CATALOG_BOUNDS.descriptionChars),
    resolutionSource: readText(reader, 'resolutionSource', CATALOG_BOUNDS.addressChars),
    image: readText(reader, 'image', CATALOG_BOUNDS.addressChars),
    icon: readText(reader, 'icon', CATALOG_BOUNDS.addressChars),
  };
}

function readState(reader: RecordReader) {
  return {
    active: readFlag(reader, 'active', true),
    closed: readFlag(reader, 'closed', false),
    archived: readFlag(reader, 'archived', false),
    createdAt: readDate(reader, 'createdAt'),
    updatedAt: readDate(reader, 'updatedAt'),
  };
}

function refuseNegRiskMarkets(reader: RecordReader, markets: readonly CheckedMarket[]): void {
  const odd = markets.find((market) => market.row.negRisk === 1);
  if (odd === undefined) return;
  reader.refuse('negRisk', `true, as ${odd.path}.negRisk is`, 'false');
}

function negRiskEventIdOf(stated: string, eventId: number): string {
  return stated === '' ? deriveHexIdentity('neg-risk-event', `${eventId}`) : stated;
}

/** The names that may occur once in an import, and where each stands. */
class NameRegister {
  readonly #refusals: RefusalList;
  readonly #paths = new Map<string, string>();
  readonly #pairs = new Map<string, string | number>();

  constructor(refusals: RefusalList) {
    this.#refusals = refusals;
  }

  registerEvent(event: CheckedEvent): void {
    this.#claim('an event id', event.row.id, `${event.path}.id`);
    this.#claim('an event slug', event.row.slug, `${event.path}.slug`);
    for (const market of event.markets) this.#registerMarket(market);
    event.tags.forEach((tag, index) => {
      this.#pair('tag', tag, `${event.path}.tags[${index}]`);
    });
    event.series.forEach((series, index) => {
      this.#pair('series', series, `${event.path}.series[${index}]`);
    });
  }

  #registerMarket({ path, row, tokenIds }: CheckedMarket): void {
    this.#claim('a market id', row.id, `${path}.id`);
    this.#claim('a market slug', row.slug, `${path}.slug`);
    this.#claim('a condition id', row.conditionId, `${path}.conditionId`);
    for (const tokenId of tokenIds) this.#claim('a token id', tokenId, `${path}.clobTokenIds`);
  }

  #claim(kind: string, name: string | number, path: string): void {
    // An empty name was refused where it was read.
    if (name === '' || name === 0) return;
    const key = `${kind} ${name}`;
    const earlier = this.#paths.get(key);
    if (earlier === undefined) this.#paths.set(key, path);
    else this.#refusals.add(path, `${kind} of its own`, `${name}, as at ${earlier}`);
  }

  /** A tag or series may occur in many events, but its id and its slug go together. */
  #pair(kind: string, row: TagRow | SeriesRow, path: string): void {
    if (row.id === 0 || row.slug === '') return;
    const slug = this.#remember(`${kind} id ${row.id}`, row.slug);
    const id = this.#remember(`${kind} slug ${row.slug}`, row.id);
    if (slug !== row.slug) {
      this.#refusals.add(`${path}.slug`, `"${slug}" as before with id ${row.id}`, `"${row.slug}"`);
    } else if (id !== row.id) {
      this.#refusals.add(`${path}.id`, `"${id}" as before with slug ${row.slug}`, `"${row.id}"`);
    }
  }

  /** What was first said under the key. */
  #remember(key: string, value: string | number): string | number {
    const earlier = this.#pairs.get(key) ?? value;
    this.#pairs.set(key, earlier);
    return earlier;
  }
}
