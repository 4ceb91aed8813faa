/**
 * What every question of analytics reads with: analytics.db with catalog.db beside it as `catalog`,
 * over one connection that only reads. Owned by the analytics thread. Invariant: the caller runs
 * each question in one read transaction, so names, words and rows are of one moment; what is
 * remembered of words and profiles is forgotten before the next question. Bound: STATEMENTS_KEPT
 * shapes of SQL; NAMES_KEPT addresses; one question's words.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  openPlanStableDatabase,
  pseudonymOf,
  STORE_PACE,
  toChecksumAddress,
} from '../../shared/index.ts';

/** What the catalog says of a market of the engine. */
export interface MarketWords {
  readonly conditionId: string;
  /** The market's question; words that nobody told are ''. */
  readonly title: string;
  readonly slug: string;
  readonly icon: string;
  readonly eventId: number;
  readonly eventSlug: string;
  readonly outcome0: string;
  readonly outcome1: string;
  /** ISO 8601; null where nobody told one. */
  readonly endDate: string | null;
  /** 0 or 1. */
  readonly negRisk: number;
}

/** Whom an account shows. */
export interface AccountWords {
  /** EIP-55. */
  readonly address: string;
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  /** The address of its smaller form; '' where there is none. */
  readonly profileImageOptimized: string;
  readonly displayUsernamePublic: boolean;
  readonly xUsername: string | null;
  readonly verifiedBadge: boolean | null;
}

/** Each is a look-up in an index; a test reads the plans. */
export const NAME_SQL = {
  seq: 'SELECT seq FROM progress',
  account: 'SELECT account_key FROM accounts WHERE address = ?',
  market: 'SELECT market_key FROM markets WHERE condition_id = ?',
  conditionId: 'SELECT condition_id FROM markets WHERE market_key = ?',
  marketsOfEvent:
    'SELECT own.market_key FROM catalog.markets AS known CROSS JOIN markets AS own ' +
    'ON own.condition_id = known.condition_id WHERE known.event_id = ?',
  words:
    'SELECT m.question AS title, m.slug, m.icon, m.event_id AS eventId, e.slug AS eventSlug, ' +
    't0.outcome AS outcome0, t1.outcome AS outcome1, m.end_date AS endDate, ' +
    'm.neg_risk AS negRisk FROM catalog.markets AS m ' +
    'CROSS JOIN catalog.events AS e ON e.id = m.event_id ' +
    'CROSS JOIN catalog.market_tokens AS t0 ON t0.market_id = m.id AND t0.outcome_index = 0 ' +
    'CROSS JOIN catalog.market_tokens AS t1 ON t1.market_id = m.id AND t1.outcome_index = 1 ' +
    'WHERE m.condition_id = ?',
  addresses:
    'SELECT accounts.address, owners.address AS owner FROM accounts ' +
    'JOIN owners ON owners.owner_key = accounts.owner_key WHERE account_key = ?',
  // The account's own, or else its owner's; each by its address or as the wallet of another.
  profile:
    'SELECT name, pseudonym, bio, profile_image AS profileImage, ' +
    'display_username_public AS isPublic, record FROM catalog.profiles WHERE wallet = coalesce(' +
    ['@address', '@owner']
      .flatMap((name) => [
        `(SELECT wallet FROM catalog.profiles WHERE wallet = ${name})`,
        `(SELECT wallet FROM catalog.profiles WHERE proxy_wallet = ${name} ` +
          "AND proxy_wallet <> '')",
      ])
      .join(', ') +
    ')',
} as const;

const STATEMENTS_KEPT = 256;
const NAMES_KEPT = 16_384;

interface Called {
  readonly address: string;
  readonly owner: string;
  readonly checksummed: string;
  readonly pseudonym: string;
}

type WordsRow = Omit<MarketWords, 'conditionId'>;

interface ProfileRow {
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  readonly isPublic: number;
  /** JSON. */
  readonly record: string;
}

export class AnalyticsReads {
  readonly database: Database;
  /** By their SQL, the one that was used last at the end. */
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();
  readonly #words = new Map<number, MarketWords>();
  readonly #accounts = new Map<number, AccountWords>();
  readonly #names = new Map<number, Called>();

  constructor(database: Database) {
    this.database = database;
  }

  /** Forgets the words of the question before: the catalog may have changed since. */
  begin(): void {
    this.#words.clear();
    this.#accounts.clear();
  }

