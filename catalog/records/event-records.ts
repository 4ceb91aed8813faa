/**
 * Events, markets, tags and series of an import, checked one by one and against each other. Pure:
 * stored records are not looked at.
 */
import { eventFigures, marketFigures } from '../json/record-text.ts';
import {
  CATALOG_BOUNDS,
  describeValue,
  type EventFigureRow,
  type EventRow,
  FIGURES,
  type Figure,
  type FigureRow,
  LIVE_FIELDS,
  type MarketRow,
  pairOf,
  type RefusalList,
  type SeriesRow,
  type ShownFigures,
  type TagRow,
} from '../model/index.ts';
import {
  anything,
  date,
  figureOf,
  flag,
  flagOf,
  hash,
  line,
  list,
  minimumSize,
  numericId,
  openFlag,
  openTime,
  optionalHash,
  outcomes,
  prose,
  requiredLine,
  slug,
  tickSize,
  tokenIds,
  webAddress,
} from './fields.ts';
import { deriveHexIdentity } from './identity.ts';
import { type Candidate, RecordSchema, readList } from './record-schema.ts';

const DATES = { createdAt: date, updatedAt: date } as const;
const STATE = { active: flag(true), closed: flag(false), archived: flag(false), ...DATES };
const CONTENT = {
  description: prose,
  resolutionSource: webAddress,
  image: webAddress,
  icon: webAddress,
} as const;
/** Figures of the two kinds of market that public catalogs have had: pools and order books. */
const PARTS = FIGURES.flatMap((name) => [`${name}Amm`, `${name}Clob`] as const);
const GIVEN_FIGURES = namesOf([...FIGURES, 'volumeNum', 'liquidityNum', ...PARTS]);
const LIVE = namesOf(LIVE_FIELDS);

const { marketsAnEvent, tagsAnEvent, seriesAnEvent } = CATALOG_BOUNDS;

const EVENT = new RecordSchema(
  {
    id: numericId,
    slug,
    ticker: line,
    title: requiredLine,
    creator: line,
    startDate: date,
    creationDate: date,
    endDate: date,
    closedTime: openTime,
    ...CONTENT,
    ...STATE,
  },
  {
    negRisk: openFlag,
    negRiskMarketID: optionalHash,
    markets: list(marketsAnEvent),
    tags: list(tagsAnEvent),
    series: list(seriesAnEvent),
    competitive: anything,
    commentCount: anything,
    ...GIVEN_FIGURES,
  },
);

const MARKET = new RecordSchema(
  {
    id: numericId,
    conditionId: hash,
    slug,
    question: requiredLine,
    groupItemTitle: line,
    startDate: date,
    endDate: date,
    enableOrderBook: flag(true),
    acceptingOrders: flag(true),
    mirrorConditionId: optionalHash,
    creator: line,
    ...CONTENT,
    ...STATE,
  },
  {
    questionID: optionalHash,
    outcomes,
    clobTokenIds: tokenIds,
    negRisk: openFlag,
    mirrorClobTokenIds: anything,
    orderPriceMinTickSize: tickSize,
    orderMinSize: minimumSize,
    // The caller has read the event of the market.
    events: anything,
    ...LIVE,
    ...GIVEN_FIGURES,
  },
);

const TAG = new RecordSchema(
  { id: numericId, slug, label: requiredLine, requiresTranslation: flag(false), ...DATES },
  {},
);

const SERIES = new RecordSchema(
  {
    id: numericId,
    slug,
    ticker: line,
    title: requiredLine,
    seriesType: line,
    recurrence: line,
    image: webAddress,
    icon: webAddress,
    ...STATE,
  },
  // Events name their series; the other direction is not read.
  { events: anything },
);

type EventRecord = NonNullable<ReturnType<typeof EVENT.check>>;
type MarketRecord = NonNullable<ReturnType<typeof MARKET.check>>;

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
  const names = new NameRegister(refusals);
  return events.flatMap((value: unknown, index) => {
    const event = checkEvent({ value, path: `${path}[${index}]`, refusals });
    if (event === undefined) return [];
    names.registerEvent(event);
    return [event];
  });
}

