/**
 * Stores records of one kind in the public catalog's JSON form, all of them or none. Every call
 * expects to run inside a transaction of its caller, which it leaves by throwing. A record that is
 * stored under its id is overwritten. Bounds: CATALOG_BOUNDS.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { EventRow, RecordBatch, RecordKind } from '../model/index.ts';
import { CATALOG_BOUNDS } from '../model/index.ts';
import {
  type CheckedEvent,
  type CheckedMarket,
  checkEvents,
  checkMarket,
  checkSeries,
  checkTag,
  describeValue,
  RecordReader,
  RefusalList,
  readDate,
  readId,
  readRequiredText,
  readText,
} from '../records/index.ts';
import type { CatalogConflicts } from './conflicts.ts';
import { PeopleRecords } from './people-records.ts';
import type { CatalogWriter } from './write.ts';

export interface CatalogRecordsParts {
  readonly writer: CatalogWriter;
  readonly conflicts: CatalogConflicts;
  /** Stores events that were checked; throws `CatalogImportError`. */
  readonly storeEvents: (events: readonly CheckedEvent[]) => void;
  /** Closes again what an event's rows, as they were just written, take for open. */
  readonly overlay: (eventId: number) => void;
  /** Removes what stands in for markets. */
  readonly makeWay: (markets: readonly CheckedMarket[]) => void;
}

type ParentRow = Pick<EventRow, 'creator' | 'negRisk'>;

const PUT_CREATOR = `
INSERT INTO creators (id, creator_name, creator_handle, creator_url, creator_image, wallet,
  created_at, updated_at, record)
VALUES (@id, @creatorName, @creatorHandle, @creatorUrl, @creatorImage, @wallet, @createdAt,
  @updatedAt, @record)
ON CONFLICT (id) DO UPDATE SET creator_name = excluded.creator_name,
  creator_handle = excluded.creator_handle, creator_url = excluded.creator_url,
  creator_image = excluded.creator_image, wallet = excluded.wallet,
  created_at = excluded.created_at, updated_at = excluded.updated_at, record = excluded.record`;

// A source may say under `sites` where the creator's markets are available (wire 8.6).
const PUT_SITES = `
INSERT OR IGNORE INTO creator_sites (site, creator_id)
SELECT site.value, creators.id FROM creators, json_each(creators.record, '$.sites') AS site
WHERE creators.id = ? AND site.type = 'text'`;

const PUT_TEAM = `
INSERT INTO teams (id, name, league, abbreviation, record)
VALUES (@id, @name, @league, @abbreviation, @record)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, league = excluded.league,
  abbreviation = excluded.abbreviation, record = excluded.record`;

const PUT_SPORT = `
INSERT INTO sports (id, sport, record) VALUES (@id, @sport, @record)
ON CONFLICT (id) DO UPDATE SET sport = excluded.sport, record = excluded.record`;

type Put = Statement<[Readonly<Record<string, string | number | null>>]>;

export class CatalogRecords {
  readonly #parts: CatalogRecordsParts;
  readonly #people: PeopleRecords;
  readonly #parent: Statement<[id: number], ParentRow>;
  readonly #putCreator: Put;
  readonly #forgetSites: Statement<[creatorId: number]>;
  readonly #putSites: Statement<[creatorId: number]>;
  readonly #putTeam: Put;
  readonly #putSport: Put;
  readonly #creatorOfWallet: Statement<[wallet: string], { readonly id: number }>;
  readonly #sportOfName: Statement<[sport: string], { readonly id: number }>;

  constructor(database: Database, parts: CatalogRecordsParts) {
    this.#parts = parts;
    this.#people = new PeopleRecords(database);
    this.#parent = database.prepare('SELECT creator, neg_risk AS negRisk FROM events WHERE id = ?');
    this.#putCreator = database.prepare(PUT_CREATOR);
    this.#forgetSites = database.prepare('DELETE FROM creator_sites WHERE creator_id = ?');
    this.#putSites = database.prepare(PUT_SITES);
    this.#putTeam = database.prepare(PUT_TEAM);
    this.#putSport = database.prepare(PUT_SPORT);
    this.#creatorOfWallet = database.prepare('SELECT id FROM creators WHERE wallet = ?');
    this.#sportOfName = database.prepare('SELECT id FROM sports WHERE sport = ?');
  }

  /** Throws `CatalogImportError`. */
  put({ kind, records }: Pick<RecordBatch, 'kind' | 'records'>): void {
    const refusals = new RefusalList();
    if (kind === 'events') {
      const events = checkEvents(records, refusals);
      refusals.throwIfAny('malformed');
      this.#parts.storeEvents(events);
      return;
    }
    if (!Array.isArray(records)) {
      refusals.add('$', 'an array', describeValue(records));
      refusals.throwIfAny('malformed');
      return;
    }
    const values: readonly unknown[] = records;
    values.forEach((value, index) => {
      const reader = () => new RecordReader(value, `$[${index}]`, refusals);
      this.#putOne(kind, { reader, value, path: `$[${index}]`, refusals });
    });
    refusals.throwIfAny('malformed');
  }

