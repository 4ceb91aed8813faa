/**
 * The step of price that takes over by itself near 0 and 1 (wire 4.7), once and for good: after a
 * command that changed a market's book or terms, if there are orders on both sides and their
 * midpoint is below 0.04 or above 0.96. The finer step is used up by that, so that what the
 * operator says later stands until he names one again. Invariant: `core.finerCandidates` is empty
 * between two commands, and holds no market without a finer step: those cost nothing.
 */

import { NONE } from '../book/index.ts';
import { CLOSED, ONE_TICKS } from '../model/index.ts';
import type { Core, Market } from '../state/index.ts';
import { changeTerms } from './change-market.ts';

/** Where a midpoint is near: below this, or within it of one, in ticks. */
const NEAR_TICKS = 400;

/** Looks at the candidates, which are mostly one or none, and mostly in the middle. */
export function refineTicks(core: Core): void {
  const { finerCandidates } = core;
  if (finerCandidates.length === 0) return;
  if (finerCandidates.some(isNearEnd)) refine(core, finerCandidates.filter(isNearEnd));
  // Not by its length, which would take its memory from the array.
  while (finerCandidates.length > 0) finerCandidates.pop();
}

/** Of several markets, in the order of their creation. */
function refine(core: Core, markets: readonly Market[]): void {
  for (const market of markets.toSorted((a, b) => a.index - b.index)) {
    const { finerTickTicks: tickTicks } = market.terms;
    // The command itself may have switched it off, or it is here twice.
    if (tickTicks !== 0) changeTerms(core, market, { tickTicks, finerTickTicks: 0 });
  }
}

function isNearEnd({ book, status }: Market): boolean {
  const { bestBid, bestAsk } = book;
  if (status >= CLOSED || bestBid === NONE || bestAsk === NONE) return false;
  // Twice the midpoint, which may lie between two ticks.
  const twice = book.priceOf(bestBid) + book.priceOf(bestAsk);
  return twice < 2 * NEAR_TICKS || twice > 2 * (ONE_TICKS - NEAR_TICKS);
}