  /** The statement of a fixed number of shapes: values are parameters, never parts of the SQL. */
  statement<Parameters extends unknown[], Row>(sql: string): Statement<Parameters, Row> {
    const statement = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest = ''] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_KEPT) this.#statements.delete(oldest);
    // Safe as far as the caller knows its SQL, as with every prepared statement.
    return statement as unknown as Statement<Parameters, Row>;
  }

  /** The last change that the tables show. */
  seq(): number {
    return this.statement<[], { readonly seq: number }>(NAME_SQL.seq).get()?.seq ?? 0;
  }

  /** Of a lower-case address; undefined for one that never was an account. */
  accountKey(address: string): number | undefined {
    type Row = { readonly account_key: number };
    return this.statement<[string], Row>(NAME_SQL.account).get(address)?.account_key;
  }

  /** Of a lower-case condition id; undefined for a market that never opened. */
  marketKey(conditionId: string): number | undefined {
    type Row = { readonly market_key: number };
    return this.statement<[string], Row>(NAME_SQL.market).get(conditionId)?.market_key;
  }

  /** Keys of the markets of an event of the catalog. */
  marketsOfEvent(eventId: number): number[] {
    type Row = { readonly market_key: number };
    const rows = this.statement<[number], Row>(NAME_SQL.marketsOfEvent).all(eventId);
    return rows.map((row) => row.market_key);
  }

  words(marketKey: number): MarketWords {
    const known = this.#words.get(marketKey);
    if (known !== undefined) return known;
    type Row = { readonly condition_id: string };
    const market = this.statement<[number], Row>(NAME_SQL.conditionId).get(marketKey);
    const conditionId = market?.condition_id ?? '';
    const row = this.statement<[string], WordsRow>(NAME_SQL.words).get(conditionId) ?? NO_WORDS;
    const words = { conditionId, ...row };
    this.#words.set(marketKey, words);
    return words;
  }

  /** With the profile of the account itself, or else of its owner. */
  account(accountKey: number): AccountWords {
    const known = this.#accounts.get(accountKey);
    if (known !== undefined) return known;
    const called = this.#called(accountKey);
    type Names = Pick<Called, 'address' | 'owner'>;
    const profile = this.statement<[Names], ProfileRow>(NAME_SQL.profile).get(called);
    const words = accountWords(called, profile);
    this.#accounts.set(accountKey, words);
    return words;
  }

  /** What follows from addresses, which an account keeps for ever. */
  #called(accountKey: number): Called {
    const known = this.#names.get(accountKey);
    if (known !== undefined) return known;
    type Row = { readonly address: string; readonly owner: string };
    const row = this.statement<[number], Row>(NAME_SQL.addresses).get(accountKey);
    if (row === undefined) throw new Error(`there is no account ${accountKey}, which was found`);
    const { address, owner } = row;
    const pseudonym = pseudonymOf(address);
    const called = { address, owner, checksummed: toChecksumAddress(address), pseudonym };
    if (this.#names.size >= NAMES_KEPT) this.#names.clear();
    this.#names.set(accountKey, called);
    return called;
  }
}

const NO_WORDS: WordsRow = {
  title: '',
  slug: '',
  icon: '',
  eventId: 0,
  eventSlug: '',
  outcome0: 'Yes',
  outcome1: 'No',
  endDate: null,
  negRisk: 0,
};

function accountWords(called: Called, profile: ProfileRow | undefined): AccountWords {
  const { name = '', pseudonym = '', bio = '', profileImage = '', isPublic = 1 } = profile ?? {};
  return {
    address: called.checksummed,
    name,
    pseudonym: pseudonym || called.pseudonym,
    bio,
    profileImage,
    displayUsernamePublic: isPublic === 1,
    ...furtherWords(profile?.record ?? '{}'),
  };
}

/** What a source told of somebody besides. */
function furtherWords(record: string) {
  if (record === '{}') return { profileImageOptimized: '', xUsername: null, verifiedBadge: null };
  // Safe: a record is what JSON.stringify made of an object.
  const further = JSON.parse(record) as Readonly<Record<string, unknown>>;
  const { profileImageOptimized: image, xUsername, verifiedBadge } = further;
  const optimized =
    typeof image === 'object' && image !== null && 'imageUrlOptimized' in image
      ? image.imageUrlOptimized
      : image;
  return {
    profileImageOptimized: typeof optimized === 'string' ? optimized : '',
    xUsername: typeof xUsername === 'string' ? xUsername : null,
    verifiedBadge: typeof verifiedBadge === 'boolean' ? verifiedBadge : null,
  };
}

/** Opens the tables that the projector makes, with the catalog's beside them. */
export function openAnalytics(projectionPath: string, catalogPath: string): Database {
  const database = openPlanStableDatabase({ path: projectionPath, readonly: true });
  database.prepare('ATTACH ? AS catalog').run(catalogPath);
  database.pragma(`cache_size = -${STORE_PACE.projectionCacheKib}`);
  return database;
}
