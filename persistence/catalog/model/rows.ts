/**
 * The rows of catalog.db, one interface a table, and the SQL that follows from them. The field
 * `startDate` is the column `start_date`; nothing else is renamed.
 */

/** SQLite has no booleans. */
export type Flag = 0 | 1;

export interface TagRow {
  readonly id: number;
  readonly slug: string;
  readonly label: string;
  readonly requiresTranslation: Flag;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** JSON of the fields of the source that have no column; likewise in every table. */
  readonly record: string;
}

export interface SeriesRow {
  readonly id: number;
  readonly slug: string;
  readonly ticker: string;
  readonly title: string;
  readonly seriesType: string;
  readonly recurrence: string;
  readonly image: string;
  readonly icon: string;
  readonly active: Flag;
  readonly closed: Flag;
  readonly archived: Flag;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly record: string;
}

export interface EventRow {
  readonly id: number;
  readonly slug: string;
  readonly ticker: string;
  readonly title: string;
  readonly description: string;
  readonly resolutionSource: string;
  readonly startDate: string | null;
  readonly creationDate: string | null;
  readonly endDate: string | null;
  readonly image: string;
  readonly icon: string;
  readonly active: Flag;
  readonly closed: Flag;
  readonly archived: Flag;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly negRisk: Flag;
  /** `0x` and 64 hex digits, or empty if no market of the event is neg-risk. */
  readonly negRiskEventId: string;
  readonly creator: string;
  readonly record: string;
}

export interface MarketRow {
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
  readonly active: Flag;
  readonly closed: Flag;
  readonly archived: Flag;
  readonly enableOrderBook: Flag;
  readonly acceptingOrders: Flag;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly negRisk: Flag;
  readonly mirrorConditionId: string;
  readonly creator: string;
  /** The tick when the market opens, in units of 0.0001; the engine owns it afterwards. */
  readonly tickTicks: number;
  /** The minimum order size when the market opens, in units of 0.01 token. */
  readonly minimumLots: number;
  readonly record: string;
  /** JSON of the live fields (LIVE_FIELDS) as the source gave them. */
  readonly told: string;
  /** The two mirror tokens as a JSON array, or empty. */
  readonly mirrorTokens: string;
}

/** What trading changes; amounts in collateral. */
export interface FigureRow {
  readonly volume: number;
  readonly volume24hr: number;
  readonly liquidity: number;
}

export interface EventFigureRow extends FigureRow {
  readonly competitive: number;
  /** The number of comments that the source names; it may have more than were imported. */
  readonly sourceComments: number;
}

export interface TokenRow {
  readonly tokenId: string;
  readonly marketId: number;
  readonly outcomeIndex: Flag;
  readonly outcome: string;
}

/** `startDate` to `start_date`, `volume24hr` to `volume_24hr`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}

/** `m.start_date AS startDate, …` of the named fields. */
export function selectList(alias: string, fields: readonly string[]): string {
  return fields.map((field) => `${alias}.${columnOf(field)} AS ${field}`).join(', ');
}

/** Inserts a row given as named parameters, or overwrites the row with the same id. */
export function upsertSql(table: string, fields: readonly string[]): string {
  const columns = fields.map(columnOf);
  const changes = columns.filter((column) => column !== 'id');
  return `INSERT INTO ${table} (${columns.join(', ')})
    VALUES (${fields.map((field) => `@${field}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET
    ${changes.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

export const TAG_FIELDS = [
  'id',
  'slug',
  'label',
  'requiresTranslation',
  'createdAt',
  'updatedAt',
  'record',
] as const satisfies readonly (keyof TagRow)[];

export const SERIES_FIELDS = [
  'id',
  'slug',
  'ticker',
  'title',
  'seriesType',
  'recurrence',
  'image',
  'icon',
  'active',
  'closed',
  'archived',
  'createdAt',
  'updatedAt',
  'record',
] as const satisfies readonly (keyof SeriesRow)[];

export const EVENT_FIELDS = [
  'id',
  'slug',
  'ticker',
  'title',
  'description',
  'resolutionSource',
  'startDate',
  'creationDate',
  'endDate',
  'image',
  'icon',
  'active',
  'closed',
  'archived',
  'createdAt',
  'updatedAt',
  'negRisk',
  'negRiskEventId',
  'creator',
  'record',
] as const satisfies readonly (keyof EventRow)[];

export const MARKET_FIELDS = [
  'id',
  'eventId',
  'conditionId',
  'questionId',
  'slug',
  'question',
  'description',
  'resolutionSource',
  'groupItemTitle',
  'startDate',
  'endDate',
  'image',
  'icon',
  'active',
  'closed',
  'archived',
  'enableOrderBook',
  'acceptingOrders',
  'createdAt',
  'updatedAt',
  'negRisk',
  'mirrorConditionId',
  'creator',
  'tickTicks',
  'minimumLots',
  'record',
  'told',
  'mirrorTokens',
] as const satisfies readonly (keyof MarketRow)[];
