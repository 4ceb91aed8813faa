// Searching markets: conditions that must all hold, an order, and a part of what is found.
// Invariant: each condition is one clause of the statement and one parameter; whatever a caller
// wants found is a parameter and never SQL. Bound: CATALOG_BOUNDS.marketsAPage markets, and the
// statements of the last `statementsKept` shapes.

import type { Database, Statement } from 'better-sqlite3';
import { type CatalogMarket, type JoinedRow, marketOf, SELECT_MARKETS } from './catalog-markets.ts';
import type { MarketSearch } from './catalog-questions.ts';

/**
 * What each kind of condition compares; `VALUES` stands for the values of which one must fit.
 * Creators are wallet addresses, so their case does not count.
 */
const CLAUSES = {
  id: 'm.id IN VALUES',
  slug: 'm.slug IN VALUES',
  conditionId: 'm.condition_id IN VALUES',
  tokenId: 'm.id IN (SELECT market_id FROM market_tokens WHERE token_id IN VALUES)',
  creator: 'm.creator COLLATE NOCASE IN VALUES',
  eventId: 'm.event_id IN VALUES',
  eventSlug: 'm.event_id IN (SELECT id FROM events WHERE slug IN VALUES)',
  tagId: 'm.event_id IN (SELECT event_id FROM event_tags WHERE tag_id IN VALUES)',
  tagSlug: `m.event_id IN (SELECT event_id FROM event_tags
    WHERE tag_id IN (SELECT id FROM tags WHERE slug IN VALUES))`,
  exceptTagId: `m.event_id NOT IN (SELECT event_id FROM event_tags WHERE tag_id IN VALUES)`,
} as const;

const FLAG_COLUMNS = { active: 'm.active', closed: 'm.closed', archived: 'm.archived' } as const;

const ORDER_COLUMNS = {
  id: 'm.id',
  question: 'm.question',
  slug: 'm.slug',
  startDate: 'm.start_date',
  endDate: 'm.end_date',
  createdAt: 'm.created_at',
  updatedAt: 'm.updated_at',
  active: 'm.active',
  closed: 'm.closed',
  volume: '(SELECT volume FROM market_figures WHERE market_id = m.id)',
  volumeNum: '(SELECT volume FROM market_figures WHERE market_id = m.id)',
  volume24hr: '(SELECT volume_24hr FROM market_figures WHERE market_id = m.id)',
  liquidity: '(SELECT liquidity FROM market_figures WHERE market_id = m.id)',
  liquidityNum: '(SELECT liquidity FROM market_figures WHERE market_id = m.id)',
} as const;

type Found = Statement<unknown[], JoinedRow>;

const STATEMENTS_KEPT = 50;
const VALUES = '(SELECT value FROM json_each(?))';

export class MarketSearcher {
  readonly #database: Database;
  /** By their SQL, the one that was used last at the end. */
  readonly #statements = new Map<string, Found>();

  constructor(database: Database) {
    this.#database = database;
  }

  search(search: MarketSearch): CatalogMarket[] {
    const values = search.conditions.map(({ anyOf }) => JSON.stringify(anyOf));
    const rows = this.#statement(sqlOf(search)).all(...values, search.limit, search.offset);
    return rows.map(marketOf);
  }

  #statement(sql: string): Found {
    const statement =
      this.#statements.get(sql) ?? this.#database.prepare<unknown[], JoinedRow>(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest = ''] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_KEPT) this.#statements.delete(oldest);
    return statement;
  }
}

/** Ids are searched first, so that only the markets of the answer are read whole. */
function sqlOf({ conditions, flags, order, ascending }: MarketSearch): string {
  const clauses = conditions.map(({ kind }) => CLAUSES[kind].replace('VALUES', VALUES));
  for (const flag of ['active', 'closed', 'archived'] as const) {
    if (flags[flag] !== undefined)
      clauses.push(`${flags[flag] ? '' : 'NOT '}${FLAG_COLUMNS[flag]}`);
  }
  const direction = ascending ? 'ASC' : 'DESC';
  const columns = [...order.map((name) => ORDER_COLUMNS[name]), ORDER_COLUMNS.id];
  const sorted = columns.map((column) => `${column} ${direction}`).join(', ');
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  return `${SELECT_MARKETS}
WHERE m.id IN (SELECT m.id FROM markets m ${where} ORDER BY ${sorted} LIMIT ? OFFSET ?)
ORDER BY ${sorted}`;
}
