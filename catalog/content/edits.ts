/**
 * The operator's edits of catalog records. They are kept field by field beside the rows and applied
 * again after every import and sync, so that a source never overwrites them.
 *
 * Invariant: an edit, its entry in the action log and its rows are one transaction, which is on the
 * disk before the answer; a repeated edit changes nothing and is not logged.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  type CatalogAddition,
  type CatalogEdit,
  type CatalogEdited,
  CatalogRefusal,
  columnOf,
  durably,
  listOf,
  memberOf,
  type RecordBatch,
  RefusalList,
} from '../model/index.ts';
import { deriveNumericId } from '../records/identity.ts';
import { WordIndex } from '../search/word-index.ts';
import { EDIT_FIELDS, EDIT_SCHEMAS, EDIT_TABLES, type EditField } from './edit-fields.ts';
import type { ActionLog } from './local-changes.ts';

type Kind = CatalogEdit['kind'];

const HAS_EDITS = 'SELECT 1 FROM local_edits LIMIT 1';

interface LocalEdit {
  readonly field: string;
  readonly value: string;
}

const CURRENT_SQL: Readonly<Record<EditField['place'], (kind: Kind, field: string) => string>> = {
  column: (kind, field) =>
    `SELECT json_array(${columnOf(field)}) -> 0 FROM ${EDIT_TABLES[kind]} WHERE id = @id`,
  member: (kind, field) =>
    `SELECT coalesce(record -> '$.${field}', 'null') FROM ${EDIT_TABLES[kind]} WHERE id = @id`,
  tags: () => `SELECT json_group_array(slug) FROM (SELECT slug FROM event_tags
    JOIN tags ON tags.id = tag_id WHERE event_id = @id ORDER BY position)`,
  series: () => `SELECT json_group_array(slug) FROM (SELECT slug FROM event_series
    JOIN series ON series.id = series_id WHERE event_id = @id ORDER BY position)`,
  sites: () => `SELECT json_group_array(site) FROM
    (SELECT site FROM creator_sites WHERE creator_id = @id ORDER BY site)`,
};

function linkSql(table: 'tags' | 'series', link: string, column: string): readonly string[] {
  return [
    `DELETE FROM ${link} WHERE event_id = @id`,
    `INSERT INTO ${link} (event_id, ${column}, position)
   SELECT @id, ${table}.id, key FROM json_each(@value) JOIN ${table} ON slug = value`,
  ];
}

const APPLY_SQL: Readonly<
  Record<EditField['place'], (kind: Kind, field: string) => readonly string[]>
> = {
  column: (kind, field) => [
    `UPDATE ${EDIT_TABLES[kind]} SET ${columnOf(field)} = @value ->> '$' WHERE id = @id`,
  ],
  member: (kind, field) => [
    `UPDATE ${EDIT_TABLES[kind]} SET record = json_set(record, '$.${field}', json(@value))
       WHERE id = @id`,
  ],
  tags: () => linkSql('tags', 'event_tags', 'tag_id'),
  series: () => linkSql('series', 'event_series', 'series_id'),
  sites: () => [
    'DELETE FROM creator_sites WHERE creator_id = @id',
    'INSERT OR IGNORE INTO creator_sites SELECT value, @id FROM json_each(@value)',
  ],
};

const BATCH_KINDS: Readonly<Partial<Record<RecordBatch['kind'], Kind>>> = {
  events: 'event',
  markets: 'market',
  tags: 'tag',
  series: 'series',
  creators: 'creator',
};

const RECORD_KINDS = { tag: 'tags', series: 'series', creator: 'creators' } as const;
const NAMES = { tag: 'slug', series: 'slug', creator: 'creatorName' } as const;

export interface CatalogEditsParts {
  readonly database: Database;
  readonly actions: ActionLog;
  /** Stores records, or throws `CatalogImportError`. */
  readonly putRecords: (batch: RecordBatch) => void;
}

export class CatalogEdits {
  readonly #parts: CatalogEditsParts;
  readonly #index: WordIndex;
  readonly #sql: StatementCache;

  constructor(parts: CatalogEditsParts) {
    this.#parts = parts;
    this.#index = new WordIndex(parts.database);
    this.#sql = new StatementCache(parts.database);
  }