function checkEvent(candidate: Candidate): CheckedEvent | undefined {
  const { path, refusals } = candidate;
  const checked = EVENT.check(candidate);
  // The lists of a refused event are checked too, so that one import names all its faults.
  const parent = {
    eventId: checked?.row.id ?? Number.NaN,
    creator: checked?.row.creator ?? '',
    isNegRisk: checked?.others.negRisk ?? false,
  };
  const markets = readList(candidate, { name: 'markets', most: marketsAnEvent }, (market) =>
    checkMarketRecord(market, parent),
  );
  const tags = readList(candidate, { name: 'tags', most: tagsAnEvent }, checkTag);
  const series = readList(candidate, { name: 'series', most: seriesAnEvent }, checkSeries);
  if (checked === undefined) return undefined;
  const negRiskMarket = markets.find((market) => market.row.negRisk === 1);
  if (checked.others.negRisk === false && negRiskMarket !== undefined) {
    refusals.add(`${path}.negRisk`, `true, as ${negRiskMarket.path}.negRisk is`, 'false');
  }
  const isNegRisk = parent.isNegRisk || negRiskMarket !== undefined;
  return { path, ...eventRows(checked, isNegRisk), markets, tags, series };
}

function eventRows(
  { row, others }: EventRecord,
  isNegRisk: boolean,
): Pick<CheckedEvent, 'row' | 'figures'> {
  const negRiskEventId = others.negRiskMarketID || deriveHexIdentity('neg-risk-event', `${row.id}`);
  return {
    figures: {
      ...figuresOf(others, eventFigures),
      competitive: figureOf(others.competitive),
      sourceComments: Math.floor(figureOf(others.commentCount)),
    },
    row: {
      ...row,
      ticker: row.ticker || row.slug,
      negRisk: isNegRisk ? 1 : 0,
      negRiskEventId: isNegRisk ? negRiskEventId : '',
      record: publicEventRecord(row.record, isNegRisk),
    },
  };
}

export function checkMarketRecord(
  candidate: Candidate,
  parent: ParentEvent,
): CheckedMarket | undefined {
  const checked = MARKET.check(candidate);
  if (checked === undefined) return undefined;
  const { others } = checked;
  return {
    path: candidate.path,
    figures: figuresOf(others, marketFigures),
    outcomes: others.outcomes,
    tokenIds: others.clobTokenIds,
    row: marketRow(checked, parent),
  };
}

function marketRow({ row, others }: MarketRecord, parent: ParentEvent): MarketRow {
  const mirrorTokens = pairOf(others.mirrorClobTokenIds);
  return {
    ...row,
    eventId: parent.eventId,
    questionId: others.questionID,
    negRisk: flagOf(others.negRisk, parent.isNegRisk),
    creator: row.creator || parent.creator,
    tickTicks: others.orderPriceMinTickSize,
    minimumLots: others.orderMinSize,
    closedTime: openTime.stored(others.closedTime as never),
    record: publicMarketRecord(row),
    told: JSON.stringify(
      Object.fromEntries(LIVE_FIELDS.map((name) => [name, others[name] ?? undefined])),
    ),
    mirrorTokens: mirrorTokens === undefined ? '' : JSON.stringify(mirrorTokens),
  };
}

export function checkTag(candidate: Candidate): TagRow | undefined {
  return TAG.check(candidate)?.row;
}

export function checkSeries(candidate: Candidate): SeriesRow | undefined {
  const row = SERIES.check(candidate)?.row;
  return row && { ...row, ticker: row.ticker || row.slug };
}

/** The fields of these names, whatever they hold. */
function namesOf<Name extends string>(names: readonly Name[]) {
  // Safe: it has exactly these names.
  return Object.fromEntries(names.map((name) => [name, anything])) as Record<Name, typeof anything>;
}

/** A figure as a text, of which a number would lose digits: `5.00`. */
const FIGURE_TEXT = /^\d{1,15}(\.\d{1,20})?$/;

type GivenFigures = Readonly<Record<keyof typeof GIVEN_FIGURES, unknown>>;

/** `write`: how a record of this kind shows figures. */
function figuresOf(given: GivenFigures, write: (row: FigureRow) => string): ShownFigures {
  const row: FigureRow = {
    volume: figureOf(given.volume, given.volumeNum),
    volume24hr: figureOf(given.volume24hr),
    volume1wk: figureOf(given.volume1wk),
    volume1mo: figureOf(given.volume1mo),
    volume1yr: figureOf(given.volume1yr),
    liquidity: figureOf(given.liquidity, given.liquidityNum),
  };
  const isGiven = Object.keys(GIVEN_FIGURES).some((name) => given[name as Figure] !== undefined);
  if (!isGiven) return { ...row, sourceFigures: '' };
  const shown = JSON.parse(`{${write(row).slice(1)}}`);
  const parts = PARTS.filter((name) => typeof given[name] === 'number');
  for (const name of parts) shown[name] = given[name];
  for (const name of ['volume', 'liquidity'] as const) {
    const text = given[name];
    const isKept = typeof shown[name] === 'string' && typeof text === 'string';
    if (isKept && FIGURE_TEXT.test(text)) shown[name] = text;
  }
  return { ...row, sourceFigures: JSON.stringify(shown) };
}

