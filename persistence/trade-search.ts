/**
 * Which index a search for trades walks, newest first, and what it checks on the way. Invariant:
 * every search is a range of one index in the order of the answer: no table is scanned and nothing
 * is sorted (a test reads the plans). Filters beyond the walked one are looked up row by row.
 */

/** Filters in the projection's own numbers; one that is not given is undefined. */
export interface TradeFilter {
  readonly ownerKey: number | undefined;
  readonly eitherKey: number | undefined;
  readonly takerKey: number | undefined;
  readonly makerKey: number | undefined;
  readonly builtKey: number | undefined;
  readonly builder: Buffer | undefined;
  readonly marketKey: number | undefined;
  readonly outcome: number | undefined;
  /** Trade keys between these two, both excluded. */
  readonly afterKey: number;
  readonly beforeKey: number;
}

type PartyName = 'ownerKey' | 'eitherKey' | 'takerKey' | 'makerKey' | 'builtKey' | 'builder';

interface PartyFilter {
  readonly name: PartyName;
  readonly index: string;
  /** Of a row of trade_parties, which the placeholder # stands for. */
  readonly condition: string;
}

/** The first that is given is walked. */
const PARTIES: readonly PartyFilter[] = [
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
  { name: 'ownerKey', index: 'parties_by_owner', condition: '#.owner_key = @ownerKey' },
];

/** SQL that returns trade keys, newest first; its parameters are the filter, @limit and @offset. */
export function tradeSearchSql(filter: TradeFilter): string {
  const given = PARTIES.filter(({ name }) => filter[name] !== undefined);
  const [walked, ...checked] = given;
  const conditions = walked === undefined ? marketWalk(filter) : partyWalk(walked, filter);
  const checks = checked.map((party) => `AND ${somePartyHas(conditionOf(party, filter))}`);
  // Each participant shows the token of each, so that a mint is found by both of its tokens.
  if (filter.outcome !== undefined) checks.push(`AND ${somePartyHas('#.outcome = @outcome')}`);
  return (
    `${conditions} AND walked.trade_key > @afterKey AND walked.trade_key < @beforeKey ` +
    `${checks.join(' ')} ORDER BY walked.trade_key DESC LIMIT @limit OFFSET @offset`
  );
}

function partyWalk(party: PartyFilter, filter: TradeFilter): string {
  const isOwnerInMarket = party.name === 'ownerKey' && filter.marketKey !== undefined;
  const index = isOwnerInMarket ? 'parties_by_owner_market' : party.index;
  return (
    `SELECT DISTINCT walked.trade_key FROM trade_parties AS walked INDEXED BY ${index} ` +
    `WHERE ${conditionOf(party, filter).replaceAll('#', 'walked')}` +
    `${filter.marketKey === undefined ? '' : ' AND walked.market_key = @marketKey'}`
  );
}

/** An account and a builder that are both given are those of one and the same order. */
function conditionOf({ name, condition }: PartyFilter, { builder }: TradeFilter): string {
  const isOfBuilder = name === 'builtKey' && builder !== undefined;
  return isOfBuilder ? `${condition} AND #.builder = @builder` : condition;
}

function marketWalk(filter: TradeFilter): string {
  const select = 'SELECT walked.trade_key FROM trades AS walked';
  if (filter.marketKey === undefined) return `${select} WHERE TRUE`;
  return `${select} INDEXED BY trades_by_market WHERE walked.market_key = @marketKey`;
}

const somePartyHas = (condition: string): string =>
  'EXISTS (SELECT 1 FROM trade_parties AS party WHERE party.trade_key = walked.trade_key ' +
  `AND ${condition.replaceAll('#', 'party')})`;
