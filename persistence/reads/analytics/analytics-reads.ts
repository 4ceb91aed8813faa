/**
 * The content of the catalog that answers of analytics show: a market's texts and an account's
 * profile, from catalog.db, which is attached as `catalog` to the connection that reads
 * analytics.db. Invariant: the caller runs each question in one read transaction, so an answer
 * shows one committed state; content is kept until the catalog changes. Bound: MOST_KEPT markets
 * and as many profiles.
 */

import {
  type AccountAddresses,
  type AccountProfile,
  type AccountProfileRow,
  accountProfile,
  accountProfileSql,
  NO_MARKET,
} from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import { membersOf } from './number-text.ts';

/**
 * How answers name an outcome's token: by its token id, or as `<condition id>:<outcome index>`
 * (wire 0.14).
 */
export type AssetForm = 'token_id' | 'condition_and_outcome';

/** The Data API whose field names rows have. */
export type DataVersion = 1 | 2;

/** What every question may say besides. */
export interface AnswerForm {
  /** `token_id` where it is left out. */
  readonly assetForm?: AssetForm | undefined;
  /** 1 where it is left out. */
  readonly version?: DataVersion | undefined;
}

/** A market of the engine. If the catalog lacks it, texts are '' and the outcomes Yes and No. */
export interface MarketContent {
  readonly conditionId: string;
  /** Names of the tokens of the outcomes, in the form that the question asks for. */
  readonly assets: readonly [string, string];
  /** The market's question. */
  readonly title: string;
  readonly slug: string;
  readonly icon: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  /** The event's id in the catalog; null if the catalog lacks the market. */
  readonly eventId: number | null;
  readonly outcome0: string;
  readonly outcome1: string;
  /** ISO 8601; null for none. */
  readonly endDate: string | null;
  /** 0 or 1. */
  readonly negRisk: number;
  readonly archived: number;
  /** The texts of rows about the market, as members of a JSON object. */
  readonly members: string;
}

interface ShownProfile extends AccountProfile {
  /** The same of rows about the account. */
  readonly members: string;
}

/** Each is a look-up in an index; a test checks the query plans. */
export const CONTENT_SQL = {
  seq: 'SELECT seq FROM progress',
  ids:
    'SELECT condition_id AS conditionId, yes_token AS yesToken, no_token AS noToken ' +
    'FROM markets WHERE market_key = ?',
  marketsOfEvent:
    'SELECT own.market_key FROM catalog.markets AS known CROSS JOIN markets AS own ' +
    'ON own.condition_id = known.condition_id WHERE known.event_id = @eventId',
  market:
    'SELECT m.question AS title, m.slug, m.icon, e.slug AS eventSlug, ' +
    'e.title AS eventTitle, ' +
    'm.event_id AS eventId, m.archived, ' +
    't0.outcome AS outcome0, t1.outcome AS outcome1, m.end_date AS endDate, ' +
    'm.neg_risk AS negRisk FROM catalog.markets AS m ' +
    'CROSS JOIN catalog.events AS e ON e.id = m.event_id ' +
    'CROSS JOIN catalog.market_tokens AS t0 ON t0.market_id = m.id AND t0.outcome_index = 0 ' +
    'CROSS JOIN catalog.market_tokens AS t1 ON t1.market_id = m.id AND t1.outcome_index = 1 ' +
    'WHERE m.condition_id = ?',
  addresses:
    'SELECT accounts.address, owners.address AS owner FROM accounts ' +
    'JOIN owners ON owners.owner_key = accounts.owner_key WHERE account_key = ?',
  profile: accountProfileSql('catalog.profiles'),
  /** Another number after each change of the catalog that another connection made. */
  version: 'PRAGMA catalog.data_version',
  profilesNamed:
    'SELECT wallet, proxy_wallet AS proxyWallet FROM catalog.profiles ' +
    "WHERE name = @name OR (name = '' AND pseudonym = @name) LIMIT @most",
} as const;

const MOST_KEPT = 8_192;

/** What was read for a key, made at its first use. A full map is emptied first. */
function kept<Value>(values: Map<number, Value>, key: number, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (values.size >= MOST_KEPT) values.clear();
  values.set(key, made);
  return made;
}

interface NamedProfile {
  readonly wallet: string;
  readonly proxyWallet: string;
}

interface MarketIds {
  readonly conditionId: string;
  readonly yesToken: string;
  readonly noToken: string;
}

type MarketRow = Omit<MarketContent, 'conditionId' | 'assets' | 'members'>;

export class AnalyticsReads {
  readonly tables: ReadTables;
  readonly #markets = new Map<number, MarketContent>();
  readonly #profiles = new Map<number, ShownProfile>();
  /** The catalog's version of what is kept. */
  #catalogVersion: number | undefined;
  #assetForm: AssetForm = 'token_id';
  #version: DataVersion = 1;

