/**
 * Changing the terms of a market. Resting orders stay as they are, even off the new price grid:
 * only later orders have to meet the new terms.
 */

import { ensureFeeAccount } from '../accounts/open-account.ts';
import { chargesFees, MarketSchedules } from '../fees/schedules.ts';
import { type ChangeMarket, TRADING_TERMS, type TradingTerms } from '../model/index.ts';
import { isTrading } from '../state/checks.ts';
import { answerKnown, type EngineState, findMarket, reject } from '../state/engine-state.ts';
import { noteFinerTickCandidate } from '../state/live-orders.ts';
import { type Market, tradingTermsOf } from '../state/market.ts';
import { malformedTerm } from './market-terms.ts';

export function changeMarket(state: EngineState, command: ChangeMarket): void {
  const market = findMarket(state, command.conditionId);
  if (market === undefined || !checkChange(state, market, command)) return;
  changeTerms(state, market, command);
}

/** Checks, in order: that the market can still trade; that a term is given; the new terms. */
function checkChange(state: EngineState, market: Market, command: ChangeMarket): boolean {
  if (!isTrading(state, market)) return false;
  if (TRADING_TERMS.every((field) => command[field] === undefined)) {
    const details = { field: 'terms', limit: TRADING_TERMS.join(','), actual: '' };
    return reject(state, 'market_malformed', details);
  }
  const terms = { ...market.terms, ...tradingTermsOf(market.terms, command) };
  const malformed = malformedTerm(state, terms);
  if (malformed !== undefined) return reject(state, 'market_malformed', malformed);
  if (TRADING_TERMS.every((field) => terms[field] === market.terms[field])) {
    return answerKnown(state, 'change_market');
  }
  return !chargesFees(terms) || ensureFeeAccount(state);
}

/** Puts checked terms in force. */
export function changeTerms(
  state: EngineState,
  market: Market,
  changes: Partial<TradingTerms>,
): void {
  const terms = tradingTermsOf(market.terms, changes);
  const { conditionId } = market.terms;
  market.terms = { ...market.terms, ...terms };
  market.schedules = new MarketSchedules(market.terms);
  market.book.refine(terms.tickTicks);
  state.events.push({ kind: 'market_changed', conditionId, ...terms });
  noteFinerTickCandidate(state, market);
}
