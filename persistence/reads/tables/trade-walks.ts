/**
 * The walks of a search for whole trades by the parties in them, newest first. A market or a token
 * narrows the range of an index; every other filter is looked up row by row.
 */
import type { Walk } from './index-search.ts';

/** Filters as keys of the tables; one that is not given is undefined. */
export interface TradeFilter {
  readonly ownerKey: number | undefined;
  readonly eitherKey: number | undefined;
  readonly takerKey: number | undefined;
  readonly makerKey: number | undefined;
  readonly builtKey: number | undefined;
  readonly builder: Buffer | undefined;
  readonly marketKey: number | undefined;
  readonly outcome: number | undefined;
}

type PartyName = 'ownerKey' | 'eitherKey' | 'takerKey' | 'makerKey' | 'builtKey' | 'builder';

interface Party {
  /** The index of a search in one market has the same name with `_market` after it. */
  readonly index: string;
  /** A condition on a row of trade_parties. # stands for the alias of the row. */
  readonly condition: string;
}

const OF_OWNER = '#.account_key IN (SELECT account_key FROM accounts WHERE owner_key = @ownerKey)';
/** One of the owner's accounts. */
const OF_ACCOUNT = '#.account_key = @accountKey';

const PARTIES: readonly (Party & { readonly name: PartyName })[] = [
  { name: 'eitherKey', index: 'parties_by_account', condition: '#.account_key = @eitherKey' },
  {
    name: 'takerKey',
    index: 'parties_by_account',
    condition: '#.account_key = @takerKey AND #.ordinal = 0',
  },
  {
    name: 'makerKey',
    index: 'parties_by_account',
    condition: '#.account_key = @makerKey AND #.ordinal > 0',
  },
  {
    name: 'builtKey',
    index: 'built_parties_by_account',
    condition: '#.account_key = @builtKey AND #.builder IS NOT NULL',
  },
  { name: 'builder', index: 'parties_by_builder', condition: '#.builder = @builder' },
  { name: 'ownerKey', index: 'parties_by_account', condition: OF_OWNER },
];

/** An account and a builder that are both given must be those of the same order. */
const BUILT_FOR = '#.account_key = @builtKey AND #.builder = @builder';

/**
 * A plan for each party that is given, or one for all trades. A plan is one walk, or for an owner
 * one for each of `ownerAccounts`, which two of its accounts in one trade both find. Selects trade
 * keys.
 */
export function tradeWalks(filter: TradeFilter, ownerAccounts: readonly number[]): Walk[][] {
  const given = PARTIES.filter(({ name }) => filter[name] !== undefined);
  const parties = given.map((party) => partyOf(party, filter));
  if (parties.length === 0) {
    return [[{ sql: walkSql(marketWalk(filter), [], filter), values: { ...filter } }]];
  }
  // Two parties may have the same condition; it is checked once, by the index of the first.
  const byCondition = new Map(parties.toReversed().map((party) => [party.condition, party]));
  return parties.map((walked) => {
    const checked = [...byCondition.values()].filter(
      ({ condition }) => condition !== walked.condition,
    );
    const isOwner = walked.condition === OF_OWNER;
    const { index, condition } = walked;
    const walk = partyWalk({ index, condition: isOwner ? OF_ACCOUNT : condition }, filter);
    const sql = walkSql(walk, checked, filter);
    const accounts = isOwner ? ownerAccounts : [undefined];
    return accounts.map((accountKey) => ({ sql, values: { ...filter, accountKey } }));
  });
}

function walkSql(walk: string, checked: readonly Party[], { outcome }: TradeFilter): string {
  const checks = checked.map(({ index, condition }) =>
    somePartyHas(condition, `INDEXED BY ${index} `),
  );
  // A record shows the token of each participant, so a mint is found by both of its tokens.
  if (outcome !== undefined) checks.push(somePartyHas('#.outcome = @outcome'));
  return (
    `${walk} AND walked.trade_key > @after AND walked.trade_key < @before ` +
    `${checks.join(' ')} ORDER BY walked.trade_key DESC LIMIT @limit`
  );
}

function partyWalk({ index, condition }: Party, { marketKey }: TradeFilter): string {
  const isInMarket = marketKey !== undefined;
  return (
    'SELECT DISTINCT walked.trade_key FROM trade_parties AS walked ' +
    `INDEXED BY ${index}${isInMarket ? '_market' : ''} ` +
    `WHERE walk_row(walked.trade_key) AND ${condition.replaceAll('#', 'walked')}` +
    `${isInMarket ? ' AND walked.market_key = @marketKey' : ''}`
  );
}

function marketWalk({ marketKey }: TradeFilter): string {
  const select = 'SELECT walked.trade_key FROM trades AS walked';
  if (marketKey === undefined) return `${select} WHERE walk_row(walked.trade_key)`;
  const condition = 'walk_row(walked.trade_key) AND walked.market_key = @marketKey';
  return `${select} INDEXED BY trades_by_market WHERE ${condition}`;
}

function partyOf({ name, index, condition }: (typeof PARTIES)[number], filter: TradeFilter): Party {
  const isOfOrder = name === 'builtKey' || name === 'builder';
  const areBoth = filter.builtKey !== undefined && filter.builder !== undefined;
  return { index, condition: isOfOrder && areBoth ? BUILT_FOR : condition };
}

function somePartyHas(condition: string, indexed = ''): string {
  return (
    `AND EXISTS (SELECT 1 FROM trade_parties AS party ${indexed}WHERE walk_row(party.trade_key) ` +
    `AND party.trade_key = walked.trade_key AND ${condition.replaceAll('#', 'party')})`
  );
}
