/**
 * Stores records of one kind in the public catalog's JSON form, all of them or none. Every call
 * runs inside a transaction of its caller, which rolls back if it throws. A record whose id is
 * stored is overwritten. Bounds: CATALOG_BOUNDS.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  CREATOR_COLUMNS,
  type CreatorRow,
  describeValue,
  type EventRow,
  type RecordBatch,
  type RecordKind,
  RefusalList,
  SPORT_COLUMNS,
  type SportRow,
  TEAM_COLUMNS,
  type TeamRow,
  upsertSql,
} from '../model/index.ts';
import {
  type Candidate,
  type CheckedEvent,
  type CheckedMarket,
  checkCreator,
  checkEvents,
  checkMarketRecord,
  checkSeries,
  checkSport,
  checkTag,
  checkTeam,
  isNumericId,
} from '../records/index.ts';
import type { CatalogWriter } from './catalog-writer.ts';
import type { CatalogConflicts } from './conflicts.ts';
import { PeopleStore } from './people-store.ts';

export interface RecordStoreParts {
  readonly writer: CatalogWriter;
  readonly conflicts: CatalogConflicts;
  /** Stores checked events; throws `CatalogImportError`. */
  readonly storeEvents: (events: readonly CheckedEvent[]) => void;
  /** Closes the ended markets of an event whose rows were just written. */
  readonly closeEnded: (eventId: number) => void;
  /** Removes the placeholders of these markets. */
  readonly removePlaceholders: (markets: readonly CheckedMarket[]) => void;
}

type ParentRow = Pick<EventRow, 'creator' | 'negRisk'>;

// `sites` is a field of ours: the sites on which the creator's markets are available (wire 8.6).
const PUT_SITES = `
INSERT OR IGNORE INTO creator_sites (site, creator_id)
SELECT site.value, creators.id FROM creators, json_each(creators.record, '$.sites') AS site
WHERE creators.id = ? AND site.type = 'text'`;

type Holder = Statement<[name: string], { readonly id: number }>;

export class RecordStore {
  readonly #parts: RecordStoreParts;
  readonly #puts: Readonly<Record<Exclude<RecordKind, 'events'>, (one: Candidate) => void>>;
  readonly #parent: Statement<[id: number], ParentRow>;
  readonly #putCreator: Statement<[CreatorRow]>;
  readonly #deleteSites: Statement<[creatorId: number]>;
  readonly #putSites: Statement<[creatorId: number]>;
  readonly #putTeam: Statement<[TeamRow]>;
  readonly #putSport: Statement<[SportRow]>;
  readonly #creatorOfWallet: Holder;
  readonly #sportOfName: Holder;

