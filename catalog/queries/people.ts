/**
 * Queries of creators, profiles, teams and sports. Bounds: the page size of the query; market
 * types are few and listed whole.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache, toChecksumAddress } from '../../persistence/shared/index.ts';
import { furtherMembers, plainJson, plainList } from '../json/json-writer.ts';
import {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unnamedProfile,
} from '../json/profile-text.ts';
import {
  type CatalogQueries,
  CREATOR_COLUMNS,
  type CreatorRow,
  type CreatorSearch,
  columnOf,
  type SlottedJson,
  type SportRow,
  selectList,
  TEAM_COLUMNS,
  type TeamRow,
  type TeamSearch,
} from '../model/index.ts';

const SELECT_CREATORS = `SELECT ${selectList('c', CREATOR_COLUMNS)} FROM creators c`;

function creatorText({ id, record, wallet, ...fields }: CreatorRow): string {
  const owner = wallet === '' ? {} : { wallet };
  const members = JSON.stringify({ id: `${id}`, ...fields, ...owner }).slice(0, -1);
  return `${members}${furtherMembers(record)}}`;
}

function recordText({ record, ...fields }: TeamRow | SportRow): string {
  return `${JSON.stringify(fields).slice(0, -1)}${furtherMembers(record)}}`;
}

export class PeopleQueries {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  creators(search: CreatorSearch): SlottedJson {
    const { sql, values } = creatorsPlan(search);
    return plainList(this.#sql.all<CreatorRow>(sql, values).map(creatorText));
  }

  creator({ id }: CatalogQueries['creator']): SlottedJson | undefined {
    const row = this.#sql.get<CreatorRow>(`${SELECT_CREATORS} WHERE id = ?`, id);
    return row && plainJson(creatorText(row));
  }

  teams(search: TeamSearch): SlottedJson {
    const { sql, values } = teamsPlan(search);
    return plainList(this.#sql.all<TeamRow>(sql, values).map(recordText));
  }

  sports({ limit, offset }: CatalogQueries['sports']): SlottedJson {
    const sql = 'SELECT * FROM sports ORDER BY id LIMIT ? OFFSET ?';
    return plainList(this.#sql.all<SportRow>(sql, limit, offset).map(recordText));
  }

  marketTypes(): SlottedJson {
    const marketTypes = this.#sql.column<string>('SELECT name FROM market_types ORDER BY id', []);
    return plainJson(JSON.stringify({ marketTypes }));
  }

  /**
   * The address is that of a user, or of the user's wallet. An account without a profile of its own
   * has its owner's, or else its pseudonym, as the analytics show it.
   */
  profile({ address, owner }: CatalogQueries['profile']): SlottedJson | undefined {
    const row = this.#profileOf(address) ?? (owner && this.#profileOf(owner));
    if (row) return profileText(row);
    if (owner === undefined) return undefined;
    return profileText(unnamedProfile(toChecksumAddress(address), toChecksumAddress(owner)));
  }

  #profileOf(address: string): ProfileColumns | undefined {
    return (
      this.#sql.get<ProfileColumns>(`${SELECT_PROFILES} WHERE p.wallet = ?`, address) ??
      this.#sql.get<ProfileColumns>(
        `${SELECT_PROFILES} WHERE p.proxy_wallet = ? AND p.proxy_wallet <> '' LIMIT 1`,
        address,
      )
    );
  }
}

/** A list sorted by columns that have an index. */
interface ListQuery {
  readonly sql: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function sorted(order: readonly string[], isAscending: boolean): string {
  return [...order, 'id']
    .map((name) => `${columnOf(name)} ${isAscending ? 'ASC' : 'DESC'}`)
    .join(', ');
}

function creatorsPlan(search: CreatorSearch): ListQuery {
  const { creatorName, creatorHandle, order, ascending, limit, offset } = search;
  const clauses = [
    ...(creatorName === undefined ? [] : ['creator_name = @creatorName']),
    ...(creatorHandle === undefined ? [] : ['creator_handle = @creatorHandle']),
  ];
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  const sql = `${SELECT_CREATORS} ${where} ORDER BY ${sorted(order, ascending)}
    LIMIT @limit OFFSET @offset`;
  return { sql, values: { creatorName, creatorHandle, limit, offset } };
}

function teamsPlan(search: TeamSearch): ListQuery {
  const { order, ascending, limit, offset } = search;
  const names = (['league', 'name', 'abbreviation'] as const).filter(
    (name) => search[name] !== undefined,
  );
  const clauses = names.map((name) => `${name} IN (SELECT value FROM json_each(@${name}))`);
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  const sql = `SELECT ${selectList('t', TEAM_COLUMNS)} FROM teams t ${where}
    ORDER BY ${sorted(order, ascending)} LIMIT @limit OFFSET @offset`;
  const values = Object.fromEntries(names.map((name) => [name, JSON.stringify(search[name])]));
  return { sql, values: { ...values, limit, offset } };
}
