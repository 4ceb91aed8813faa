/**
 * Checks every invariant over the whole state. It adds up every total again and follows every
 * index. Throws InvariantError with the numbers that disagree. Example: the cash that an account
 * holds must be the sum of what its live orders need.
 */

import { NONE } from '../book/index.ts';
import { feesDue } from '../fees/formulas.ts';
import { chargesFees } from '../fees/schedules.ts';
import {
  FEE_ACCOUNT,
  type FeeSchedule,
  InvariantError,
  ONE_TICKS,
  OPEN,
  RESOLVED,
} from '../model/index.ts';
import { digestChange } from '../state/amount-digest.ts';
import type { EngineState } from '../state/engine-state.ts';
import { feesOf, holdMicros } from '../state/live-orders.ts';
import type { Market } from '../state/market.ts';

export function validate(state: EngineState): void {
  const needs = new OrderNeeds(state);
  for (const market of state.markets) validateBook(state, market, needs);
  validateDelayed(state, needs);
  validateUnfinished(state, needs);
  validateTokens(state, needs);
  validateEvents(state);
  validateCash(state, needs);
  validateKeys(state);
  validateSwitches(state);
  validateStandings(state);
  validateFees(state, needs);
  same(state.finerTickCandidates.length, 0, 'markets still to be checked for their finer tick');
}

/** What the live orders need, added up over the books and the delayed orders. */
class OrderNeeds {
  readonly heldMicros: Float64Array;
  /** By position x 2 + outcome. */
  readonly heldLots: Float64Array;
  readonly liveOrders: Int32Array;
  /** How many live orders are charged fees. */
  orderFees = 0;

  constructor(state: EngineState) {
    this.heldMicros = new Float64Array(state.ledger.accounts.length);
    this.heldLots = new Float64Array(state.positions.count * 2);
    this.liveOrders = new Int32Array(state.ledger.accounts.length);
  }
}

function validateBook(state: EngineState, market: Market, needs: OrderNeeds): void {
  const { orders } = state;
  const { book } = market;
  const where = market.terms.conditionId;
  if (book.bestAsk !== NONE) same(book.bestBid < book.bestAsk, true, 'bid below ask in', where);
  for (const isBid of [true, false]) {
    const totals = new Map<number, number>();
    let count = 0;
    for (const handle of book.handles(isBid)) {
      const account = orders.account(handle);
      const remaining = orders.remainingLots(handle);
      const level = book.levelOf(orders.bookTicks(handle));
      count += 1;
      totals.set(level, (totals.get(level) ?? 0) + remaining);
      const rests = orders.isLive(handle) && !orders.isDelayed(handle);
      sameOf(state, handle, rests && remaining > 0, true, 'resting order');
      sameOf(state, handle, orders.isBid(handle), isBid, 'side of resting order');
      needs.liveOrders[account]! += 1;
      needs.orderFees += validateCharged(state, handle);
      if (orders.isSell(handle)) {
        needs.heldLots[orders.position(handle) * 2 + orders.outcome(handle)]! += remaining;
      } else {
        needs.heldMicros[account]! += holdMicros(state, handle);
      }
    }
    same(isBid ? book.bidCount : book.askCount, count, 'orders on one side of', where);
    for (const [level, total] of totals) {
      same(book.lotsAt(level), total, 'lots at level', level);
    }
  }
}

function validateDelayed(state: EngineState, needs: OrderNeeds): void {
  const { orders, releases } = state;
  let lastSeq = 0;
  const counts = new Map<string, number>();
  const inMarkets = new Float64Array(state.markets.length);
  for (const [handle, { budgetMicros, market, releaseMs, heldMicros }] of state.delayed) {
    const id = orders.id(handle);
    const account = orders.account(handle);
    const { owner } = state.ledger.accounts[account]!;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
    inMarkets[orders.market(handle)]! += 1;
    const isOpen = (state.status | state.markets[orders.market(handle)]!.status) === OPEN;
    same(orders.market(handle), market.index, 'market of delayed order', id);
    same(orders.isLive(handle) && orders.isDelayed(handle), true, 'delayed order', id);
    same(isOpen && orders.acceptedSeq(handle) > lastSeq, true, 'queue place of delayed order', id);
    same(
      orders.dueMs(handle),
      Math.min(releaseMs, orders.endsAtMs(handle)),
      'due time of delayed order',
      id,
    );
    same(releases.has(handle), true, 'timer of delayed order', id);
    lastSeq = orders.acceptedSeq(handle);
    needs.liveOrders[account]! += 1;
    needs.orderFees += validateCharged(state, handle);
    needs.heldMicros[account]! += heldMicros;
    const lots = orders.lots(handle);
    const cash =
      budgetMicros +
      lots * orders.priceTicks(handle) +
      (feesOf(state, handle)?.requiredMicros ?? 0);
    same(heldMicros, orders.isSell(handle) ? 0 : cash, 'cash held by delayed order', id);
    if (!orders.isSell(handle)) continue;
    needs.heldLots[orders.position(handle) * 2 + orders.outcome(handle)]! += lots;
  }
  for (const { address, delayedCount } of state.ledger.owners) {
    same(delayedCount, counts.get(address) ?? 0, 'delayed orders of', address);
  }
  for (const { delayedCount, index, terms } of state.markets) {
    same(delayedCount, inMarkets[index]!, 'delayed orders in market', terms.conditionId);
  }
}

