/**
 * What the intake needs to know about stored records: where they come from, whether they trade
 * here, and what a row holds. Every method runs inside a transaction of its caller.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { RecordKind } from '../model/index.ts';

/** The table of each kind, and the name by which two catalogs identify the same record. */
const TABLES: Partial<Readonly<Record<RecordKind, { table: string; name: string }>>> = {
  tags: { table: 'tags', name: 'slug' },
  series: { table: 'series', name: 'slug' },
  events: { table: 'events', name: 'slug' },
  markets: { table: 'markets', name: 'condition_id' },
  creators: { table: 'creators', name: 'creator_name' },
  teams: { table: 'teams', name: 'name' },
  sports: { table: 'sports', name: 'sport' },
  comments: { table: 'comments', name: "lower(user_address) || ' ' || created_at" },
};

/** Rows with their figures, tags and series, to see whether an import changes something. */
const ROWS: Partial<Readonly<Record<RecordKind, string>>> = {
  events: `SELECT e.*, f.volume, f.volume_24hr, f.liquidity, f.competitive, f.told_comments,
    f.is_own,
    (SELECT group_concat(tag_id, ' ' ORDER BY position) FROM event_tags WHERE event_id = e.id),
    (SELECT group_concat(series_id, ' ' ORDER BY position) FROM event_series
     WHERE event_id = e.id)
    FROM events e LEFT JOIN event_figures f ON f.event_id = e.id WHERE e.id = ?`,
  markets: `SELECT m.*, f.* FROM markets m LEFT JOIN market_figures f ON f.market_id = m.id
    WHERE m.id = ?`,
};

export interface StoredMarketFacts {
  readonly id: number;
  readonly eventId: number;
  readonly isImported: 0 | 1;
  readonly active: 0 | 1;
  readonly closed: 0 | 1;
  readonly archived: 0 | 1;
  readonly enableOrderBook: 0 | 1;
  readonly acceptingOrders: 0 | 1;
  readonly negRisk: 0 | 1;
  readonly groupItemTitle: string;
  readonly creator: string;
  readonly mirrorConditionId: string;
  readonly mirrorTokens: string;
  readonly tickTicks: number;
  readonly minimumLots: number;
  readonly record: string;
}

const SELECT_MARKET = `
SELECT m.id, m.event_id AS eventId, i.market_id IS NOT NULL AS isImported, m.active, m.closed,
  m.archived, m.enable_order_book AS enableOrderBook, m.accepting_orders AS acceptingOrders,
  m.neg_risk AS negRisk, m.group_item_title AS groupItemTitle, m.creator,
  m.mirror_condition_id AS mirrorConditionId, m.mirror_tokens AS mirrorTokens,
  m.tick_ticks AS tickTicks, m.minimum_lots AS minimumLots, m.record
FROM markets m LEFT JOIN imported_markets i ON i.market_id = m.id
WHERE m.condition_id = ?`;

// This exchange decides whether an event with a market that trades here is open.
const SELECT_EVENT = `
SELECT slug, active, closed, archived,
  EXISTS (SELECT 1 FROM plans WHERE event_id = events.id AND name LIKE 'event/%') AS isPlanned,
  EXISTS (SELECT 1 FROM markets m WHERE m.event_id = events.id
    AND NOT EXISTS (SELECT 1 FROM imported_markets WHERE market_id = m.id)) AS trades
FROM events WHERE id = ?`;

export interface StoredEventFacts {
  readonly slug: string;
  readonly active: 0 | 1;
  readonly closed: 0 | 1;
  readonly archived: 0 | 1;
  readonly isPlanned: 0 | 1;
  readonly trades: 0 | 1;
}

interface Synced {
  readonly source: string;
  readonly digest: Buffer;
}

type OfId<Row> = Statement<[id: number], Row>;
type OfKind<Row> = Statement<[kind: string, id: number], Row>;

