// Creators, profiles, and what sports have, as their texts. Bound: the caller's part of a list;
// of kinds of markets, which are a fixed few, all.

import type { Database, Statement } from 'better-sqlite3';
import {
  furtherMembers,
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
} from '../json/index.ts';
import type { CatalogQuestions, CatalogText, CreatorSearch, TeamSearch } from '../model/index.ts';
import { columnOf } from '../model/index.ts';

const SELECT_CREATORS = `
SELECT id, creator_name AS creatorName, creator_handle AS creatorHandle,
  creator_url AS creatorUrl, creator_image AS creatorImage, wallet,
  created_at AS createdAt, updated_at AS updatedAt, record FROM creators`;

interface CreatorRow {
  readonly id: number;
  readonly creatorName: string;
  readonly creatorHandle: string;
  readonly creatorUrl: string;
  readonly creatorImage: string;
  readonly wallet: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly record: string;
}

interface TeamRow {
  readonly id: number;
  readonly name: string;
  readonly league: string;
  readonly abbreviation: string;
  readonly record: string;
}

interface SportRow {
  readonly id: number;
  readonly sport: string;
  readonly record: string;
}

function creatorText({ id, record, wallet, ...words }: CreatorRow): string {
  const whose = wallet === '' ? {} : { wallet };
  const members = JSON.stringify({ id: `${id}`, ...words, ...whose }).slice(0, -1);
  return `${members}${furtherMembers(record)}}`;
}

function recordText({ record, ...words }: TeamRow | SportRow): string {
  return `${JSON.stringify(words).slice(0, -1)}${furtherMembers(record)}}`;
}

function listText(texts: readonly string[]): CatalogText {
  return {
    segments: [`[${texts.join(',')}]`],
    gaps: [],
    count: texts.length,
  };
}

function one(text: string): CatalogText {
  return { segments: [text], gaps: [], count: 1 };
}

export class PeopleReads {
  readonly #database: Database;
  readonly #creator: Statement<[id: number], CreatorRow>;
  readonly #sports: Statement<[limit: number, offset: number], SportRow>;
  readonly #marketTypes: Statement<[], string>;
  readonly #profileOf: Statement<[wallet: string], ProfileColumns>;
  readonly #profileOfProxy: Statement<[proxyWallet: string], ProfileColumns>;

  constructor(database: Database) {
    this.#database = database;
    this.#creator = database.prepare(`${SELECT_CREATORS} WHERE id = ?`);
    this.#sports = database.prepare('SELECT * FROM sports ORDER BY id LIMIT ? OFFSET ?');
    this.#marketTypes = database
      .prepare<[], string>('SELECT name FROM market_types ORDER BY id')
      .pluck();
    this.#profileOf = database.prepare(`${SELECT_PROFILES} WHERE p.wallet = ?`);
    this.#profileOfProxy = database.prepare(
      `${SELECT_PROFILES} WHERE p.proxy_wallet = ? AND p.proxy_wallet <> '' LIMIT 1`,
    );
  }

  creators(search: CreatorSearch): CatalogText {
    const { sql, values } = creatorsPlan(search);
    const rows = this.#database.prepare<[object], CreatorRow>(sql).all(values);
    return listText(rows.map(creatorText));
  }

  creator({ id }: CatalogQuestions['creator']): CatalogText | undefined {
    const row = this.#creator.get(id);
    return row && one(creatorText(row));
  }

  teams(search: TeamSearch): CatalogText {
    const { sql, values } = teamsPlan(search);
    return listText(this.#database.prepare<[object], TeamRow>(sql).all(values).map(recordText));
  }

  sports({ limit, offset }: CatalogQuestions['sports']): CatalogText {
    return listText(this.#sports.all(limit, offset).map(recordText));
  }

  marketTypes(): CatalogText {
    return one(JSON.stringify({ marketTypes: this.#marketTypes.all() }));
  }

  /** Of an owner or of its wallet. */
  profile({ address }: CatalogQuestions['profile']): CatalogText | undefined {
    const row = this.#profileOf.get(address) ?? this.#profileOfProxy.get(address);
    return row && profileText(row);
  }
}

/** A list by some columns, each of which has an index. */
interface Plan {
  readonly sql: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function sorted(order: readonly string[], isAscending: boolean): string {
  return [...order, 'id']
    .map((name) => `${columnOf(name)} ${isAscending ? 'ASC' : 'DESC'}`)
    .join(', ');
}

/** Also for the tests of plans. */
function creatorsPlan(search: CreatorSearch): Plan {
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

/** The same of teams. */
function teamsPlan(search: TeamSearch): Plan {
  const { order, ascending, limit, offset } = search;
  const names = (['league', 'name', 'abbreviation'] as const).filter(
    (name) => search[name] !== undefined,
  );
  const clauses = names.map((name) => `${name} IN (SELECT value FROM json_each(@${name}))`);
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  const sql = `SELECT id, name, league, abbreviation, record FROM teams ${where}
    ORDER BY ${sorted(order, ascending)} LIMIT @limit OFFSET @offset`;
  const values = Object.fromEntries(names.map((name) => [name, JSON.stringify(search[name])]));
  return { sql, values: { ...values, limit, offset } };
}