// Events and markets of an import that passed their checks, as rows.

export interface CheckedMarket {
  /** The market's path in the import, for later refusals. */
  readonly path: string;
  readonly row: MarketRow;
  readonly outcomes: readonly [string, string];
  readonly tokenIds: readonly [string, string];
  readonly figures: ShownFigures;
}

export interface CheckedEvent {
  readonly path: string;
  readonly row: EventRow;
  readonly figures: EventFigureRow;
  readonly markets: readonly CheckedMarket[];
  readonly tags: readonly TagRow[];
  readonly series: readonly SeriesRow[];
}

/** What a market inherits from its event. */
export interface ParentEvent {
  readonly eventId: number;
  readonly creator: string;
  readonly isNegRisk: boolean;
}

// Fields that every record of the public catalogs has and that nothing here depends on. Strict
// clients refuse a record without them, so a record that comes without gets them when it is stored.

const PUBLIC_FIELDS = {
  new: false,
  featured: false,
  restricted: false,
  cyom: false,
  automaticallyActive: true,
  pendingDeployment: false,
  deploying: false,
  requiresTranslation: false,
} as const;

const PUBLIC_MARKET = {
  ...PUBLIC_FIELDS,
  marketMakerAddress: '',
  groupItemThreshold: '0',
  hasReviewedDates: true,
  ready: false,
  funded: false,
  competitive: 0,
  pagerDutyNotificationEnabled: false,
  approved: true,
  rewardsMinSize: 0,
  rewardsMaxSpread: 0,
  clearBookOnStart: false,
  manualActivation: false,
  negRiskOther: false,
  rfqEnabled: false,
  holdingRewardsEnabled: false,
} as const;

const PUBLIC_EVENT = {
  ...PUBLIC_FIELDS,
  enableOrderBook: true,
  showAllOutcomes: true,
  showMarketImages: true,
  negRiskAugmented: false,
} as const;

/** The further fields of a stored market or event with those that it lacks. */
function completed(record: string, fields: object): string {
  return JSON.stringify({ ...fields, ...JSON.parse(record) });
}

function publicMarketRecord({ record, createdAt }: Pick<MarketRow, 'record' | 'createdAt'>) {
  // Markets of public catalogs have them all, and an import has many.
  if (record.includes('"marketMakerAddress":')) return record;
  return completed(record, { ...PUBLIC_MARKET, acceptingOrdersTimestamp: createdAt });
}

function publicEventRecord(record: string, isNegRisk: boolean): string {
  if (record.includes('"showAllOutcomes":')) return record;
  return completed(record, { ...PUBLIC_EVENT, enableNegRisk: isNegRisk });
}

// Finds names that occur twice in one import though each must be unique.

class NameRegister {
  readonly #refusals: RefusalList;
  /** The path at which each name occurred first. */
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
    const key = `${kind} ${name}`;
    const earlier = this.#paths.get(key);
    if (earlier === undefined) this.#paths.set(key, path);
    else this.#refusals.add(path, `${kind} that no other record has`, `${name}, as at ${earlier}`);
  }

  /** A tag or series may occur in many events, always with the same id and slug. */
  #pair(kind: string, row: TagRow | SeriesRow, path: string): void {
    const slug = this.#remember(`${kind} id ${row.id}`, row.slug);
    const id = this.#remember(`${kind} slug ${row.slug}`, row.id);
    if (slug !== row.slug) {
      this.#refusals.add(
        `${path}.slug`,
        `"${slug}", as in an earlier record with id ${row.id}`,
        `"${row.slug}"`,
      );
    } else if (id !== row.id) {
      this.#refusals.add(
        `${path}.id`,
        `"${id}", as in an earlier record with slug ${row.slug}`,
        `"${row.id}"`,
      );
    }
  }

  #remember(key: string, value: string | number): string | number {
    const earlier = this.#pairs.get(key) ?? value;
    this.#pairs.set(key, earlier);
    return earlier;
  }
}
