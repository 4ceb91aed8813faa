/**
 * Stores records of one kind in the public catalog's JSON form, all of them or none. Every call
 * runs inside a transaction of its caller, which rolls back if it throws. A stored record with the
 * same id is overwritten. Bounds: CATALOG_BOUNDS.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  CREATOR_COLUMNS,
  describeValue,
  type EventRow,
  isFields,
  listOf,
  memberOf,
  type RecordBatch,
  type RecordKind,
  RefusalList,
  SPORT_COLUMNS,
  TEAM_COLUMNS,
  upsertSql,
} from '../model/index.ts';
import { checkEvents, checkMarketRecord, checkSeries, checkTag } from '../records/event-records.ts';
import { isNumericId } from '../records/fields.ts';
import { checkCreator, checkSport, checkTeam } from '../records/people-records.ts';
import type { Candidate } from '../records/record-schema.ts';
import type { IntakeParts } from './additions.ts';
import { PeopleStore } from './people-store.ts';

type ParentRow = Pick<EventRow, 'creator' | 'negRisk'>;

const PUT_CREATOR = upsertSql('creators', CREATOR_COLUMNS);
const PUT_TEAM = upsertSql('teams', TEAM_COLUMNS);
const PUT_SPORT = upsertSql('sports', SPORT_COLUMNS);
const CREATOR_OF_WALLET = 'SELECT id FROM creators WHERE wallet = ?';

// `sites` is a field of ours: the sites on which the creator's markets are available (wire 8.6).
const PUT_SITES = `
INSERT OR IGNORE INTO creator_sites (site, creator_id)
SELECT site.value, creators.id FROM creators, json_each(creators.record, '$.sites') AS site
WHERE creators.id = ? AND site.type = 'text'`;

export class RecordStore {
  readonly #sql: StatementCache;
  readonly #parts: IntakeParts;
  readonly #puts: Readonly<Record<Exclude<RecordKind, 'events'>, (one: Candidate) => void>>;

  constructor(database: Database, parts: IntakeParts) {
    this.#sql = new StatementCache(database);
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
    const { conflicts, endedMarkets, placeholders, writer } = this.#parts;
    for (const { markets } of events) placeholders.removeFor(markets);
    for (const event of events) conflicts.refuseConflicts(event, refusals);
    refusals.throwIfAny('conflict');
    for (const event of events) {
      writer.putEvent(event);
      endedMarkets.closeEnded(event.row.id);
    }
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

  /** Stores a market. If its event is not stored, makes it from the summary in the market. */
  #putMarketRecord(candidate: Candidate): void {
    const { value, path, refusals } = candidate;
    const [summary] = listOf(memberOf(value, 'events'));
    if (!isFields(summary)) {
      refusals.add(`${path}.events`, 'a list with the event that the market is in', 'none');
      return;
    }
    const { id } = summary;
    if (!isNumericId(id)) {
      refusals.add(`${path}.events[0].id`, 'a numeric id written as text', describeValue(id));
      return;
    }
    const eventId = Number(id);
    const parent = this.#sql.get<ParentRow>(
      'SELECT creator, neg_risk AS negRisk FROM events WHERE id = ?',
      eventId,
    );
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
    this.#parts.placeholders.removeFor([market]);
    this.#parts.conflicts.refuseMarketConflicts(market, refusals);
    refusals.throwIfAny('conflict');
    this.#parts.writer.putMarket(market);
    this.#parts.endedMarkets.closeEnded(eventId);
  }

  #putCreatorRecord(candidate: Candidate): void {
    const row = checkCreator(candidate);
    if (row === undefined || candidate.refusals.count > 0) return;
    if (row.wallet !== '') {
      const holder = this.#sql.value<number>(CREATOR_OF_WALLET, row.wallet);
      refuseHeldName(candidate, { field: 'wallet', name: row.wallet, id: row.id, holder });
    }
    this.#sql.run(PUT_CREATOR, row);
    this.#sql.run('DELETE FROM creator_sites WHERE creator_id = ?', row.id);
    this.#sql.run(PUT_SITES, row.id);
  }

  #putTeamRecord(candidate: Candidate): void {
    const row = checkTeam(candidate);
    if (row !== undefined && candidate.refusals.count === 0) this.#sql.run(PUT_TEAM, row);
  }

  #putSportRecord(candidate: Candidate): void {
    const row = checkSport(candidate);
    if (row === undefined || candidate.refusals.count > 0) return;
    const holder = this.#sql.value<number>('SELECT id FROM sports WHERE sport = ?', row.sport);
    refuseHeldName(candidate, { field: 'sport', name: row.sport, id: row.id, holder });
    this.#sql.run(PUT_SPORT, row);
  }
}

interface HeldName {
  readonly field: string;
  readonly name: string;
  readonly id: number;
  readonly holder: number | undefined;
}

/** Throws `CatalogImportError` if a record with another id has the name. */
function refuseHeldName({ path, refusals }: Candidate, held: HeldName): void {
  const { field, name, id, holder } = held;
  if (holder === undefined || holder === id) return;
  refusals.add(
    `${path}.${field}`,
    `a ${field} that no other record has`,
    `${name}, stored with id ${holder}`,
  );
  refusals.throwIfAny('conflict');
}
