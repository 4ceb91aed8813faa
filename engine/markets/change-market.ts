/**
 * Changing the terms of a market. What rests stays as it is, also off the new grid: only orders
 * that come later are held to the terms in force.
 */

import { mayCollect, openFeeAccount } from '../accounts/index.ts';
import type { ChangeMarket, TradingTerms } from '../model/index.ts';
import { CLOSED } from '../model/index.ts';
import {
  type Core,
  charges,
  type Market,
  MarketFees,
  noteCandidate,
  reject,
} from '../state/index.ts';
import { malformedField, TERMS } from './create-market.ts';

/** Checks, in order: the market; that it can still trade; that something is given; its forms. */
export function changeMarket(core: Core, command: ChangeMarket): void {
  const { conditionId } = command;
  const market = core.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (market.status >= CLOSED) {
    reject(core, 'market_closed', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (TERMS.every((field) => command[field] === undefined)) {
    reject(core, 'market_malformed', { field: 'terms', limit: TERMS.join(','), actual: '' });
    return;
  }
  const changed = changedTerms(market.terms, command);
  const terms = { ...market.terms, ...changed };
  const malformed = malformedField(core, terms);
  if (malformed !== undefined) {
    reject(core, 'market_malformed', malformed);
    return;
  }
  if (TERMS.every((field) => terms[field] === market.terms[field])) {
    core.events.push({ kind: 'known', command: 'change_market' });
    return;
  }
  if (charges(terms)) {
    if (!mayCollect(core)) return;
    openFeeAccount(core);
  }
  changeTerms(core, market, changed);
}

/** Puts checked terms in force, and tells all that are. */
export function changeTerms(core: Core, market: Market, changes: Partial<TradingTerms>): void {
  const changed = changedTerms(market.terms, changes);
  const { conditionId } = market.terms;
  market.terms = { ...market.terms, ...changed };
  market.fees = new MarketFees(market.terms);
  market.book.refine(changed.tickTicks);
  core.events.push({ kind: 'market_changed', conditionId, ...changed });
  noteCandidate(core, market);
}

/** All terms that can be changed, with what is given in place of what was in force. */
function changedTerms(terms: TradingTerms, given: Partial<TradingTerms>): TradingTerms {
  return {
    tickTicks: given.tickTicks ?? terms.tickTicks,
    minimumLots: given.minimumLots ?? terms.minimumLots,
    minimumBudgetMicros: given.minimumBudgetMicros ?? terms.minimumBudgetMicros,
    selfTrade: given.selfTrade ?? terms.selfTrade,
    takerFeeBps: given.takerFeeBps ?? terms.takerFeeBps,
    makerFeeBps: given.makerFeeBps ?? terms.makerFeeBps,
    feeExponent: given.feeExponent ?? terms.feeExponent,
    delaySeconds: given.delaySeconds ?? terms.delaySeconds,
    takerDelayMs: given.takerDelayMs ?? terms.takerDelayMs,
    finerTickTicks: given.finerTickTicks ?? terms.finerTickTicks,
  };
}