  /** Throws `CatalogRefusal`, and `CatalogImportError` for values that are malformed. */
  edit({ kind, id, changes, nowIso, said }: CatalogEdit): CatalogEdited {
    const values = readChanges(kind, changes);
    return durably(this.#parts.database, () => {
      if (!this.#exists(kind, id)) {
        throw new CatalogRefusal('unknown', {
          field: 'id',
          limit: `the id of a known ${kind}`,
          actual: `${id}`,
        });
      }
      const changed = [...values].filter(([field, value]) => {
        this.#refuseUnknownSlugs(kind, field, value);
        return this.#current(kind, id, field) !== value;
      });
      if (changed.length === 0) return { id, changed: false };
      for (const [field, value] of changed) {
        this.#sql.run(
          `INSERT INTO local_edits VALUES (@kind, @id, @field, @value)
           ON CONFLICT DO UPDATE SET value = excluded.value`,
          { kind, id, field, value },
        );
      }
      this.#applyAll(kind, id);
      const table = EDIT_TABLES[kind];
      this.#sql.run(`UPDATE ${table} SET updated_at = @nowIso WHERE id = @id`, { id, nowIso });
      this.#parts.actions.put({
        kind: `${kind}_edit`,
        details: { id: `${id}`, changes: parsedOf(changed) },
        nowIso,
        said,
      });
      return { id, changed: true };
    });
  }

  /** Adds a record. If the record of that name has the same content, only returns its id. */
  add({ kind, record, nowIso, said }: CatalogAddition): CatalogEdited {
    const { sites, ...fields } = record;
    const name = `${fields[NAMES[kind]] ?? ''}`;
    return durably(this.#parts.database, () => {
      const known = this.#named(kind, name);
      const values = readChanges(kind, editable(kind, record));
      if (known !== undefined) {
        const other = [...values].find(([field, value]) => {
          return this.#current(kind, known, field) !== value;
        });
        if (other === undefined) return { id: known, changed: false };
        const [field] = other;
        const limit = this.#current(kind, known, field);
        throw new CatalogRefusal('taken', { field, limit, actual: other[1] });
      }
      const id = deriveNumericId(kind, name, (one) => this.#exists(kind, one));
      const dates = { createdAt: nowIso, updatedAt: nowIso };
      const records = [{ ...fields, ...dates, id: `${id}` }];
      this.#parts.putRecords({ kind: RECORD_KINDS[kind], records });
      const site = values.get('sites');
      if (site !== undefined) this.#apply(kind, id, { field: 'sites', value: site });
      const details = { id: `${id}`, record };
      this.#parts.actions.put({ kind: `${kind}_add`, details, nowIso, said });
      return { id, changed: true };
    });
  }

  /** Applies the edits to rows that an import or a sync has just written. */
  applyTo({ kind, records }: Pick<RecordBatch, 'kind' | 'records'>): void {
    const first = BATCH_KINDS[kind];
    if (first === undefined || this.#sql.value(HAS_EDITS) === undefined) return;
    for (const record of listOf(memberOf(records, 'events') ?? records)) {
      this.#applyAll(first, idOf(record));
      for (const [list, other] of Object.entries(BATCH_KINDS)) {
        for (const nested of listOf(memberOf(record, list))) this.#applyAll(other, idOf(nested));
      }
    }
  }

  #applyAll(kind: Kind, id: number): void {
    const sql = 'SELECT field, value FROM local_edits WHERE kind = ? AND id = ?';
    const edits = this.#sql.all<LocalEdit>(sql, kind, id);
    if (edits.length === 0) return;
    for (const edit of edits) this.#apply(kind, id, edit);
    if (kind === 'tag') this.#index.putTag(id);
    if (kind === 'event') this.#index.putEvent(id);
    if (kind !== 'market') return;
    const eventId = this.#sql.value<number>('SELECT event_id FROM markets WHERE id = ?', id);
    if (eventId !== undefined) this.#index.putEvent(eventId);
  }

  #apply(kind: Kind, id: number, { field, value }: LocalEdit): void {
    const place = EDIT_FIELDS[kind][field]?.place;
    if (place === undefined) return;
    for (const sql of APPLY_SQL[place](kind, field)) {
      this.#sql.run(sql, { id, value });
    }
  }

  #refuseUnknownSlugs(kind: Kind, field: string, value: string): void {
    const place = EDIT_FIELDS[kind][field]?.place;
    if (place !== 'tags' && place !== 'series') return;
    const sql = `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT slug FROM ${place})`;
    const unknown = this.#sql.value<string>(sql, value);
    if (unknown === undefined) return;
    throw new CatalogRefusal('unknown', {
      field,
      limit: `slugs of ${place} in the catalog`,
      actual: unknown,
    });
  }

  #current(kind: Kind, id: number, field: string): string {
    const place = EDIT_FIELDS[kind][field]?.place ?? 'column';
    return this.#sql.value<string>(CURRENT_SQL[place](kind, field), { id }) ?? 'null';
  }

  #exists(kind: Kind, id: number): boolean {
    return this.#sql.value(`SELECT id FROM ${EDIT_TABLES[kind]} WHERE id = ?`, id) !== undefined;
  }

  #named(kind: CatalogAddition['kind'], name: string): number | undefined {
    const column = columnOf(NAMES[kind]);
    const sql = `SELECT id FROM ${EDIT_TABLES[kind]} WHERE ${column} = ? LIMIT 1`;
    return this.#sql.value<number>(sql, name);
  }
}

/** Stored forms of the changes as JSON, by field. Throws for an unknown or malformed field. */
function readChanges(
  kind: Kind,
  changes: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const known = EDIT_FIELDS[kind];
  const unknown = Object.keys(changes).find((field) => !Object.hasOwn(known, field));
  if (unknown !== undefined) {
    const limit = `one of ${Object.keys(known).join(', ')}`;
    throw new CatalogRefusal('malformed', { field: unknown, limit, actual: 'an unknown field' });
  }
  const refusals = new RefusalList();
  EDIT_SCHEMAS[kind].check({ value: changes, path: '$', refusals });
  refusals.throwIfAny('malformed');
  return new Map(
    Object.entries(changes).map(([field, value]) => [
      field,
      // Safe: the schema of the field has just accepted the value.
      JSON.stringify(known[field]?.stored(value as never)),
    ]),
  );
}

/** The fields of a new record that can be compared with a stored one. */
function editable(
  kind: CatalogAddition['kind'],
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field in EDIT_FIELDS[kind]));
}

function parsedOf(changes: readonly (readonly [string, string])[]): Record<string, unknown> {
  return Object.fromEntries(changes.map(([field, value]) => [field, JSON.parse(value)]));
}

function idOf(record: unknown): number {
  return Number(memberOf(record, 'id') ?? 0);
}
