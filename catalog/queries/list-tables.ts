/**
 * The orders and conditions of the lists of markets and of events as SQL. The alias `m` is the
 * list's own table, `f` the table of its figures; `VALUES` stands for the values of a condition.
 */

import type {
  EventConditionKind,
  EventOrder,
  EventRangeKind,
  MarketConditionKind,
  MarketOrder,
  RangeKind,
} from '../model/index.ts';

/** The column of an order, and its index, which begins with `state`. */
export interface OrderColumn {
  /** `id` and flags have no index of their own: the index of the state holds them. */
  readonly of: 'id' | 'flag' | 'row' | 'figures';
  readonly column: string;
  readonly index: string;
}

export interface ConditionSql {
  /** Selects the ids that meet the condition, by an index. */
  readonly source?: string;
  /** Selects the ids that don't meet it, if an index finds them. */
  readonly without?: string;
  /** Tests a row. */
  readonly test: string;
}

export interface ListTable {
  readonly table: string;
  /** An index of the ids alone, or ''. */
  readonly inOrder: string;
  readonly figures: string;
  /** The key column of the figures. */
  readonly figuresId: string;
  /** The columns by order name. */
  readonly orders: Readonly<Record<string, OrderColumn> & Record<'id', OrderColumn>>;
  readonly ranges: Readonly<Record<string, OrderColumn>>;
  readonly conditions: Readonly<Record<string, ConditionSql>>;
  /** Flags besides the three of the state. */
  readonly further: Readonly<
    Record<string, { readonly yes: ConditionSql; readonly no: ConditionSql }>
  >;
}

const ID: OrderColumn = { of: 'id', column: 'id', index: '' };

function row(table: string, column: string): OrderColumn {
  return {
    of: 'row',
    column,
    index: `${table}_by_${column}`,
  };
}

function figure(table: string, column: string): OrderColumn {
  return {
    of: 'figures',
    column,
    index: `${table}_by_${column}`,
  };
}

function flag(column: keyof typeof STATE_BITS): OrderColumn {
  return { of: 'flag', column, index: '' };
}

/** The bits of the three flags in a `state`. */
export const STATE_BITS = { active: 1, closed: 2, archived: 4 } as const;

const MARKET_ORDERS: Readonly<Record<MarketOrder, OrderColumn>> = {
  id: ID,
  question: row('markets', 'question'),
  slug: row('markets', 'slug'),
  startDate: row('markets', 'start_date'),
  endDate: row('markets', 'end_date'),
  createdAt: row('markets', 'created_at'),
  updatedAt: row('markets', 'updated_at'),
  active: flag('active'),
  closed: flag('closed'),
  volume: figure('market_figures', 'volume'),
  volumeNum: figure('market_figures', 'volume'),
  volume24hr: figure('market_figures', 'volume_24hr'),
  liquidity: figure('market_figures', 'liquidity'),
  liquidityNum: figure('market_figures', 'liquidity'),
  competitive: row('markets', 'competitive'),
};

const MARKETS_OF_TAGS = `SELECT markets.id FROM event_tags CROSS JOIN markets USING (event_id)
  WHERE event_tags.tag_id IN VALUES`;
const EVENTS_OF_TAGS = 'SELECT event_id FROM event_tags WHERE tag_id IN VALUES';
const MIRRORS = `SELECT id FROM markets WHERE mirror_condition_id <> ''`;
const FEATURED = 'SELECT id FROM events WHERE featured';

/** A condition on a value in the record, given as SQL of `record`; an index on it finds it. */
function recordCondition(table: 'markets' | 'events', value: string): ConditionSql {
  const ofRow = value.replace('record', 'm.record');
  return {
    source: `SELECT id FROM ${table} WHERE ${value} IN VALUES`,
    test: `+(${ofRow}) IN VALUES`,
  };
}

/** A condition whose value is an expression for an index of texts. */
function textCondition(index: 'event_texts' | 'event_grams'): ConditionSql {
  const source = `SELECT rowid FROM ${index} WHERE ${index} MATCH VALUES`;
  return { source, test: `+m.id IN (${source})` };
}

/** The columns of ranges that lists of markets and of events have. */
function rangesIn(
  orders: Readonly<Record<RangeKind, OrderColumn>>,
): Record<RangeKind, OrderColumn> {
  const { volume, liquidity, startDate, endDate } = orders;
  return { volume, liquidity, startDate, endDate };
}

/** Slugs of other records were resolved to ids before, and creators to wallets. */
const MARKET_CONDITIONS: Readonly<
  Record<Exclude<MarketConditionKind, 'eventSlug' | 'tagSlug'>, ConditionSql>