  constructor(database: Database, parts: RecordStoreParts) {
    this.#parts = parts;
    const people = new PeopleStore(database);
    this.#puts = {
      tags: (tag) => this.#putTagRecord(tag),
      series: (series) => this.#putSeriesRecord(series),
      markets: (market) => this.#putMarketRecord(market),
      creators: (creator) => this.#putCreatorRecord(creator),
      teams: (team) => this.#putTeamRecord(team),
      sports: (sport) => this.#putSportRecord(sport),
      profiles: (profile) => people.putProfile(profile),
      marketTypes: (name) => people.putMarketType(name),
      comments: (comment) => people.putComment(comment),
    };
    this.#parent = database.prepare('SELECT creator, neg_risk AS negRisk FROM events WHERE id = ?');
    this.#putCreator = database.prepare(upsertSql('creators', CREATOR_COLUMNS));
    this.#deleteSites = database.prepare('DELETE FROM creator_sites WHERE creator_id = ?');
    this.#putSites = database.prepare(PUT_SITES);
    this.#putTeam = database.prepare(upsertSql('teams', TEAM_COLUMNS));
    this.#putSport = database.prepare(upsertSql('sports', SPORT_COLUMNS));
    this.#creatorOfWallet = database.prepare('SELECT id FROM creators WHERE wallet = ?');
    this.#sportOfName = database.prepare('SELECT id FROM sports WHERE sport = ?');
  }

  /** Throws `CatalogImportError`. */
  put({ kind, records }: RecordBatch): void {
    const refusals = new RefusalList();
    if (kind === 'events') {
      this.#putEvents(records, refusals);
      return;
    }
    if (Array.isArray(records)) {
      records.forEach((value: unknown, index) => {
        this.#puts[kind]({ value, path: `$[${index}]`, refusals });
      });
    } else refusals.add('$', 'an array', describeValue(records));
    refusals.throwIfAny('malformed');
  }

  #putEvents(records: unknown, refusals: RefusalList): void {
    const events = checkEvents(records, refusals);
    refusals.throwIfAny('malformed');
    this.#parts.storeEvents(events);
  }

  #putTagRecord(candidate: Candidate): void {
    const { path, refusals } = candidate;
    const row = checkTag(candidate);
    if (row === undefined || refusals.count > 0) return;
    this.#parts.conflicts.refuseLabels({ path, tags: [row], series: [] }, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putTag(row);
  }

  #putSeriesRecord(candidate: Candidate): void {
    const { path, refusals } = candidate;
    const row = checkSeries(candidate);
    if (row === undefined || refusals.count > 0) return;
    this.#parts.conflicts.refuseLabels({ path, tags: [], series: [row] }, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putSeries(row);
  }

  /** Into its event. An event that is not stored is made from the summary in the market. */
  #putMarketRecord(candidate: Candidate): void {
    const { value, path, refusals } = candidate;
    const summary = eventSummaryOf(value);
    if (summary === undefined) {
      refusals.add(`${path}.events`, 'a list with the event that the market is in', 'none');
      return;
    }
    const { id }: { readonly id?: unknown } = summary;
    if (!isNumericId(id)) {
      refusals.add(`${path}.events[0].id`, 'a numeric id written as text', describeValue(id));
      return;
    }
    const eventId = Number(id);
    const parent = this.#parent.get(eventId);
    if (parent === undefined) {
      this.#putEvents([{ ...summary, markets: [value] }], refusals);
      return;
    }
    const { creator, negRisk } = parent;
    const market = checkMarketRecord(candidate, { eventId, creator, isNegRisk: negRisk === 1 });
    if (market === undefined || refusals.count > 0) return;
    if (market.row.negRisk !== negRisk) {
      const limit = `${negRisk === 1}, like its event's`;
      refusals.add(`${path}.negRisk`, limit, `${market.row.negRisk === 1}`);
    }
    this.#parts.removePlaceholders([market]);
    this.#parts.conflicts.refuseMarketConflicts(market, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putMarket(market);
    this.#parts.closeEnded(eventId);
  }

  #putCreatorRecord(candidate: Candidate): void {
    const row = checkCreator(candidate);
    if (row === undefined || candidate.refusals.count > 0) return;
    const holder = row.wallet === '' ? undefined : this.#creatorOfWallet.get(row.wallet);
    refuseHeldName(candidate, { field: 'wallet', name: row.wallet, id: row.id, holder });
    this.#putCreator.run(row);
    this.#deleteSites.run(row.id);
    this.#putSites.run(row.id);
  }

  #putTeamRecord(candidate: Candidate): void {
    const row = checkTeam(candidate);
    if (row !== undefined && candidate.refusals.count === 0) this.#putTeam.run(row);
  }

  #putSportRecord(candidate: Candidate): void {
    const row = checkSport(candidate);
    if (row === undefined || candidate.refusals.count > 0) return;
    const holder = this.#sportOfName.get(row.sport);
    refuseHeldName(candidate, { field: 'sport', name: row.sport, id: row.id, holder });
    this.#putSport.run(row);
  }
}

interface HeldName {
  readonly field: string;
  readonly name: string;
  readonly id: number;
  readonly holder: { readonly id: number } | undefined;
}

/** Throws `CatalogImportError` if a record with another id has the name. */
function refuseHeldName({ path, refusals }: Candidate, held: HeldName): void {
  const { field, name, id, holder } = held;
  if (holder === undefined || holder.id === id) return;
  refusals.add(
    `${path}.${field}`,
    `a ${field} that no other record has`,
    `${name}, stored with id ${holder.id}`,
  );
  refusals.throwIfAny('conflict');
}

/** The first of the `events` in a market's record. */
function eventSummaryOf(value: unknown): object | undefined {
  const events: unknown = Object(value).events;
  const first: unknown = Array.isArray(events) ? events[0] : undefined;
  return typeof first === 'object' && first !== null ? first : undefined;
}
