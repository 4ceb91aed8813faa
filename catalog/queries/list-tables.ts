/**
 * The orders and conditions of the lists of markets and of events as SQL. The alias `m` is the
 * list's own table, `f` the table of its figures; `VALUES` stands for the values of a condition.
 */

import assert from 'node:assert';
import {
  columnOf,
  EVENT_ORDER_ALIASES,
  EVENT_ORDERS,
  type EventConditionKind,
  type EventRangeKind,
  type ListPlace,
  MARKET_ORDER_ALIASES,
  MARKET_ORDERS,
  type MarketConditionKind,
  type OrderPlace,
  type RangeKind,
} from '../model/index.ts';
import { TRADABLE } from '../schema/index.ts';

/** The column of an order, and its index, which begins with `state`. */
export interface OrderColumn {
  /** `id` and flags have no index of their own: the index of the state holds them. */
  readonly of: OrderPlace;
  readonly column: string;
  readonly index: string;
}

export interface ConditionSql {
  /** Selects the ids that meet the condition, by an index. */
  readonly source?: string;
  /** Selects the ids that don't meet it, if an index finds them. */
  readonly without?: string;
  readonly test: string;
  /** It reads tables whose changes are no changes to content. */
  readonly isOfData?: true;
}

export interface ListTable {
  readonly table: string;
  /** An index of the ids alone, or ''. */
  readonly inOrder: string;
  readonly figures: string;
  readonly figuresId: string;
  readonly orders: Readonly<Record<string, OrderColumn> & Record<'id', OrderColumn>>;
  readonly ranges: Readonly<Record<string, OrderColumn>>;
  readonly conditions: Readonly<Record<string, ConditionSql>>;
  /** Flags besides the three of the state. */
  readonly further: Readonly<
    Record<string, { readonly yes: ConditionSql; readonly no: ConditionSql }>
  >;
}

export const STATE_BITS = { active: 1, closed: 2, archived: 4 } as const;

export function columnText({ of, column }: OrderColumn): string {
  return `${of === 'figures' ? 'f' : 'm'}.${column}`;
}

/** The columns of all orders by name; each index is named after its table and column. */
function orderColumns<Name extends string, Alias extends string>(
  table: 'market' | 'event',
  orders: Readonly<Record<Name, OrderPlace>>,
  aliases: Readonly<Record<Alias, NoInfer<Name>>>,
) {
  const columnFor = (name: Name): OrderColumn => {
    const [of, column] = [orders[name], columnOf(name)];
    const index = { id: '', flag: '', row: `${table}s_by_`, figures: `${table}_figures_by_` }[of];
    return { of, column, index: index && index + column };
  };
  // Safe: the names are those of the two objects.
  const own = Object.keys(orders).map((name) => [name, columnFor(name as Name)]);
  const others = Object.entries<Name>(aliases).map(([name, order]) => [name, columnFor(order)]);
  return Object.fromEntries([...own, ...others]) as Record<Name | Alias, OrderColumn>;
}

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

function textCondition(index: 'event_texts' | 'event_grams'): ConditionSql {
  const source = `SELECT rowid FROM ${index} WHERE ${index} MATCH VALUES`;
  return { source, test: `+m.id IN (${source})` };
}

function rangesIn(
  orders: Readonly<Record<RangeKind, OrderColumn>>,
): Record<RangeKind, OrderColumn> {
  const { volume, liquidity, startDate, endDate } = orders;
  return { volume, liquidity, startDate, endDate };
}

/**
 * How the market stands as answers show it: as its source told it, until it trades here. An ended
 * market that is closed only, and not resolved, is named by `exceptConditionId`.
 */
const RESOLUTION = `CASE
  WHEN EXISTS (SELECT 1 FROM ended_markets x WHERE x.condition_id = m.condition_id) THEN 'resolved'
  WHEN EXISTS (SELECT 1 FROM imported_markets i WHERE i.market_id = m.id)
    OR NOT (${TRADABLE}) THEN m.resolution END`;

