/** Creating a market. Its terms are journaled with the command; the engine reads no catalog. */

import { ensureFeeAccount } from '../accounts/open-account.ts';
import { chargesFees } from '../fees/schedules.ts';
import { type CreateMarket, TRADING_TERMS } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/engine-state.ts';
import type { MarketTerms } from '../state/market.ts';
import { DEFAULT_TERMS, malformedTerm } from './market-terms.ts';

export function createMarket(state: EngineState, command: CreateMarket): void {
  const { kind: _, ...given } = command;
  const terms: MarketTerms = { ...DEFAULT_TERMS, ...given };
  if (!checkTerms(state, terms)) return;
  if (chargesFees(terms) && !ensureFeeAccount(state)) return;
  state.addMarket(terms);
  state.events.push({ kind: 'market_created', conditionId: terms.conditionId });
}

/** Checks, in order: the terms; the market's ids; its event; the bounds of event and exchange. */
function checkTerms(state: EngineState, terms: MarketTerms): boolean {
  const { conditionId, tokenIds, eventId } = terms;
  const malformed = malformedTerm(state, terms);
  if (malformed !== undefined) return reject(state, 'market_malformed', malformed);
  const known = state.marketByCondition.get(conditionId);
  if (known !== undefined) {
    if (isSame(known.original, terms)) return answerKnown(state, 'create_market');
    return reject(state, 'market_exists', { field: 'conditionId', actual: conditionId });
  }
  const taken = tokenIds.find((tokenId) => state.findToken(tokenId) !== undefined);
  if (taken !== undefined) {
    return reject(state, 'market_exists', { field: 'tokenIds', actual: taken });
  }
  if (state.negRiskEvents.has(eventId)) {
    return reject(state, 'event_sealed', { field: 'eventId', actual: eventId });
  }
  if (!hasEventRoom(state, terms)) return false;
  const limit = state.bounds.markets;
  const actual = state.markets.length;
  if (actual < limit) return true;
  return reject(state, 'too_many_markets', { field: 'conditionId', limit, actual });
}

/** An event with more markets could not be opened, so it could never resolve as a whole. */
function hasEventRoom(state: EngineState, { eventId, negRisk }: MarketTerms): boolean {
  const limit = state.bounds.marketsPerEvent;
  const actual = state.marketsByEvent.get(eventId)?.length ?? 0;
  if (!negRisk || actual < limit) return true;
  return reject(state, 'event_malformed', { field: 'eventId', limit, actual });
}

function isSame(a: MarketTerms, b: MarketTerms): boolean {
  return (
    a.tokenIds[0] === b.tokenIds[0] &&
    a.tokenIds[1] === b.tokenIds[1] &&
    a.negRisk === b.negRisk &&
    a.eventId === b.eventId &&
    TRADING_TERMS.every((field) => a[field] === b[field])
  );
}