function validateUnfinished(state: EngineState, needs: OrderNeeds): void {
  if (state.unfinished === undefined) return;
  const { orders, due } = state;
  const { handle } = state.unfinished;
  const isAlone = orders.isLive(handle) && !orders.isDelayed(handle) && !due.has(handle);
  sameOf(state, handle, isAlone, true, 'unfinished order');
  needs.liveOrders[orders.account(handle)]! += 1;
  needs.orderFees += validateCharged(state, handle);
}

/**
 * Checks that an order was charged no more than it owes. Returns 1 for an order with fees, else 0.
 */
function validateCharged(state: EngineState, handle: number): 0 | 1 {
  const fees = feesOf(state, handle);
  sameOf(state, handle, fees !== undefined, state.orders.hasFees(handle), 'fee record of order');
  if (fees === undefined) return 0;
  const { schedule, sums, chargedMicros, builderMicros } = fees;
  const due = feesDue(schedule, sums);
  const exchangeMicros = chargedMicros - builderMicros;
  const isRight =
    chargedMicros <= due.totalMicros &&
    builderMicros >= 0 &&
    builderMicros <= due.builderMicros &&
    exchangeMicros >= 0 &&
    exchangeMicros <= due.totalMicros - due.builderMicros;
  sameOf(state, handle, isRight, true, 'fees within what is due: order');
  return 1;
}

function validateFees(state: EngineState, needs: OrderNeeds): void {
  const { orderFees, builders, ledger, feeAccount } = state;
  same(orderFees.size, needs.orderFees, 'orders that are charged fees');
  for (const { accountIndex, account } of builders.values()) {
    same(ledger.accounts[accountIndex]?.address, account, 'account of a builder');
  }
  let canCharge = builders.size > 0;
  for (const { terms, schedules } of state.markets) {
    const rates = ({ takerFeeBps, makerFeeBps, feeExponent }: FeeSchedule): string =>
      `${takerFeeBps}/${makerFeeBps} ${feeExponent}`;
    const inForce = chargesFees(terms) ? rates(terms) : undefined;
    const { plain } = schedules;
    same(plain && rates(plain), inForce, 'fee rates of market', terms.conditionId);
    canCharge ||= plain !== undefined;
  }
  if (!canCharge && feeAccount === NONE) return;
  same(ledger.accounts[feeAccount]?.address, FEE_ACCOUNT, 'account for fees');
}

function validateTokens(state: EngineState, needs: OrderNeeds): void {
  const { positions } = state;
  const supply = new Float64Array(state.markets.length * 2);
  let digest = 0;
  for (let position = 0; position < positions.count; position += 1) {
    for (const outcome of [0, 1] as const) {
      const held = positions.held(position, outcome);
      const available = positions.available(position, outcome);
      same(available >= 0, true, 'available tokens of position', position);
      same(held, needs.heldLots[position * 2 + outcome]!, 'held tokens of position', position);
      supply[positions.market[position]! * 2 + outcome]! += available + held;
      digest += digestOf(position * 2 + outcome, available, held);
    }
  }
  same(positions.digest, digest | 0, 'digest of tokens');
  for (const market of state.markets) {
    const [yes, no] = [supply[market.index * 2]!, supply[market.index * 2 + 1]!];
    if (market.status === RESOLVED) validateOwed(market, yes, no);
    else validateSets(market, yes, no);
  }
  for (const market of state.redemptions.markets) {
    const waits = supply[market * 2]! + supply[market * 2 + 1]! > 0;
    same(waits, true, 'a market in redemption has tokens: market index', market);
  }
}

function digestOf(row: number, available: number, held: number): number {
  return digestChange(2 * row, 0, available) + digestChange(2 * row + 1, 0, held);
}

function validateSets(market: Market, yes: number, no: number): void {
  const { terms, setsLots, owedMicros, bundlesLots } = market;
  same(yes, setsLots, 'YES tokens of', terms.conditionId);
  same(no, setsLots - bundlesLots, 'NO tokens of', terms.conditionId);
  same(owedMicros, 0, 'owed before the resolution of', terms.conditionId);
}