/** The same by indexes: markets by what their sources told, and those that have ended. */
const WITH_RESOLUTION = `SELECT id FROM markets WHERE resolution IN VALUES
    AND (NOT (${TRADABLE}) OR id IN (SELECT market_id FROM imported_markets))
    AND ('resolved' IN VALUES OR condition_id NOT IN (SELECT condition_id FROM ended_markets))
  UNION ALL SELECT id FROM ended_markets CROSS JOIN markets USING (condition_id)
    WHERE 'resolved' IN VALUES`;

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
  exceptConditionId: { test: '+m.condition_id NOT IN VALUES' },
  resolution: { source: WITH_RESOLUTION, test: `${RESOLUTION} IN VALUES`, isOfData: true },
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

const MARKET_ORDER_COLUMNS = orderColumns('market', MARKET_ORDERS, MARKET_ORDER_ALIASES);

export const MARKET_LIST: ListTable = {
  table: 'markets',
  inOrder: 'markets_in_order',
  figures: 'market_figures',
  figuresId: 'market_id',
  orders: MARKET_ORDER_COLUMNS,
  ranges: rangesIn(MARKET_ORDER_COLUMNS),
  conditions: MARKET_CONDITIONS,
  further: {
    mirror: {
      yes: { source: MIRRORS, test: `m.mirror_condition_id <> ''` },
      no: { without: MIRRORS, test: `m.mirror_condition_id = ''` },
    },
  },
};

const EVENT_ORDER_COLUMNS = orderColumns('event', EVENT_ORDERS, EVENT_ORDER_ALIASES);

const EVENT_RANGES: Readonly<Record<EventRangeKind, OrderColumn>> = {
  ...rangesIn(EVENT_ORDER_COLUMNS),
  gameTime: { of: 'row', column: 'game_time', index: 'events_by_game_time' },
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
  orders: EVENT_ORDER_COLUMNS,
  ranges: EVENT_RANGES,
  conditions: EVENT_CONDITIONS,
  further: {
    featured: {
      yes: { source: FEATURED, test: 'm.featured' },
      no: { without: FEATURED, test: 'NOT m.featured' },
    },
  },
};

// The place of a row in an order, and the clause that rows come after it. Invariant: NULL is less
// than any value, as in SQLite's orders, and places are compared by value: rows that appear or
// disappear before a place move nothing. Pure.

export interface PlaceSearch {
  readonly ascending: boolean;
  /** The values of the order's fields, and then the id. */
  readonly after?: ListPlace | undefined;
}

export function placeValues({ after = [] }: PlaceSearch): Record<string, unknown> {
  return Object.fromEntries(after.map((value, index) => [`after${index}`, value]));
}

/**
 * The clause that one value of a row follows that of the place, and the values before it are the
 * same. None if the search has no place. `textOf`: a key as SQL, or the value of a known flag.
 */
export function afterPlace(
  { after, ascending }: PlaceSearch,
  keys: readonly OrderColumn[],
  textOf: (key: OrderColumn) => string,
): readonly string[] {
  if (after === undefined) return [];
  assert(after.length === keys.length, `the place must have ${keys.length} values`);
  const [follows, from] = ascending ? ['>', '>='] : ['<', '<='];
  const first = keys.find(({ of }) => of !== 'flag');
  const clause = keys.reduceRight((rest, key, index) => {
    const [text, value, bound] = [textOf(key), after[index] ?? null, `@after${index}`];
    if (key.of === 'id') return `${text} ${follows} ${bound}`;
    if (key.of === 'flag' && (text === '0' || text === '1')) {
      if (text === `${value}`) return rest;
      return (text === '1') === ascending ? 'TRUE' : 'FALSE';
    }
    const isSame = `${text} IS ${bound} AND ${rest}`;
    if (value === null) return ascending ? `(${text} IS NOT NULL OR ${isSame})` : `(${isSame})`;
    const mayBeNull = !ascending && key.of === 'row';
    const isLater = `${text} ${follows} ${bound}${mayBeNull ? ` OR ${text} IS NULL` : ''}`;
    // The range lets the index begin at the place.
    const range = key === first && !mayBeNull ? `${text} ${from} ${bound} AND ` : '';
    return `${range}(${isLater} OR (${isSame}))`;
  }, '');
  return [clause];
}

/** Selects the place of the row of an id, value by value. */
export function placeSql(
  { table, figures, figuresId }: ListTable,
  keys: readonly OrderColumn[],
): string {
  const values = keys.map((key, index) => `${columnText(key)} AS k${index}`);
  return `SELECT ${values.join(', ')}
    FROM ${table} m CROSS JOIN ${figures} f ON f.${figuresId} = m.id WHERE m.id = ?`;
}
