// Single records of the catalog as JSON members (interface.md "Resources and their fields"): how
// a row becomes text. Invariant: each field of the interface is there, null where nobody told a
// date; what a source said besides stands behind them as it came. Pure.

import type { EventFigureRow, EventRow, FigureRow, SeriesRow, TagRow } from '../model/index.ts';
import { furtherMembers } from './text-writer.ts';

/** What JSON writes otherwise than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON. Most have nothing to escape, and to look takes a third of JSON's time. */
function json(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Dates are written by this program: digits and marks that need no escape. */
function date(value: string | null): string {
  return value === null ? 'null' : `"${value}"`;
}

function flag(value: number): string {
  return value === 0 ? 'false' : 'true';
}

/** The same of texts in which nothing needs an escape, as in ids, which are digits. */
function plainList(first: string, second: string): string {
  return `"[\\"${first}\\", \\"${second}\\"]"`;
}

/** A list carried as a text, with the space that public catalogs have (wire 8.1). */
function textList(first: string, second: string): string {
  return ESCAPED.test(first) || ESCAPED.test(second)
    ? JSON.stringify(`[${JSON.stringify(first)}, ${JSON.stringify(second)}]`)
    : plainList(first, second);
}

interface Dated {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

function dates({ createdAt, updatedAt }: Dated): string {
  return `"createdAt":${date(createdAt)},"updatedAt":${date(updatedAt)}`;
}

interface Stated {
  readonly active: number;
  readonly closed: number;
  readonly archived: number;
}

function states({ active, closed, archived }: Stated): string {
  return `"active":${flag(active)},"closed":${flag(closed)},"archived":${flag(archived)}`;
}

export function tagText(row: TagRow): string {
  return (
    `{"id":"${row.id}","label":${json(row.label)},"slug":${json(row.slug)},${dates(row)},` +
    `"requiresTranslation":${flag(row.requiresTranslation)}${furtherMembers(row.record)}}`
  );
}

/** Without the last brace: the lists of series name their events there. */
export function seriesMembers(row: SeriesRow): string {
  return (
    `{"id":"${row.id}","ticker":${json(row.ticker)},"slug":${json(row.slug)},` +
    `"title":${json(row.title)},"seriesType":${json(row.seriesType)},` +
    `"recurrence":${json(row.recurrence)},"image":${json(row.image)},"icon":${json(row.icon)},` +
    `${states(row)},${dates(row)}${furtherMembers(row.record)}`
  );
}

/** A parent event in lists of markets. */
export type EventBriefRow = Pick<EventRow, 'id' | 'ticker' | 'slug' | 'title'>;

export function eventBrief({ id, ticker, slug, title }: EventBriefRow): string {
  return `{"id":"${id}","ticker":${json(ticker)},"slug":${json(slug)},"title":${json(title)}}`;
}

/** The full summary's members, without the last brace. */
export function eventMembers(row: EventRow): string {
  return (
    `{"id":"${row.id}","ticker":${json(row.ticker)},"slug":${json(row.slug)},` +
    `"title":${json(row.title)},"description":${json(row.description)},` +
    `"resolutionSource":${json(row.resolutionSource)},"startDate":${date(row.startDate)},` +
    `"creationDate":${date(row.creationDate)},"endDate":${date(row.endDate)},` +
    `"image":${json(row.image)},"icon":${json(row.icon)},${states(row)},${dates(row)}`
  );
}

/** What an event tells besides its summary, before its lists; each with a comma before it. */
export function furtherEventMembers(row: EventRow & EventFigureRow & CommentCounted): string {
  const negRisk = row.negRisk === 1 ? `,"negRiskMarketID":${json(row.negRiskEventId)}` : '';
  const creator = row.creator === '' ? '' : `,"creator":${json(row.creator)}`;
  const metadata = hasMember(row.record, 'eventMetadata') ? '' : ',"eventMetadata":{}';
  return (
    `,"negRisk":${flag(row.negRisk)}${negRisk}${creator},"volume":${row.volume},` +
    `"volume24hr":${row.volume24hr},"liquidity":${row.liquidity},` +
    `"competitive":${row.competitive},"commentCount":${row.commentCount}${metadata}` +
    furtherMembers(row.record)
  );
}

export interface CommentCounted {
  readonly commentCount: number;
}

/** Whether a record, as JSON, has a member of that name. */
function hasMember(record: string, name: string): boolean {
  // The name may stand further inside: then only a look can tell.
  if (!record.includes(`"${name}":`)) return false;
  const parsed: object = JSON.parse(record);
  return Object.hasOwn(parsed, name);
}

/** What a market's text is made of. */
export interface MarketTextRow extends FigureRow {
  readonly id: number;
  readonly eventId: number;
  readonly conditionId: string;
  readonly questionId: string;
  readonly slug: string;
  readonly question: string;
  readonly description: string;
  readonly resolutionSource: string;
  readonly groupItemTitle: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly image: string;
  readonly icon: string;
  readonly active: number;
  readonly closed: number;
  readonly archived: number;
  readonly enableOrderBook: number;
  readonly acceptingOrders: number;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly negRisk: number;
  readonly mirrorConditionId: string;
  readonly mirrorTokens: string;
  readonly creator: string;
  readonly tickTicks: number;
  readonly minimumLots: number;
  readonly told: string;
  readonly record: string;
  readonly token0: string;
  readonly token1: string;
  readonly outcome0: string;
  readonly outcome1: string;
}

/** Volume, that of a day, and liquidity: the first and the last also as texts. */
function figures(row: FigureRow): string {
  const [volume, liquidity] = [`${row.volume}`, `${row.liquidity}`];
  return (
    `,"volume":"${volume}","volumeNum":${volume},"volume24hr":${row.volume24hr},` +
    `"liquidity":"${liquidity}","liquidityNum":${liquidity}`
  );
}

/** All members of a market but those of its gap and its events, without the last brace. */
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
    figures(row) +
    furtherMembers(row.record)
  );
}

/** The mirror's members, each with a comma before it; nothing of what is not known. */
export function mirrorMembers({ mirrorConditionId, mirrorTokens }: MarketTextRow): string {
  const condition =
    mirrorConditionId === '' ? '' : `,"mirrorConditionId":${json(mirrorConditionId)}`;
  if (mirrorTokens === '') return condition;
  // Safe: the import brought them to this form.
  const [first, second] = JSON.parse(mirrorTokens) as [string, string];
  return `${condition},"mirrorClobTokenIds":${textList(first, second)}`;
}

const EVEN_PRICES = textList('0.5', '0.5');

/** The members that a market has in any case, where its source does not tell them. */
function untoldMembers({ told, tickTicks, minimumLots }: MarketTextRow): string {
  const unlessTold = (start: string, value: string | number): string =>
    told.includes(start) ? '' : `,${start}${value}`;
  return (
    unlessTold('"outcomePrices":', EVEN_PRICES) +
    unlessTold('"orderPriceMinTickSize":', tickTicks / 10_000) +
    unlessTold('"orderMinSize":', minimumLots / 100)
  );
}

/** What the place of a market holds that is not traded here: its source's word, but no orders. */
export function untradedMembers(row: MarketTextRow): string {
  return (
    `,"closed":${flag(row.closed)},"acceptingOrders":false${furtherMembers(row.told)}` +
    untoldMembers(row)
  );
}
