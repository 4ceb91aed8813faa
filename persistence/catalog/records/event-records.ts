/**
 * Events, markets, tags and series of an import, checked one by one and against each other. Pure:
 * what is stored already is not looked at.
 */
import {
  CATALOG_BOUNDS,
  describeValue,
  type FigureRow,
  LIVE_FIELDS,
  type MarketRow,
  pairOf,
  type RefusalList,
  type SeriesRow,
  type TagRow,
} from '../model/index.ts';
import type { CheckedEvent, CheckedMarket, ParentEvent } from './checked-event.ts';
import {
  anything,
  checkedPairOf,
  date,
  dateOf,
  figureOf,
  flagField,
  flagOf,
  hash,
  line,
  list,
  lotsOf,
  minimumSize,
  numericId,
  optionalHash,
  outcomes,
  prose,
  requiredLine,
  slug,
  textOf,
  tickSize,
  ticksOf,
  tokenIds,
  webAddress,
} from './fields.ts';
import { deriveHexIdentity } from './identity.ts';
import { type Candidate, type CheckedRecord, RecordSchema, readList } from './record-schema.ts';
import { NameRegister } from './unique-names.ts';

const DATES = { createdAt: date, updatedAt: date } as const;
const STATE = { active: flagField, closed: flagField, archived: flagField, ...DATES } as const;
const CONTENT = {
  description: prose,
  resolutionSource: webAddress,
  image: webAddress,
  icon: webAddress,
} as const;
const FIGURES = {
  volume: anything,
  volumeNum: anything,
  volume24hr: anything,
  liquidity: anything,
  liquidityNum: anything,
} as const;

const { marketsAnEvent, tagsAnEvent, seriesAnEvent } = CATALOG_BOUNDS;

const EVENT = new RecordSchema({
  id: numericId,
  slug,
  ticker: line,
  title: requiredLine,
  creator: line,
  negRisk: flagField,
  negRiskMarketID: optionalHash,
  startDate: date,
  creationDate: date,
  endDate: date,
  markets: list(marketsAnEvent),
  tags: list(tagsAnEvent),
  series: list(seriesAnEvent),
  competitive: anything,
  commentCount: anything,
  ...FIGURES,
  ...CONTENT,
  ...STATE,
});

const MARKET = new RecordSchema({
  id: numericId,
  conditionId: hash,
  questionID: optionalHash,
  slug,
  question: requiredLine,
  groupItemTitle: line,
  outcomes,
  clobTokenIds: tokenIds,
  startDate: date,
  endDate: date,
  enableOrderBook: flagField,
  acceptingOrders: flagField,
  negRisk: flagField,
  mirrorConditionId: optionalHash,
  mirrorClobTokenIds: anything,
  creator: line,
  orderPriceMinTickSize: tickSize,
  orderMinSize: minimumSize,
  // The catalog knows the event of a market by itself.
  events: anything,
  ...Object.fromEntries(LIVE_FIELDS.map((name) => [name, anything])),
  ...FIGURES,
  ...CONTENT,
  ...STATE,
});

const TAG = new RecordSchema({
  id: numericId,
  slug,
  label: requiredLine,
  requiresTranslation: flagField,
  ...DATES,
});

const SERIES = new RecordSchema({
  id: numericId,
  slug,
  ticker: line,
  title: requiredLine,
  seriesType: line,
  recurrence: line,
  image: webAddress,
  icon: webAddress,
  // Events name their series; the other direction is not read.
  events: anything,
  ...STATE,
});

type EventFields = NonNullable<ReturnType<typeof EVENT.check>>;
type MarketFields = NonNullable<ReturnType<typeof MARKET.check>>;

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
    eventId: Number(checked?.fields.id),
    creator: textOf(checked?.fields.creator),
    isNegRisk: checked?.fields.negRisk ?? false,
  };
  const markets = readList(candidate, { name: 'markets', most: marketsAnEvent }, (market) =>
    checkMarketRecord(market, parent),
  );
  const tags = readList(candidate, { name: 'tags', most: tagsAnEvent }, checkTag);
  const series = readList(candidate, { name: 'series', most: seriesAnEvent }, checkSeries);
  if (checked === undefined) return undefined;
  const negRiskMarket = markets.find((market) => market.row.negRisk === 1);
  if (checked.fields.negRisk === false && negRiskMarket !== undefined) {
    refusals.add(`${path}.negRisk`, `true, as ${negRiskMarket.path}.negRisk is`, 'false');
  }
  const isNegRisk = parent.isNegRisk || negRiskMarket !== undefined;
  return { path, ...eventRows(checked, isNegRisk), markets, tags, series };
}

