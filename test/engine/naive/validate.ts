/** Checks the invariants of the naive engine by adding everything up. */
import { strict as assert } from 'node:assert';
import { heldLots, heldMicros } from './holds.ts';
import type { NaiveState } from './state.ts';
import { bookSide, eventAt, liveOrdersOf, remainingLots, yesTicks } from './state.ts';

/** Throws unless every invariant of the whole state holds. */
export function validateState(state: NaiveState): void {
  const { markets, accounts, events, depositedMicros, withdrawnMicros } = state;
  const supply = new Map<string, number>();
  // In BigInt: the markets of an event have more sets than there is collateral.
  let cash = 0n;
  for (const account of accounts) {
    const orders = liveOrdersOf(state, account.terms.address);
    assert(heldMicros(orders) >= 0 && heldMicros(orders) <= account.cashMicros, 'cash suffices');
    for (const [tokenId, total] of account.tokens) {
      const held = orders.length === 0 ? 0 : heldLots(orders, tokenId);
      assert(held <= total && total >= 0, 'tokens suffice');
      supply.set(tokenId, (supply.get(tokenId) ?? 0) + total);
    }
    cash += BigInt(account.cashMicros);
  }
  for (const { terms, setsLots, payoutTicks } of markets) {
    const [yes = 0, no = 0] = terms.tokenIds.map((tokenId) => supply.get(tokenId));
    const bundles = eventAt(state, terms.eventId)?.bundlesLots ?? 0;
    if (payoutTicks !== undefined) cash += BigInt(yes * payoutTicks + no * (10_000 - payoutTicks));
    else assert(yes === setsLots && no === setsLots - bundles, 'tokens exist in sets');
    cash += BigInt(setsLots * 10_000);
  }
  for (const { markets: ofEvent, bundlesLots } of events) {
    cash -= BigInt((ofEvent.length - 1) * bundlesLots) * 10_000n;
  }
  assert.equal(cash, BigInt(depositedMicros - withdrawnMicros), 'cash is conserved');
  validateBooks(state);
}

function validateBooks(state: NaiveState): void {
  const bids = new Map<string, number>();
  for (const order of state.live.values()) {
    const isUnfinished = order === state.unfinished;
    assert.equal(order.phase === 'matching', isUnfinished, 'only one order is being matched');
    if (order.phase !== 'resting') continue;
    assert(remainingLots(order) > 0, 'no empty order rests');
    if (bookSide(order.outcome, order.side) === 'ask') continue;
    const best = bids.get(order.conditionId) ?? 0;
    bids.set(order.conditionId, Math.max(best, yesTicks(order)));
  }
  for (const order of state.live.values()) {
    if (order.phase !== 'resting' || bookSide(order.outcome, order.side) === 'bid') continue;
    const best = bids.get(order.conditionId) ?? 0;
    assert(best < yesTicks(order), 'the book is not crossed');
  }
}
