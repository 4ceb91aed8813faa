/**
 * Rows of events, markets, series and tags as JSON (wire 8). Pure. Invariant: every field of the
 * wire contract is written, an unknown date as null; the further fields of a source follow as they
 * came.
 */

import type {
  EventFigureRow,
  EventRow,
  FigureRow,
  MarketRow,
  OutcomeColumns,
  SeriesRow,
  ShownFigures,
  TagRow,
} from '../model/index.ts';
import { furtherMembers } from './json-writer.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON. Most need no escape, and the test takes a third of JSON.stringify's time. */
function json(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** This program writes the dates, so they need no escape. */
function date(value: string | null): string {
  return value === null ? 'null' : `"${value}"`;
}

function flag(value: number): string {
  return value === 0 ? 'false' : 'true';
}

/** A `textList` of texts that need no escape, such as ids. */
function plainList(first: string, second: string): string {
  return `"[\\"${first}\\", \\"${second}\\"]"`;
}

/** A list carried as a text, with the space that public catalogs have (wire 8.1). */
function textList(first: string, second: string): string {
  return ESCAPED.test(first) || ESCAPED.test(second)
    ? JSON.stringify(`[${JSON.stringify(first)}, ${JSON.stringify(second)}]`)
    : plainList(first, second);
}

function dates({ createdAt, updatedAt }: Pick<TagRow, 'createdAt' | 'updatedAt'>): string {
  return `"createdAt":${date(createdAt)},"updatedAt":${date(updatedAt)}`;
}

function states({
  active,
  closed,
  archived,
}: Pick<EventRow, 'active' | 'closed' | 'archived'>): string {
  return `"active":${flag(active)},"closed":${flag(closed)},"archived":${flag(archived)}`;
}

export function tagText(row: TagRow): string {
  return (
    `{"id":"${row.id}","label":${json(row.label)},"slug":${json(row.slug)},${dates(row)},` +
    `"requiresTranslation":${flag(row.requiresTranslation)}${furtherMembers(row.record)}}`
  );
}

/** The JSON of a series without its last brace, because lists of series add the events. */
export function seriesMembers(row: SeriesRow): string {
  return (
    `{"id":"${row.id}","ticker":${json(row.ticker)},"slug":${json(row.slug)},` +
    `"title":${json(row.title)},"seriesType":${json(row.seriesType)},` +
    `"recurrence":${json(row.recurrence)},"image":${json(row.image)},"icon":${json(row.icon)},` +
    `${states(row)},${dates(row)}${furtherMembers(row.record)}`
  );
}

/** The columns of an event that a list of markets shows. */
export type EventBriefRow = Pick<EventRow, 'id' | 'ticker' | 'slug' | 'title'>;

export function eventBrief({ id, ticker, slug, title }: EventBriefRow): string {
  return `{"id":"${id}","ticker":${json(ticker)},"slug":${json(slug)},"title":${json(title)}}`;
}

/** The members of an event's summary, without the last brace. */
export function eventMembers(row: EventRow): string {
  return (
    `{"id":"${row.id}","ticker":${json(row.ticker)},"slug":${json(row.slug)},` +
    `"title":${json(row.title)},"description":${json(row.description)},` +
    `"resolutionSource":${json(row.resolutionSource)},"startDate":${date(row.startDate)},` +
    `"creationDate":${date(row.creationDate)},"endDate":${date(row.endDate)},` +
    `"image":${json(row.image)},"icon":${json(row.icon)},${states(row)},${dates(row)}` +
    (row.closedTime === null ? '' : `,"closedTime":${date(row.closedTime)}`)
  );
}

/** The members between an event's summary and its lists, with a comma before each. */
export function furtherEventMembers(row: EventRow & EventFigureRow & CommentCounted): string {
  const negRisk = row.negRisk === 1 ? `,"negRiskMarketID":${json(row.negRiskEventId)}` : '';
  const creator = row.creator === '' ? '' : `,"creator":${json(row.creator)}`;
  const metadata = hasMember(row.record, 'eventMetadata') ? '' : ',"eventMetadata":{}';
  return (
    `,"negRisk":${flag(row.negRisk)}${negRisk}${creator}${shownFigures(row, eventFigures)},` +
    `"competitive":${row.competitive},"commentCount":${row.commentCount}${metadata}` +
    furtherMembers(row.record)
  );
}

export interface CommentCounted {
  readonly commentCount: number;
}

function hasMember(record: string, name: string): boolean {
  // A nested member may have the name, too.
  if (!record.includes(`"${name}":`)) return false;
  const parsed: object = JSON.parse(record);
  return Object.hasOwn(parsed, name);
}

export type MarketTextRow = MarketRow & ShownFigures & OutcomeColumns & EndColumn;

interface EndColumn {
  /** When its trading here ended, ISO 8601 in UTC; null while it has not. */
  readonly endedAt: string | null;
}

/** The end of a market as public catalogs write it: `2026-06-03 01:12:06+00`. */
function closedTime({ endedAt }: EndColumn): string {
  if (endedAt === null) return '';
  return `,"closedTime":"${endedAt.slice(0, 19).replace('T', ' ')}+00"`;
}

/** The days of a market's dates, unless its source gave them. */
function days({ record, startDate, endDate }: MarketTextRow): string {
  return [['startDateIso', startDate] as const, ['endDateIso', endDate] as const]
    .filter(([name]) => !record.includes(`"${name}":`))
    .map(([name, value]) => `,"${name}":${date(value?.slice(0, 10) ?? null)}`)
    .join('');
}

/**
 * Volume and liquidity are written as numbers and as texts. All trading here is on order books, so
 * each figure is also that of the books, `Clob`.
 */
export function marketFigures(row: FigureRow): string {
  const [volume, liquidity] = [`${row.volume}`, `${row.liquidity}`];
  return (
    `,"volume":"${volume}","volumeNum":${volume},"volumeClob":${volume},` +
    `"volume24hr":${row.volume24hr},"volume24hrClob":${row.volume24hr},` +
    `"volume1wk":${row.volume1wk},"volume1wkClob":${row.volume1wk},` +
    `"volume1mo":${row.volume1mo},"volume1moClob":${row.volume1mo},` +
    `"volume1yr":${row.volume1yr},"volume1yrClob":${row.volume1yr},` +
    `"liquidity":"${liquidity}","liquidityNum":${liquidity},"liquidityClob":${liquidity}`
  );
}

/** Public catalogs write the figures of an event as numbers, and only its liquidity as `Clob`. */
export function eventFigures(row: FigureRow): string {
  return (
    `,"volume":${row.volume},"volume24hr":${row.volume24hr},"volume1wk":${row.volume1wk},` +
    `"volume1mo":${row.volume1mo},"volume1yr":${row.volume1yr},` +
    `"liquidity":${row.liquidity},"liquidityClob":${row.liquidity}`
  );
}

/** The figures as a source gave them, else those of trading here. */
function shownFigures(row: ShownFigures, write: (row: FigureRow) => string): string {
  return row.sourceFigures === '' ? write(row) : furtherMembers(row.sourceFigures);
}

/** The members of a market without its slot, its events and the last brace. */
export function marketMembers(row: MarketTextRow): string {
  return (
    `{"id":"${row.id}","question":${json(row.question)},"conditionId":"${row.conditionId}",` +
    `"slug":${json(row.slug)},"resolutionSource":${json(row.resolutionSource)},` +
    `"startDate":${date(row.startDate)},"endDate":${date(row.endDate)},` +
    `"image":${json(row.image)},"icon":${json(row.icon)},"description":${json(row.description)},` +
    `"outcomes":${textList(row.outcome0, row.outcome1)},` +
    `"clobTokenIds":${plainList(row.token0, row.token1)},"active":${flag(row.active)},` +
    `"archived":${flag(row.archived)},${dates(row)},"questionID":"${row.questionId}",` +
    `"enableOrderBook":${flag(row.enableOrderBook)},"negRisk":${flag(row.negRisk)},` +
    `"groupItemTitle":${json(row.groupItemTitle)}` +
    `${row.creator === '' ? '' : `,"creator":${json(row.creator)}`}` +
    closedTime(row) +
    shownFigures(row, marketFigures) +
    days(row) +
    furtherMembers(row.record)
  );
}

/** The members about the mirror market, with a comma before each; none if it is unknown. */
export function mirrorMembers({ mirrorConditionId, mirrorTokens }: MarketTextRow): string {
  const condition =
    mirrorConditionId === '' ? '' : `,"mirrorConditionId":${json(mirrorConditionId)}`;
  if (mirrorTokens === '') return condition;
  // Safe: the import wrote them in this form.
  const [first, second] = JSON.parse(mirrorTokens) as [string, string];
  return `${condition},"mirrorClobTokenIds":${textList(first, second)}`;
}

const EVEN_PRICES = textList('0.5', '0.5');

/** Members that every market has, unless its source gave them. */
function defaultMembers({ told, tickTicks, minimumLots }: MarketTextRow): string {
  const unlessGiven = (start: string, value: string | number): string =>
    told.includes(start) ? '' : `,${start}${value}`;
  return (
    unlessGiven('"outcomePrices":', EVEN_PRICES) +
    unlessGiven('"umaResolutionStatuses":', '"[]"') +
    unlessGiven('"orderPriceMinTickSize":', tickTicks / 10_000) +
    unlessGiven('"orderMinSize":', minimumLots / 100)
  );
}

/** What the slot of a market holds until it is replaced: the values of the source, no orders. */
export function untradedMembers(row: MarketTextRow): string {
  return (
    `,"closed":${flag(row.closed)},"acceptingOrders":false${furtherMembers(row.told)}` +
    defaultMembers(row)
  );
}
