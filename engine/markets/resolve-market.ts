/**
 * Resolution: what a market's tokens are worth from now on, for good (design 2). A YES lot pays the
 * payout in micros, a NO lot the rest of 10,000; what the sets had locked is what they pay.
 */

import type { ResolveMarket } from '../model/index.ts';
import { invariant, isWhole, ONE_TICKS, RESOLVED, type Ticks } from '../model/index.ts';
import { cancelMarket } from '../orders/index.ts';
import { type Core, isOfEvent, type Market, reject } from '../state/index.ts';

/** Checks, in order: the payout; the market; that it is alone; that it is not resolved yet. */
export function resolveMarket(core: Core, command: ResolveMarket): void {
  const { conditionId, payoutTicks, redeemAll } = command;
  if (!isWhole(payoutTicks, 0, ONE_TICKS)) {
    const details = { field: 'payoutTicks', limit: `0..${ONE_TICKS}`, actual: payoutTicks };
    reject(core, 'payout_out_of_bounds', details);
    return;
  }
  const market = core.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (isOfEvent(core, market)) {
    reject(core, 'market_of_event', { field: 'conditionId', actual: market.terms.eventId });
    return;
  }
  if (market.status === RESOLVED) {
    if (market.payoutTicks === payoutTicks) {
      core.events.push({ kind: 'known', command: 'resolve_market' });
    } else {
      rejectResolved(core, market, payoutTicks);
    }
    return;
  }
  const lockedMicros = market.setsLots * ONE_TICKS;
  resolve(core, market, payoutTicks);
  invariant(market.owedMicros === lockedMicros, 'a market owes what its sets had locked');
  if (redeemAll) core.redemptions.add([market.index]);
}

/** Ends a market that is not resolved; who is paid what follows from the payout alone. */
export function resolve(core: Core, market: Market, payoutTicks: Ticks): void {
  const { index, terms } = market;
  cancelMarket(core, market, 'market_resolved');
  market.status = RESOLVED;
  market.payoutTicks = payoutTicks;
  market.setsLots = 0;
  market.bundlesLots = 0;
  market.owedMicros =
    core.positions.supply(index, 0) * payoutTicks +
    core.positions.supply(index, 1) * (ONE_TICKS - payoutTicks);
  core.events.push({ kind: 'market_resolved', conditionId: terms.conditionId, payoutTicks });
}

function rejectResolved(core: Core, market: Market, payoutTicks: Ticks): void {
  const details = { field: 'payoutTicks', limit: market.payoutTicks, actual: payoutTicks };
  reject(core, 'market_resolved', details);
}