export class StoredRows {
  readonly #database: Database;
  readonly #rows = new Map<RecordKind, OfId<unknown[]>>();
  readonly #names = new Map<RecordKind, OfId<{ readonly name: string | null }>>();
  readonly #market: Statement<[conditionId: string], StoredMarketFacts>;
  readonly #event: OfId<StoredEventFacts>;
  readonly #synced: OfKind<Synced>;
  readonly #putSynced: Statement<[string, number, string, Buffer]>;
  readonly #putImported: Statement<[conditionId: string]>;
  readonly #dropImported: Statement<[conditionId: string]>;
  readonly #putMark: Statement<[string, string, string]>;
  readonly #mark: Statement<[string, string], { readonly mark: string }>;

  constructor(database: Database) {
    this.#database = database;
    this.#market = database.prepare(SELECT_MARKET);
    this.#event = database.prepare(SELECT_EVENT);
    this.#synced = database.prepare(
      'SELECT source, digest FROM synced_records WHERE kind = ? AND id = ?',
    );
    this.#putSynced = database.prepare(`INSERT INTO synced_records VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET source = excluded.source, digest = excluded.digest`);
    this.#putImported = database.prepare(`INSERT INTO imported_markets
      SELECT id FROM markets WHERE condition_id = ? ON CONFLICT DO NOTHING`);
    this.#dropImported = database.prepare(`DELETE FROM imported_markets
      WHERE market_id = (SELECT id FROM markets WHERE condition_id = ?)`);
    this.#putMark = database.prepare(`INSERT INTO sync_marks (source, kind, mark) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET mark = excluded.mark`);
    this.#mark = database.prepare('SELECT mark FROM sync_marks WHERE source = ? AND kind = ?');
  }

  market(conditionId: string): StoredMarketFacts | undefined {
    return this.#market.get(conditionId);
  }

  event(id: number): StoredEventFacts | undefined {
    return this.#event.get(id);
  }

  /** The row as text, for comparison; undefined if there is none. */
  row(kind: RecordKind, id: number): string | undefined {
    const found = TABLES[kind];
    if (found === undefined) return undefined;
    const sql = ROWS[kind] ?? `SELECT * FROM ${found.table} WHERE id = ?`;
    let statement = this.#rows.get(kind);
    if (statement === undefined) {
      statement = this.#database.prepare<[number], unknown[]>(sql).raw(true);
      this.#rows.set(kind, statement);
    }
    const row = statement.get(id);
    return row === undefined ? undefined : JSON.stringify(row);
  }

  /** The name of the stored record; undefined if there is none. */
  name(kind: RecordKind, id: number): { readonly name: string | null } | undefined {
    const found = TABLES[kind];
    if (found === undefined) return undefined;
    let statement = this.#names.get(kind);
    if (statement === undefined) {
      statement = this.#database.prepare<[number], { name: string | null }>(
        `SELECT ${found.name} AS name FROM ${found.table} WHERE id = ?`,
      );
      this.#names.set(kind, statement);
    }
    return statement.get(id);
  }

  synced(kind: RecordKind, id: number): Synced | undefined {
    return this.#synced.get(kind, id);
  }

  putSynced(kind: RecordKind, id: number, { source, digest }: Synced): void {
    this.#putSynced.run(kind, id, source, digest);
  }

  /** Whether the operator of this exchange made it: an event with a plan. */
  isOperators(kind: RecordKind, id: number): boolean {
    return kind === 'events' && this.#event.get(id)?.isPlanned === 1;
  }

  /** These markets trade here from now on. */
  markTraded(conditionIds: readonly string[]): void {
    for (const conditionId of conditionIds) this.#dropImported.run(conditionId);
  }

  /** This market came from elsewhere: it does not trade unless the operator opens it. */
  markImported(conditionId: string): void {
    this.#putImported.run(conditionId);
  }

  mark(source: string, kind: RecordKind): string | undefined {
    return this.#mark.get(source, kind)?.mark;
  }

  putMark(source: string, kind: RecordKind, mark: string): void {
    this.#putMark.run(source, kind, mark);
  }
}