function eventRows(
  { fields, record }: EventFields,
  isNegRisk: boolean,
): Pick<CheckedEvent, 'row' | 'figures'> {
  const negRiskEventId =
    textOf(fields.negRiskMarketID) || deriveHexIdentity('neg-risk-event', fields.id);
  return {
    figures: {
      ...figuresOf(fields),
      competitive: figureOf(fields.competitive),
      sourceComments: Math.floor(figureOf(fields.commentCount)),
    },
    row: {
      id: Number(fields.id),
      slug: fields.slug,
      creator: textOf(fields.creator),
      negRisk: isNegRisk ? 1 : 0,
      negRiskEventId: isNegRisk ? negRiskEventId : '',
      ticker: textOf(fields.ticker) || fields.slug,
      title: fields.title,
      startDate: dateOf(fields.startDate),
      creationDate: dateOf(fields.creationDate),
      endDate: dateOf(fields.endDate),
      ...contentOf(fields),
      ...stateOf(fields),
      record,
    },
  };
}

/** Checks one market record by itself. */
export function checkMarketRecord(
  candidate: Candidate,
  parent: ParentEvent,
): CheckedMarket | undefined {
  const checked = MARKET.check(candidate);
  if (checked === undefined) return undefined;
  const { fields } = checked;
  return {
    path: candidate.path,
    figures: figuresOf(fields),
    outcomes: checkedPairOf(fields.outcomes),
    tokenIds: checkedPairOf(fields.clobTokenIds),
    row: marketRow(checked, parent),
  };
}

function marketRow({ fields, record }: MarketFields, parent: ParentEvent): MarketRow {
  const liveFields: Readonly<Record<string, unknown>> = fields;
  const mirrorTokens = pairOf(fields.mirrorClobTokenIds);
  return {
    id: Number(fields.id),
    eventId: parent.eventId,
    conditionId: fields.conditionId,
    questionId: textOf(fields.questionID),
    slug: fields.slug,
    question: fields.question,
    groupItemTitle: textOf(fields.groupItemTitle),
    startDate: dateOf(fields.startDate),
    endDate: dateOf(fields.endDate),
    enableOrderBook: flagOf(fields.enableOrderBook, true),
    acceptingOrders: flagOf(fields.acceptingOrders, true),
    negRisk: flagOf(fields.negRisk, parent.isNegRisk),
    mirrorConditionId: textOf(fields.mirrorConditionId),
    creator: textOf(fields.creator) || parent.creator,
    tickTicks: ticksOf(fields.orderPriceMinTickSize),
    minimumLots: lotsOf(fields.orderMinSize),
    ...contentOf(fields),
    ...stateOf(fields),
    told: JSON.stringify(
      Object.fromEntries(LIVE_FIELDS.map((name) => [name, liveFields[name] ?? undefined])),
    ),
    mirrorTokens: mirrorTokens === undefined ? '' : JSON.stringify(mirrorTokens),
    record,
  };
}

export function checkTag(candidate: Candidate): TagRow | undefined {
  const checked = TAG.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  return {
    id: Number(fields.id),
    slug: fields.slug,
    label: fields.label,
    requiresTranslation: flagOf(fields.requiresTranslation, false),
    createdAt: dateOf(fields.createdAt),
    updatedAt: dateOf(fields.updatedAt),
    record,
  };
}

export function checkSeries(candidate: Candidate): SeriesRow | undefined {
  const checked = SERIES.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  return {
    id: Number(fields.id),
    slug: fields.slug,
    ticker: textOf(fields.ticker) || fields.slug,
    title: fields.title,
    seriesType: textOf(fields.seriesType),
    recurrence: textOf(fields.recurrence),
    image: textOf(fields.image),
    icon: textOf(fields.icon),
    ...stateOf(fields),
    record,
  };
}

function figuresOf(fields: EventFields['fields'] | MarketFields['fields']): FigureRow {
  return {
    volume: figureOf(fields.volume, fields.volumeNum),
    volume24hr: figureOf(fields.volume24hr),
    liquidity: figureOf(fields.liquidity, fields.liquidityNum),
  };
}

type ContentFields = CheckedRecord<typeof CONTENT>['fields'];

function contentOf({ description, resolutionSource, image, icon }: ContentFields) {
  return {
    description: textOf(description),
    resolutionSource: textOf(resolutionSource),
    image: textOf(image),
    icon: textOf(icon),
  };
}

type StateFields = CheckedRecord<typeof STATE>['fields'];

function stateOf({ active, closed, archived, createdAt, updatedAt }: StateFields) {
  return {
    active: flagOf(active, true),
    closed: flagOf(closed, false),
    archived: flagOf(archived, false),
    createdAt: dateOf(createdAt),
    updatedAt: dateOf(updatedAt),
  };
}