/** In BigInt, because a wrong sum may exceed 2^53. */
function validateOwed(market: Market, yes: number, no: number): void {
  const { terms, setsLots, bundlesLots, payoutTicks, owedMicros, book } = market;
  const owed = BigInt(yes) * BigInt(payoutTicks) + BigInt(no) * BigInt(ONE_TICKS - payoutTicks);
  same(BigInt(owedMicros), owed, 'owed for tokens of', terms.conditionId);
  same(setsLots + bundlesLots, 0, 'sets of resolved market', terms.conditionId);
  same(book.bidCount + book.askCount, 0, 'orders of resolved market', terms.conditionId);
}

function validateEvents(state: EngineState): void {
  const opened = new Set<Market>();
  for (const { eventId, markets, places, winner } of state.negRiskEvents.values()) {
    for (const [place, market] of markets.entries()) {
      const { conditionId } = market.terms;
      opened.add(market);
      same(places.get(conditionId), place, 'place in its event of', conditionId);
      same(market.terms.eventId, eventId, 'event of', conditionId);
      same(market.bundlesLots, markets[0]!.bundlesLots, 'bundles of', eventId);
      const payout = winner === undefined ? NONE : market === winner ? ONE_TICKS : 0;
      same(market.payoutTicks, payout, 'payout of', conditionId);
    }
  }
  for (const market of state.markets) {
    if (opened.has(market)) continue;
    same(market.bundlesLots, 0, 'bundles of market without event', market.terms.conditionId);
  }
}

function validateCash(state: EngineState, needs: OrderNeeds): void {
  const { ledger } = state;
  // In BigInt, because a wrong sum may exceed 2^53.
  let total = 0n;
  let digest = 0;
  const ownersOrders = new Float64Array(ledger.owners.length);
  const ownersAccounts = new Float64Array(ledger.owners.length);
  for (const [index, account] of ledger.accounts.entries()) {
    const available = ledger.availableMicros[index]!;
    const held = ledger.heldMicros[index]!;
    same(available >= 0, true, 'available cash of', account.address);
    same(held, needs.heldMicros[index]!, 'held cash of', account.address);
    same(ledger.liveOrders[index]!, needs.liveOrders[index]!, 'orders of', account.address);
    ownersOrders[account.ownerIndex]! += needs.liveOrders[index]!;
    ownersAccounts[account.ownerIndex]! += 1;
    total += BigInt(available) + BigInt(held);
    digest += digestOf(index, available, held);
  }
  same(ledger.digest, digest | 0, 'digest of cash');
  same(
    state.liveCount,
    ownersOrders.reduce((sum, count) => sum + count, 0),
    'live orders in all',
  );
  for (const [index, { address, liveCount, accountCount }] of ledger.owners.entries()) {
    same(liveCount, ownersOrders[index]!, 'orders of owner', address);
    same(accountCount, ownersAccounts[index]!, 'accounts of owner', address);
  }
  for (const market of state.markets) {
    total += BigInt(market.setsLots) * BigInt(ONE_TICKS) + BigInt(market.owedMicros);
  }
  for (const { markets } of state.negRiskEvents.values()) {
    total -= BigInt(markets.length - 1) * BigInt(markets[0]!.bundlesLots) * BigInt(ONE_TICKS);
  }
  const funded = BigInt(ledger.depositedMicros) - BigInt(ledger.withdrawnMicros);
  same(total, funded, 'cash of all accounts and collateral locked');
}

function validateKeys({ apiKeys }: EngineState): void {
  const counts = new Map<string, { live: number; ever: number }>();
  for (const key of apiKeys.all) {
    const { live, ever } = counts.get(key.owner) ?? { live: 0, ever: 0 };
    counts.set(key.owner, { live: live + (key.isRevoked ? 0 : 1), ever: ever + 1 });
    same(apiKeys.find(key.apiKey), key, 'API key by its text', key.apiKey);
    same(apiKeys.findByNonce(key), key, 'API key by its nonce', key.apiKey);
  }
  for (const [owner, { live, ever }] of counts) {
    same(apiKeys.countOf(owner).live, live, 'live API keys of', owner);
    same(apiKeys.countOf(owner).ever, ever, 'live and revoked API keys of', owner);
  }
}

function validateSwitches({ switches, ledger }: EngineState): void {
  for (const owner of switches.keys()) {
    same(ledger.findOwner(owner)?.address, owner, 'owner of an armed switch');
  }
}

function validateStandings({ ledger }: EngineState): void {
  for (const { address, isRestricted } of ledger.owners) {
    same(isRestricted, ledger.standings.has(address), 'standing of', address);
  }
}

/** `same` for an order. The text of its id is built only for an error. */
function sameOf<T>(state: EngineState, handle: number, actual: T, expected: T, what: string): void {
  if (actual !== expected) same(actual, expected, what, state.orders.id(handle));
}

/** Throws unless both are the same. The sentence is built only for an error. */
function same<T>(actual: T, expected: T, what: string, which: string | number = ''): void {
  if (actual === expected) return;
  throw new InvariantError(`${what} ${which}: expected ${expected}, found ${actual}`);
}
