/** Creating a market: its terms are journaled here and never read from the catalog again. */

import { mayCollect, openFeeAccount } from '../accounts/index.ts';
import type { CreateMarket, RejectDetails, TradingTerms } from '../model/index.ts';
import { DECIMAL, isWhole } from '../model/index.ts';
import { type Core, charges, type MarketTerms, reject } from '../state/index.ts';

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
/** The price steps a market can have, in ticks; each divides 10,000 (design 2). */
const MARKET_TICKS: readonly number[] = [1_000, 100, 50, 25, 10, 1];
const SELF_TRADE_MODES: readonly string[] = ['cancel_maker', 'cancel_taker', 'cancel_both'];
const EVENT_ID_LENGTH = 128;

/** What a creation need not name. */
const UNNAMED = {
  takerFeeBps: 0,
  makerFeeBps: 0,
  feeExponent: 0,
  delaySeconds: 0,
  takerDelayMs: 0,
  finerTickTicks: 0,
} as const;

/** The terms that are numbers from 0 up, and the most of each. */
const MOSTS = [
  ['takerFeeBps', 5_000],
  ['makerFeeBps', 5_000],
  ['feeExponent', 2],
  ['delaySeconds', 60],
  ['takerDelayMs', 60_000],
] as const;

/** The terms that can be changed later. */
export const TERMS: readonly (keyof TradingTerms)[] = [
  'tickTicks',
  'minimumLots',
  'minimumBudgetMicros',
  'selfTrade',
  'takerFeeBps',
  'makerFeeBps',
  'feeExponent',
  'delaySeconds',
  'takerDelayMs',
  'finerTickTicks',
];

export function createMarket(core: Core, command: CreateMarket): void {
  const { kind: _, ...named } = command;
  const terms: MarketTerms = { ...UNNAMED, ...named };
  const malformed = malformedField(core, terms);
  if (malformed !== undefined) {
    reject(core, 'market_malformed', malformed);
    return;
  }
  const { conditionId, tokenIds } = terms;
  const known = core.marketByCondition.get(conditionId);
  if (known !== undefined) {
    if (isSame(known.original, terms))
      core.events.push({ kind: 'known', command: 'create_market' });
    else reject(core, 'market_exists', { field: 'conditionId', actual: conditionId });
    return;
  }
  const taken = tokenIds.find((tokenId) => core.findToken(tokenId) !== undefined);
  if (taken !== undefined) {
    reject(core, 'market_exists', { field: 'tokenIds', actual: taken });
    return;
  }
  if (core.negRiskEvents.has(terms.eventId)) {
    reject(core, 'event_sealed', { field: 'eventId', actual: terms.eventId });
    return;
  }
  const limit = core.bounds.markets;
  const actual = core.markets.length;
  if (actual >= limit) {
    reject(core, 'too_many_markets', { field: 'conditionId', limit, actual });
    return;
  }
  if (charges(terms)) {
    if (!mayCollect(core)) return;
    openFeeAccount(core);
  }
  core.addMarket(terms);
  core.events.push({ kind: 'market_created', conditionId });
}

/** The first term that is out of its bounds. */
export function malformedField(core: Core, terms: MarketTerms): RejectDetails | undefined {
  const [yes, no] = terms.tokenIds;
  if (!CONDITION_ID.test(terms.conditionId)) {
    return { field: 'conditionId', actual: terms.conditionId };
  }
  if (!DECIMAL.test(yes) || !DECIMAL.test(no) || yes === no) {
    return { field: 'tokenIds', actual: terms.tokenIds.join(',') };
  }
  if (!MARKET_TICKS.includes(terms.tickTicks)) {
    return { field: 'tickTicks', actual: terms.tickTicks };
  }
  if (!isWhole(terms.minimumLots, 1, core.bounds.orderLots)) {
    return { field: 'minimumLots', actual: terms.minimumLots };
  }
  if (!isWhole(terms.minimumBudgetMicros, 1, core.bounds.amountMicros)) {
    return { field: 'minimumBudgetMicros', actual: terms.minimumBudgetMicros };
  }
  if (terms.eventId.length > EVENT_ID_LENGTH) {
    return { field: 'eventId', actual: terms.eventId.length };
  }
  if (!SELF_TRADE_MODES.includes(terms.selfTrade)) {
    return { field: 'selfTrade', actual: terms.selfTrade };
  }
  return malformedMost(terms);
}

function malformedMost(terms: TradingTerms): RejectDetails | undefined {
  for (const [field, most] of MOSTS) {
    const actual = terms[field];
    if (!isWhole(actual, 0, most)) return { field, limit: `0..${most}`, actual };
  }
  const { finerTickTicks: actual, tickTicks: limit } = terms;
  const isFiner = MARKET_TICKS.includes(actual) && actual < limit && limit % actual === 0;
  return actual === 0 || isFiner ? undefined : { field: 'finerTickTicks', limit, actual };
}

function isSame(a: MarketTerms, b: MarketTerms): boolean {
  return (
    a.tokenIds[0] === b.tokenIds[0] &&
    a.tokenIds[1] === b.tokenIds[1] &&
    a.negRisk === b.negRisk &&
    a.eventId === b.eventId &&
    TERMS.every((field) => a[field] === b[field])
  );
}