> = {
  id: { source: 'SELECT id FROM markets WHERE id IN VALUES', test: '+m.id IN VALUES' },
  slug: { source: 'SELECT id FROM markets WHERE slug IN VALUES', test: '+m.slug IN VALUES' },
  conditionId: {
    source: 'SELECT id FROM markets WHERE condition_id IN VALUES',
    test: '+m.condition_id IN VALUES',
  },
  questionId: {
    source: `SELECT id FROM markets WHERE question_id <> '' AND question_id IN VALUES`,
    test: '+m.question_id IN VALUES',
  },
  gameId: recordCondition('markets', `CAST(record ->> '$.gameId' AS TEXT)`),
  sportsType: recordCondition('markets', `record ->> '$.sportsMarketType'`),
  makerAddress: recordCondition('markets', `lower(record ->> '$.marketMakerAddress')`),
  tokenId: {
    source: 'SELECT market_id FROM market_tokens WHERE token_id IN VALUES',
    test: `EXISTS (SELECT 1 FROM market_tokens t
      WHERE t.market_id = m.id AND t.token_id IN VALUES)`,
  },
  creator: {
    source: 'SELECT id FROM markets WHERE creator COLLATE NOCASE IN VALUES',
    test: '+m.creator COLLATE NOCASE IN VALUES',
  },
  eventId: {
    source: 'SELECT id FROM markets WHERE event_id IN VALUES',
    test: '+m.event_id IN VALUES',
  },
  tagId: {
    source: MARKETS_OF_TAGS,
    test: `EXISTS (SELECT 1 FROM event_tags t
      WHERE t.event_id = m.event_id AND t.tag_id IN VALUES)`,
  },
  exceptTagId: {
    without: MARKETS_OF_TAGS,
    test: `NOT EXISTS (SELECT 1 FROM event_tags t
      WHERE t.event_id = m.event_id AND t.tag_id IN VALUES)`,
  },
};

export const MARKET_LIST: ListTable = {
  table: 'markets',
  inOrder: 'markets_in_order',
  figures: 'market_figures',
  figuresId: 'market_id',
  orders: MARKET_ORDERS,
  ranges: rangesIn(MARKET_ORDERS),
  conditions: MARKET_CONDITIONS,
  further: {
    mirror: {
      yes: { source: MIRRORS, test: `m.mirror_condition_id <> ''` },
      no: { without: MIRRORS, test: `m.mirror_condition_id = ''` },
    },
  },
};

const EVENT_ORDERS: Readonly<Record<EventOrder, OrderColumn>> = {
  id: ID,
  title: row('events', 'title'),
  slug: row('events', 'slug'),
  ticker: row('events', 'ticker'),
  startDate: row('events', 'start_date'),
  creationDate: row('events', 'creation_date'),
  endDate: row('events', 'end_date'),
  createdAt: row('events', 'created_at'),
  updatedAt: row('events', 'updated_at'),
  volume: figure('event_figures', 'volume'),
  volume24hr: figure('event_figures', 'volume_24hr'),
  liquidity: figure('event_figures', 'liquidity'),
  commentCount: figure('event_figures', 'comment_count'),
  competitive: figure('event_figures', 'competitive'),
  startTime: row('events', 'start_time'),
  featuredOrder: row('events', 'featured_order'),
};

const EVENT_RANGES: Readonly<Record<EventRangeKind, OrderColumn>> = {
  ...rangesIn(EVENT_ORDERS),
  gameTime: row('events', 'game_time'),
};

/** What a condition on the title becomes, by the length of its text. */
export type TitleKind = 'titleTexts' | 'titleGrams';

const EVENT_CONDITIONS: Readonly<
  Record<
    Exclude<EventConditionKind, 'tagSlug' | 'seriesSlug' | 'recurrence' | 'title'> | TitleKind,
    ConditionSql
  >
> = {
  id: { source: 'SELECT id FROM events WHERE id IN VALUES', test: '+m.id IN VALUES' },
  slug: { source: 'SELECT id FROM events WHERE slug IN VALUES', test: '+m.slug IN VALUES' },
  creator: {
    source: 'SELECT id FROM events WHERE creator COLLATE NOCASE IN VALUES',
    test: '+m.creator COLLATE NOCASE IN VALUES',
  },
  tagId: {
    source: EVENTS_OF_TAGS,
    test: 'EXISTS (SELECT 1 FROM event_tags t WHERE t.event_id = m.id AND t.tag_id IN VALUES)',
  },
  exceptTagId: {
    without: EVENTS_OF_TAGS,
    test: 'NOT EXISTS (SELECT 1 FROM event_tags t WHERE t.event_id = m.id AND t.tag_id IN VALUES)',
  },
  seriesId: {
    source: 'SELECT event_id FROM event_series WHERE series_id IN VALUES',
    test: `EXISTS (SELECT 1 FROM event_series s
      WHERE s.event_id = m.id AND s.series_id IN VALUES)`,
  },
  gameId: recordCondition('events', `CAST(record ->> '$.gameId' AS TEXT)`),
  parentEventId: recordCondition('events', `CAST(record ->> '$.parentEventId' AS TEXT)`),
  eventWeek: recordCondition('events', `CAST(record ->> '$.eventWeek' AS TEXT)`),
  eventDay: recordCondition('events', `substr(record ->> '$.eventDate', 1, 10)`),
  titleTexts: textCondition('event_texts'),
  titleGrams: textCondition('event_grams'),
};

export const EVENT_LIST: ListTable = {
  table: 'events',
  inOrder: '',
  figures: 'event_figures',
  figuresId: 'event_id',
  orders: EVENT_ORDERS,
  ranges: EVENT_RANGES,
  conditions: EVENT_CONDITIONS,
  further: {
    featured: {
      yes: { source: FEATURED, test: 'm.featured' },
      no: { without: FEATURED, test: 'NOT m.featured' },
    },
  },
};
