/**
 * What the intake needs to know about stored records: where they come from, whether they trade
 * here, and what a row holds. Every method runs inside a transaction of its caller.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  columnOf,
  type EventRow,
  type Flag,
  type MarketRow,
  type RecordKind,
  selectFigures,
} from '../model/index.ts';

/** The field of each kind by which two catalogs identify the same record. */
export const NAME_FIELDS: Partial<Readonly<Record<RecordKind, string>>> = {
  tags: 'slug',
  series: 'slug',
  events: 'slug',
  markets: 'conditionId',
  creators: 'creatorName',
  teams: 'name',
  sports: 'sport',
};

/** This name as an SQL expression on the table of the kind, which is named like the kind. */
function nameSql(kind: RecordKind): string | undefined {
  if (kind === 'comments') return "lower(user_address) || ' ' || created_at";
  const field = NAME_FIELDS[kind];
  return field && columnOf(field);
}

/** Rows with their figures, tags and series, to see whether an import changes something. */
const ROWS: Partial<Readonly<Record<RecordKind, string>>> = {
  events: `SELECT e.*, ${selectFigures('f')}, f.competitive, f.told_comments, f.is_own,
    (SELECT group_concat(tag_id, ' ' ORDER BY position) FROM event_tags WHERE event_id = e.id),
    (SELECT group_concat(series_id, ' ' ORDER BY position) FROM event_series
     WHERE event_id = e.id)
    FROM events e LEFT JOIN event_figures f ON f.event_id = e.id WHERE e.id = ?`,
  markets: `SELECT m.*, f.* FROM markets m LEFT JOIN market_figures f ON f.market_id = m.id
    WHERE m.id = ?`,
  profiles: 'SELECT * FROM profiles WHERE wallet = ?',
  marketTypes: 'SELECT * FROM market_types WHERE name = ?',
};

export interface StoredMarketFacts
  extends Pick<
    MarketRow,
    | 'eventId'
    | 'active'
    | 'closed'
    | 'archived'
    | 'enableOrderBook'
    | 'acceptingOrders'
    | 'negRisk'
    | 'groupItemTitle'
    | 'creator'
    | 'mirrorConditionId'
    | 'mirrorTokens'
    | 'tickTicks'
    | 'minimumLots'
    | 'record'
  > {
  readonly isImported: Flag;
}

const SELECT_MARKET = `
SELECT m.event_id AS eventId, i.market_id IS NOT NULL AS isImported, m.active, m.closed,
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

export interface StoredEventFacts
  extends Pick<EventRow, 'slug' | 'active' | 'closed' | 'archived'> {
  readonly isPlanned: Flag;
  readonly trades: Flag;
}

interface Synced {
  readonly source: string;
  readonly digest: Buffer;
}

export class StoredRows {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  market(conditionId: string): StoredMarketFacts | undefined {
    return this.#sql.get<StoredMarketFacts>(SELECT_MARKET, conditionId);
  }

  event(id: number): StoredEventFacts | undefined {
    return this.#sql.get<StoredEventFacts>(SELECT_EVENT, id);
  }

  /**
   * The row as text, for comparison; undefined if there is none. `key`: the address of a profile,
   * the name of a market type, the id of any other record.
   */
  row(kind: RecordKind, key: number | string): string | undefined {
    const sql = ROWS[kind] ?? `SELECT * FROM ${kind} WHERE id = ?`;
    const row = this.#sql.prepare<[number | string], unknown[]>(sql).raw(true).get(key);
    return row && JSON.stringify(row);
  }

  name(kind: RecordKind, id: number): { readonly name: string | null } | undefined {
    const name = nameSql(kind);
    if (name === undefined) return undefined;
    return this.#sql.get<{ name: string | null }>(
      `SELECT ${name} AS name FROM ${kind} WHERE id = ?`,
      id,
    );
  }

  synced(kind: RecordKind, id: number): Synced | undefined {
    return this.#sql.get<Synced>(
      'SELECT source, digest FROM synced_records WHERE kind = ? AND id = ?',
      kind,
      id,
    );
  }

  putSynced(kind: RecordKind, id: number, { source, digest }: Synced): void {
    this.#sql.run(
      `INSERT INTO synced_records VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET source = excluded.source, digest = excluded.digest`,
      kind,
      id,
      source,
      digest,
    );
  }

  /** Whether the operator of this exchange made it: an event with a plan. */
  isOperators(kind: RecordKind, id: number): boolean {
    return kind === 'events' && this.event(id)?.isPlanned === 1;
  }

  /** These markets trade here from now on. */
  markTraded(conditionIds: readonly string[]): void {
    const drop = this.#sql.prepare(
      `DELETE FROM imported_markets
       WHERE market_id = (SELECT id FROM markets WHERE condition_id = ?)`,
    );
    for (const conditionId of conditionIds) drop.run(conditionId);
  }

  /** The market came from elsewhere: it does not trade here until it is opened. */
  markImported(conditionId: string): void {
    this.#sql.run(
      `INSERT INTO imported_markets
         SELECT id FROM markets WHERE condition_id = ? ON CONFLICT DO NOTHING`,
      conditionId,
    );
  }

  mark(source: string, kind: RecordKind): string | undefined {
    const sql = 'SELECT mark FROM sync_marks WHERE source = ? AND kind = ?';
    return this.#sql.column<string>(sql, [source, kind])[0];
  }

  putMark(source: string, kind: RecordKind, mark: string): void {
    this.#sql.run(
      `INSERT INTO sync_marks (source, kind, mark) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET mark = excluded.mark`,
      source,
      kind,
      mark,
    );
  }
}
