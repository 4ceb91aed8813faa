/**
 * The tables of catalog.db as lists of columns. The types of rows, and the SQL that reads and
 * writes them, are derived from these lists. The field `startDate` is the column `start_date`;
 * nothing else is renamed.
 */
import { snakeCase as columnOf } from '../../persistence/shared/index.ts';

export { columnOf };

/** SQLite has no booleans. */
export type Flag = 0 | 1;

interface ColumnTypes {
  readonly number: number;
  readonly text: string;
  /** ISO 8601 in UTC, so that dates sort as text. */
  readonly date: string | null;
  readonly flag: Flag;
}

/** The columns of a table, in the order in which they are selected, and what each holds. */
type Columns = Readonly<Record<string, keyof ColumnTypes>>;

type RowOf<Table extends Columns> = {
  readonly [Name in keyof Table]: ColumnTypes[Table[Name]];
};

const STATE = {
  active: 'flag',
  closed: 'flag',
  archived: 'flag',
  createdAt: 'date',
  updatedAt: 'date',
} as const;

export const TAG_COLUMNS = {
  id: 'number',
  slug: 'text',
  label: 'text',
  requiresTranslation: 'flag',
  createdAt: 'date',
  updatedAt: 'date',
  /** JSON of the fields of the source that have no column; likewise in every table. */
  record: 'text',
} as const;
export type TagRow = RowOf<typeof TAG_COLUMNS>;

export const SERIES_COLUMNS = {
  id: 'number',
  slug: 'text',
  ticker: 'text',
  title: 'text',
  seriesType: 'text',
  recurrence: 'text',
  image: 'text',
  icon: 'text',
  ...STATE,
  record: 'text',
} as const;
export type SeriesRow = RowOf<typeof SERIES_COLUMNS>;

export const EVENT_COLUMNS = {
  id: 'number',
  slug: 'text',
  ticker: 'text',
  title: 'text',
  description: 'text',
  resolutionSource: 'text',
  startDate: 'date',
  creationDate: 'date',
  endDate: 'date',
  image: 'text',
  icon: 'text',
  ...STATE,
  /** When its last market ended, here or at its source. */
  closedTime: 'date',
  negRisk: 'flag',
  /** `0x` and 64 hex digits, or empty if no market of the event is neg-risk. */
  negRiskEventId: 'text',
  creator: 'text',
  record: 'text',
} as const;
export type EventRow = RowOf<typeof EVENT_COLUMNS>;

export const MARKET_COLUMNS = {
  id: 'number',
  eventId: 'number',
  conditionId: 'text',
  questionId: 'text',
  slug: 'text',
  question: 'text',
  description: 'text',
  resolutionSource: 'text',
  groupItemTitle: 'text',
  startDate: 'date',
  endDate: 'date',
  image: 'text',
  icon: 'text',
  ...STATE,
  /** When it ended, here or at its source. */
  closedTime: 'date',
  enableOrderBook: 'flag',
  acceptingOrders: 'flag',
  negRisk: 'flag',
  mirrorConditionId: 'text',
  creator: 'text',
  /** The tick when the market opens, in units of 0.0001; the engine owns it afterwards. */
  tickTicks: 'number',
  /** The minimum order size when the market opens, in units of 0.01 token. */
  minimumLots: 'number',
  record: 'text',
  /** JSON of the live fields (LIVE_FIELDS) as the source gave them. */
  told: 'text',
  /** The two mirror tokens as a JSON array, or empty. */
  mirrorTokens: 'text',
} as const;
export type MarketRow = RowOf<typeof MARKET_COLUMNS>;

export const CREATOR_COLUMNS = {
  id: 'number',
  creatorName: 'text',
  creatorHandle: 'text',
  creatorUrl: 'text',
  creatorImage: 'text',
  wallet: 'text',
  createdAt: 'date',
  updatedAt: 'date',
  record: 'text',
} as const;
export type CreatorRow = RowOf<typeof CREATOR_COLUMNS>;

export const TEAM_COLUMNS = {
  id: 'number',
  name: 'text',
  league: 'text',
  abbreviation: 'text',
  record: 'text',
} as const;
export type TeamRow = RowOf<typeof TEAM_COLUMNS>;

export const SPORT_COLUMNS = { id: 'number', sport: 'text', record: 'text' } as const;
export type SportRow = RowOf<typeof SPORT_COLUMNS>;

/** The tokens of a market and their labels, joined to its row. */
export interface OutcomeColumns {
  readonly token0: string;
  readonly token1: string;
  readonly outcome0: string;
  readonly outcome1: string;
}

/** The volumes of the last days, and how many days each counts. */
export const VOLUME_DAYS = { volume24hr: 1, volume1wk: 7, volume1mo: 30, volume1yr: 365 } as const;
export type VolumeWindow = keyof typeof VOLUME_DAYS;
// Safe: it has exactly these names.
export const VOLUME_WINDOWS = Object.keys(VOLUME_DAYS) as readonly VolumeWindow[];

/** What trading changes. Each is a column of the figures of markets and of events. */
export const FIGURES = ['volume', ...VOLUME_WINDOWS, 'liquidity'] as const;
export type Figure = (typeof FIGURES)[number];

/** Amounts in collateral. */
export type FigureRow = Readonly<Record<Figure, number>>;

export interface ShownFigures extends FigureRow {
  /** JSON of the figures as the source of the record gave them; empty if trading here counts. */
  readonly sourceFigures: string;
}

export interface EventFigureRow extends ShownFigures {
  readonly competitive: number;
  /** The number of comments at the source; not all of them may have been imported. */
  readonly sourceComments: number;
}

/** `f.volume_24hr AS volume24hr, …` of all figures. */
export function selectFigures(alias: string): string {
  return [...FIGURES, 'sourceFigures']
    .map((figure) => `${alias}.${columnOf(figure)} AS ${figure}`)
    .join(', ');
}

/** `volume_24hr = @volume24hr, …` of all figures. */
export function assignedFigures(value = (figure: string) => `@${figure}`): string {
  return [...FIGURES, 'sourceFigures']
    .map((figure) => `${columnOf(figure)} = ${value(figure)}`)
    .join(', ');
}

/** `m.start_date AS startDate, …` of all columns. */
export function selectList(alias: string, columns: Columns): string {
  return Object.keys(columns)
    .map((field) => `${alias}.${columnOf(field)} AS ${field}`)
    .join(', ');
}

/** Inserts a row given as named parameters, or overwrites the row with the same id. */
export function upsertSql(table: string, columns: Columns): string {
  const fields = Object.keys(columns);
  const changes = fields.map(columnOf).filter((column) => column !== 'id');
  return `INSERT INTO ${table} (${fields.map(columnOf).join(', ')})
    VALUES (${fields.map((field) => `@${field}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET
    ${changes.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}
