/**
 * The finer price step that a market can have near 0 and 1 (wire 4.7). It comes into force once,
 * after a command that changed the market's book or terms, if there are orders on both sides and
 * their midpoint is below 0.04 or above 0.96; an order that several commands match counts as one.
 * Then it is used up, so that later changes by the
 * operator stay in force. Invariant: `state.finerTickCandidates` is empty between two commands; a
 * market without a finer step is never added. Reasons: docs/decisions/0011-market-lives.md.
 */

import { NONE } from '../book/index.ts';
import { CLOSED, ONE_TICKS } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Market } from '../state/market.ts';
import { changeTerms } from './change-market.ts';

/** The distance from 0 or 1 below which a midpoint is near an end. */
const NEAR_END_TICKS = 400;

/** Puts the finer steps of candidates in force. Usually there is one candidate, or none. */
export function refineTicks(state: EngineState): void {
  // A function of its own, because V8 allocates the variables of a closure before any other line.
  if (state.finerTickCandidates.length > 0) refineCandidates(state);
}

function refineCandidates(state: EngineState): void {
  const { finerTickCandidates: candidates, unfinished } = state;
  const isDue = (market: Market): boolean =>
    isNearEnd(market) && market !== unfinished?.market && !isEnding(state, market);
  if (candidates.some(isDue)) refine(state, candidates.filter(isDue));
  // Popping keeps the array's memory; setting its length to 0 frees it.
  while (candidates.length > 0) candidates.pop();
}

/** Refines markets in order of their creation. */
function refine(state: EngineState, markets: readonly Market[]): void {
  for (const market of markets.toSorted((a, b) => a.index - b.index)) {
    const { finerTickTicks: tickTicks } = market.terms;
    // The command may have removed the step of a candidate, and a market may be listed twice.
    if (tickTicks !== 0) changeTerms(state, market, { tickTicks, finerTickTicks: 0 });
  }
}

/** Whether the orders of a market that closes or resolves are being ended. */
function isEnding({ clearing }: EngineState, { terms }: Market): boolean {
  if (clearing?.kind === 'resolve_event') return clearing.eventId === terms.eventId;
  const isOfMarket = clearing?.kind === 'close_market' || clearing?.kind === 'resolve_market';
  return isOfMarket && clearing.conditionId === terms.conditionId;
}

function isNearEnd({ book, status }: Market): boolean {
  const { bestBid, bestAsk } = book;
  if (status >= CLOSED || bestBid === NONE || bestAsk === NONE) return false;
  // Doubled, because the midpoint may lie between two ticks.
  const twice = book.priceOf(bestBid) + book.priceOf(bestAsk);
  return twice < 2 * NEAR_END_TICKS || twice > 2 * (ONE_TICKS - NEAR_END_TICKS);
}