  /** The connection of `tables` must have the catalog attached. */
  constructor(tables: ReadTables) {
    this.tables = tables;
  }

  /** Begins a question. Forgets content that the catalog may have changed since the last one. */
  begin({ assetForm = 'token_id', version = 1 }: AnswerForm = {}): void {
    const [catalogVersion] = this.tables.column<number>(CONTENT_SQL.version, {});
    if (catalogVersion !== this.#catalogVersion || assetForm !== this.#assetForm) {
      this.#markets.clear();
      this.#profiles.clear();
    }
    this.#catalogVersion = catalogVersion;
    this.#assetForm = assetForm;
    this.#version = version;
  }

  /** In whose words rows are written. */
  get version(): DataVersion {
    return this.#version;
  }

  /** The last change that the tables show. */
  seq(): number {
    return this.tables.statement<[], { readonly seq: number }>(CONTENT_SQL.seq).get()?.seq ?? 0;
  }

  /** Keys of the markets of an event of the catalog. */
  marketsOfEvent(eventId: number): number[] {
    return this.tables.column<number>(CONTENT_SQL.marketsOfEvent, { eventId });
  }

  /** NO_MARKET has no ids and texts. */
  market(marketKey: number): MarketContent {
    return kept(this.#markets, marketKey, () => this.#readMarket(marketKey));
  }

  #readMarket(marketKey: number): MarketContent {
    const select = this.tables.statement<[number], MarketIds>(CONTENT_SQL.ids);
    const ids = marketKey === NO_MARKET ? NO_IDS : select.get(marketKey);
    if (ids === undefined) throw new Error(`market ${marketKey} has no row`);
    const { conditionId } = ids;
    const row = this.tables.statement<[string], MarketRow>(CONTENT_SQL.market).get(conditionId);
    const { title, slug, icon, eventSlug, ...others } = row ?? NO_CONTENT;
    const texts = { title, slug, icon, eventSlug };
    const members = membersOf(texts);
    return { conditionId, assets: this.#assetsOf(ids), ...texts, ...others, members };
  }

  #assetsOf({ conditionId, yesToken, noToken }: MarketIds): readonly [string, string] {
    if (this.#assetForm === 'token_id') return [yesToken, noToken];
    return [`${conditionId}:0`, `${conditionId}:1`];
  }

  /** The profile of the account itself, or else of its owner. */
  profile(accountKey: number): ShownProfile {
    return kept(this.#profiles, accountKey, () => {
      const select = this.tables.statement<[number], AccountAddresses>(CONTENT_SQL.addresses);
      const addresses = select.get(accountKey);
      if (addresses === undefined) throw new Error(`account ${accountKey} has no row`);
      return this.#profileOf(addresses);
    });
  }

  /** The profile of an address, in lower case, that need not have an account. */
  profileOfAddress(address: string): ShownProfile {
    return this.#profileOf({ address, owner: address });
  }

  #profileOf(addresses: AccountAddresses): ShownProfile {
    const select = this.tables.statement<[AccountAddresses], AccountProfileRow>(
      CONTENT_SQL.profile,
    );
    const profile = accountProfile(addresses.address, select.get(addresses));
    const { name, pseudonym, bio, profileImage, profileImageOptimized } = profile;
    const texts = { name, pseudonym, bio, profileImage, profileImageOptimized };
    return { ...profile, members: membersOf(texts) };
  }

  /**
   * The accounts that are shown by this name: one that was chosen, or a pseudonym in a profile.
   * Those of `most` profiles at most.
   */
  accountsNamed(name: string, most: number): number[] {
    const { tables } = this;
    const rows = tables
      .statement<[object], NamedProfile>(CONTENT_SQL.profilesNamed)
      .all({ name, most });
    const addresses = rows.flatMap(({ wallet, proxyWallet }) => [wallet, proxyWallet]);
    const keys = addresses.flatMap((address) => {
      const owner = tables.key('owner', address.toLowerCase());
      const account = tables.key('account', address.toLowerCase());
      return [...(owner === undefined ? [] : tables.accountsOf(owner)), account ?? []].flat();
    });
    return [...new Set(keys)].filter((key) => {
      const shown = this.profile(key);
      return (shown.name || shown.pseudonym) === name;
    });
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

const NO_IDS: MarketIds = { conditionId: '', yesToken: '', noToken: '' };

const NO_CONTENT: MarketRow = {
  title: '',
  slug: '',
  icon: '',
  eventSlug: '',
  eventTitle: '',
  eventId: null,
  outcome0: 'Yes',
  outcome1: 'No',
  endDate: null,
  negRisk: 0,
  archived: 0,
};
