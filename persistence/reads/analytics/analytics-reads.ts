/**
 * The content of the catalog that answers of analytics show: a market's texts and an account's
 * profile, from catalog.db, which is attached as `catalog` to the connection that reads
 * analytics.db. Invariant: the caller runs each question in one read transaction, so an answer
 * shows one committed state; content is cached for one question only. Bound: ACCOUNTS_KEPT
 * accounts.
 */
import { pseudonymOf, toChecksumAddress } from '../../shared/index.ts';
import type { ReadTables } from '../tables/index.ts';

/** A market of the engine. If the catalog lacks it, texts are '' and the outcomes Yes and No. */
export interface MarketContent {
  readonly conditionId: string;
  /** The market's question. */
  readonly title: string;
  readonly slug: string;
  readonly icon: string;
  readonly eventSlug: string;
  readonly outcome0: string;
  readonly outcome1: string;
  /** ISO 8601; null for none. */
  readonly endDate: string | null;
  /** 0 or 1. */
  readonly negRisk: number;
}

export interface AccountProfile {
  /** EIP-55. */
  readonly address: string;
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  /** URL of its smaller form; '' for none. */
  readonly profileImageOptimized: string;
  readonly displayUsernamePublic: boolean;
  readonly xUsername: string | null;
  readonly verifiedBadge: boolean | null;
}

/** Each is a look-up in an index; a test checks the query plans. */
export const CONTENT_SQL = {
  seq: 'SELECT seq FROM progress',
  conditionId: 'SELECT condition_id FROM markets WHERE market_key = @marketKey',
  marketsOfEvent:
    'SELECT own.market_key FROM catalog.markets AS known CROSS JOIN markets AS own ' +
    'ON own.condition_id = known.condition_id WHERE known.event_id = @eventId',
  market:
    'SELECT m.question AS title, m.slug, m.icon, e.slug AS eventSlug, ' +
    't0.outcome AS outcome0, t1.outcome AS outcome1, m.end_date AS endDate, ' +
    'm.neg_risk AS negRisk FROM catalog.markets AS m ' +
    'CROSS JOIN catalog.events AS e ON e.id = m.event_id ' +
    'CROSS JOIN catalog.market_tokens AS t0 ON t0.market_id = m.id AND t0.outcome_index = 0 ' +
    'CROSS JOIN catalog.market_tokens AS t1 ON t1.market_id = m.id AND t1.outcome_index = 1 ' +
    'WHERE m.condition_id = ?',
  addresses:
    'SELECT accounts.address, owners.address AS owner FROM accounts ' +
    'JOIN owners ON owners.owner_key = accounts.owner_key WHERE account_key = ?',
  // The account's own, or else its owner's; each by its address or by its proxy wallet.
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

const ACCOUNTS_KEPT = 16_384;

interface Account {
  readonly address: string;
  readonly owner: string;
  readonly checksummed: string;
  readonly pseudonym: string;
}

type MarketRow = Omit<MarketContent, 'conditionId'>;

interface ProfileRow extends Pick<AccountProfile, 'name' | 'pseudonym' | 'bio' | 'profileImage'> {
  readonly isPublic: number;
  /** JSON. */
  readonly record: string;
}

export class AnalyticsReads {
  readonly tables: ReadTables;
  readonly #markets = new Map<number, MarketContent>();
  readonly #profiles = new Map<number, AccountProfile>();
  readonly #accounts = new Map<number, Account>();

  /** The connection of `tables` must have the catalog attached. */
  constructor(tables: ReadTables) {
    this.tables = tables;
  }

  /** Forgets the content read for the last question: the catalog may have changed since. */
  begin(): void {
    this.#markets.clear();
    this.#profiles.clear();
  }

  /** The last change that the tables show. */
  seq(): number {
    return this.tables.statement<[], { readonly seq: number }>(CONTENT_SQL.seq).get()?.seq ?? 0;
  }

  /** Keys of the markets of an event of the catalog. */
  marketsOfEvent(eventId: number): number[] {
    return this.tables.column<number>(CONTENT_SQL.marketsOfEvent, { eventId });
  }

  market(marketKey: number): MarketContent {
    const known = this.#markets.get(marketKey);
    if (known !== undefined) return known;
    const [conditionId = ''] = this.tables.column<string>(CONTENT_SQL.conditionId, { marketKey });
    const statement = this.tables.statement<[string], MarketRow>(CONTENT_SQL.market);
    const market = { conditionId, ...(statement.get(conditionId) ?? NO_CONTENT) };
    this.#markets.set(marketKey, market);
    return market;
  }

  /** The profile of the account itself, or else of its owner. */
  profile(accountKey: number): AccountProfile {
    const known = this.#profiles.get(accountKey);
    if (known !== undefined) return known;
    const account = this.#account(accountKey);
    type Addresses = Pick<Account, 'address' | 'owner'>;
    const row = this.tables.statement<[Addresses], ProfileRow>(CONTENT_SQL.profile).get(account);
    const profile = profileOf(account, row);
    this.#profiles.set(accountKey, profile);
    return profile;
  }

  /** An account's addresses and what follows from them; cached, because they never change. */
  #account(accountKey: number): Account {
    const known = this.#accounts.get(accountKey);
    if (known !== undefined) return known;
    type Row = { readonly address: string; readonly owner: string };
    const row = this.tables.statement<[number], Row>(CONTENT_SQL.addresses).get(accountKey);
    if (row === undefined) throw new Error(`account ${accountKey} has no row`);
    const { address, owner } = row;
    const pseudonym = pseudonymOf(address);
    const account = { address, owner, checksummed: toChecksumAddress(address), pseudonym };
    if (this.#accounts.size >= ACCOUNTS_KEPT) this.#accounts.clear();
    this.#accounts.set(accountKey, account);
    return account;
  }
}

/** Both undefined for all markets. */
export interface NamedMarkets {
  /** Condition ids in lower case. */
  readonly markets?: readonly string[] | undefined;
  /** Ids of events of the catalog, in place of markets. */
  readonly events?: readonly number[] | undefined;
}

/** Keys of the named markets that ever opened, without duplicates; undefined for all markets. */
export function marketKeysOf(
  reads: AnalyticsReads,
  { markets, events }: NamedMarkets,
): number[] | undefined {
  if (events === undefined && markets === undefined) return undefined;
  const keys =
    events?.flatMap((eventId) => reads.marketsOfEvent(eventId)) ??
    markets?.flatMap((conditionId) => reads.tables.key('market', conditionId) ?? []);
  return [...new Set(keys)];
}

const NO_CONTENT: MarketRow = {
  title: '',
  slug: '',
  icon: '',
  eventSlug: '',
  outcome0: 'Yes',
  outcome1: 'No',
  endDate: null,
  negRisk: 0,
};

function profileOf(account: Account, row: ProfileRow | undefined): AccountProfile {
  const { name = '', pseudonym = '', bio = '', profileImage = '', isPublic = 1 } = row ?? {};
  return {
    address: account.checksummed,
    name,
    pseudonym: pseudonym || account.pseudonym,
    bio,
    profileImage,
    displayUsernamePublic: isPublic === 1,
    ...furtherFields(row?.record ?? '{}'),
  };
}

/** Fields that an imported record of a profile may contain. */
function furtherFields(record: string) {
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