  #putOne(kind: Exclude<RecordKind, 'events'>, one: One): void {
    switch (kind) {
      case 'tags':
        this.#putTag(one);
        break;
      case 'series':
        this.#putSeries(one);
        break;
      case 'markets':
        this.#putMarket(one);
        break;
      case 'creators':
        this.#putCreatorOf(one);
        break;
      case 'teams':
        this.#putTeamOf(one);
        break;
      case 'sports':
        this.#putSportOf(one);
        break;
      case 'profiles':
        this.#people.putProfile(one.value, one.path, one.refusals);
        break;
      case 'marketTypes':
        this.#people.putMarketType(one.value, one.path, one.refusals);
        break;
      case 'comments':
        this.#people.putComment(one.value, one.path, one.refusals);
    }
  }

  #putTag({ reader, refusals }: One): void {
    const { path } = reader();
    const row = checkTag(reader());
    if (refusals.count > 0) return;
    this.#parts.conflicts.refuseLabels({ path, tags: [row], series: [] }, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putTag(row);
  }

  #putSeries({ reader, refusals }: One): void {
    const { path } = reader();
    const row = checkSeries(reader());
    if (refusals.count > 0) return;
    this.#parts.conflicts.refuseLabels({ path, tags: [], series: [row] }, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putSeries(row);
  }

  /** In its event, which is stored; else its event is stored as the market tells of it. */
  #putMarket({ reader, value, refusals }: One): void {
    const { path } = reader();
    const summary = eventOf(value);
    if (summary === undefined) {
      refusals.add(`${path}.events`, 'a list with the event that the market is in', 'none');
      return;
    }
    const eventId = readId(new RecordReader(summary, `${path}.events[0]`, refusals), 'id');
    const parent = this.#parent.get(eventId);
    if (refusals.count > 0) return;
    if (parent === undefined) {
      const event = { ...summary, markets: [value] };
      const checked = checkEvents([event], refusals);
      refusals.throwIfAny('malformed');
      this.#parts.storeEvents(checked);
      return;
    }
    const { creator, negRisk } = parent;
    const market = checkMarket(reader(), { eventId, creator, isNegRisk: negRisk === 1 });
    if (refusals.count > 0) return;
    if (market.row.negRisk !== negRisk) {
      const limit = `${negRisk === 1}, as its event's is`;
      refusals.add(`${path}.negRisk`, limit, `${market.row.negRisk === 1}`);
    }
    this.#parts.makeWay([market]);
    this.#parts.conflicts.refuseMarketConflicts(market, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putMarket(market);
    this.#parts.overlay(eventId);
  }

  #putCreatorOf({ reader: read, refusals }: One): void {
    const reader = read();
    const id = readId(reader, 'id');
    const { lineChars, addressChars } = CATALOG_BOUNDS;
    const row = {
      id,
      creatorName: readText(reader, 'creatorName', lineChars),
      creatorHandle: readText(reader, 'creatorHandle', lineChars),
      creatorUrl: readText(reader, 'creatorUrl', addressChars),
      creatorImage: readText(reader, 'creatorImage', addressChars),
      wallet: readText(reader, 'wallet', lineChars),
      createdAt: readDate(reader, 'createdAt'),
      updatedAt: readDate(reader, 'updatedAt'),
      record: reader.leftover(),
    };
    if (refusals.count > 0) return;
    const holder = row.wallet === '' ? undefined : this.#creatorOfWallet.get(row.wallet);
    if (holder !== undefined && holder.id !== id) {
      const actual = `${row.wallet}, stored with id ${holder.id}`;
      refusals.add(`${reader.path}.wallet`, 'a wallet of its own', actual);
      refusals.throwIfAny('conflict');
    }
    this.#putCreator.run(row);
    this.#forgetSites.run(id);
    this.#putSites.run(id);
  }

  #putTeamOf({ reader: read, value, refusals }: One): void {
    const reader = read();
    const { lineChars } = CATALOG_BOUNDS;
    const row = {
      id: readPlainId(reader, value),
      name: readRequiredText(reader, 'name', lineChars),
      league: readText(reader, 'league', lineChars),
      abbreviation: readText(reader, 'abbreviation', lineChars),
      record: reader.leftover(),
    };
    if (refusals.count === 0) this.#putTeam.run(row);
  }

  #putSportOf({ reader: read, value, refusals }: One): void {
    const reader = read();
    const row = {
      id: readPlainId(reader, value),
      sport: readRequiredText(reader, 'sport', CATALOG_BOUNDS.lineChars),
      record: reader.leftover(),
    };
    if (refusals.count > 0) return;
    const holder = this.#sportOfName.get(row.sport);
    if (holder !== undefined && holder.id !== row.id) {
      const actual = `${row.sport}, stored with id ${holder.id}`;
      refusals.add(`${reader.path}.sport`, 'a name of its own', actual);
      refusals.throwIfAny('conflict');
    }
    this.#putSport.run(row);
  }
}

/** One record, to be read as often as it takes. */
interface One {
  readonly reader: () => RecordReader;
  readonly value: unknown;
  readonly path: string;
  readonly refusals: RefusalList;
}

/** Teams and sports have ids that are numbers. */
function readPlainId(reader: RecordReader, value: unknown): number {
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : 0;
  if (typeof id !== 'number') return readId(reader, 'id');
  reader.take('id');
  const most = CATALOG_BOUNDS.importedId;
  if (Number.isSafeInteger(id) && id >= 1 && id <= most) return id;
  reader.refuse('id', `a number from 1 to ${most}`, String(id));
  return 0;
}

/** The event that a market's record tells of: the first of its `events`. */
function eventOf(value: unknown): object | undefined {
  const events: unknown =
    typeof value === 'object' && value !== null && 'events' in value ? value.events : undefined;
  const first: unknown = Array.isArray(events) ? events[0] : undefined;
  return typeof first === 'object' && first !== null ? first : undefined;
}
