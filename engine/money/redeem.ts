/**
 * Redemption pays for the tokens of a resolved market, when an account requests it or, after a
 * resolution with `redeemAll`, automatically: each `advance_time` command pays up to
 * `redemptionsPerCommand` accounts.
 */

import {
  HALTED,
  invariant,
  type Micros,
  ONE_TICKS,
  RESOLVED,
  type Redeem,
} from '../model/index.ts';
import { isExchangeRunning } from '../state/checks.ts';
import { type EngineState, reject } from '../state/engine-state.ts';
import { isKeyWellFormed, rememberMovement } from '../state/idempotency.ts';
import { marketMovement } from './move-sets.ts';

/**
 * Checks, in order: the form of the key; account and owner; the market; the key; that the exchange
 * is not halted; that the market is resolved; that the account has tokens of it.
 */
export function redeem(state: EngineState, command: Redeem): void {
  const { conditionId, key, account: address } = command;
  if (!isKeyWellFormed(state, key)) return;
  const request = marketMovement(state, command, 0);
  if (request === undefined || !isExchangeRunning(state)) return;
  const { account, market, movement } = request;
  if (market.status !== RESOLVED) {
    reject(state, 'market_not_resolved', { field: 'conditionId', actual: conditionId });
    return;
  }
  const { positions } = state;
  const position = positions.find(account, market.index);
  const yesLots = positions.available(position, 0);
  const noLots = positions.available(position, 1);
  if (yesLots + noLots === 0) {
    reject(state, 'nothing_to_redeem', { field: 'account', actual: address });
    return;
  }
  const amountMicros = pay(state, position, key);
  rememberMovement(state, movement, { amountMicros, yesLots, noLots });
}

/** Whether automatic redemption has accounts to pay and is permitted. */
export function areRedemptionsDue(state: EngineState): boolean {
  return state.redemptions.areDue && state.status !== HALTED;
}

/** Pays the next accounts of automatic redemption. */
export function redeemDue(state: EngineState): void {
  for (let paid = 0; paid < state.bounds.redemptionsPerCommand; paid += 1) {
    if (!areRedemptionsDue(state)) return;
    pay(state, state.redemptions.first(), '');
  }
}

/** Pays for all tokens of a position in a resolved market. Returns the amount. */
function pay(state: EngineState, position: number, key: string): Micros {
  const { ledger, positions } = state;
  const market = state.markets[positions.market[position]!]!;
  const { index, payoutTicks } = market;
  const { conditionId } = market.terms;
  const accountIndex = positions.account[position]!;
  const account = ledger.accounts[accountIndex]!.address;
  const yesLots = positions.available(position, 0);
  const noLots = positions.available(position, 1);
  // Safe: products and sums of whole numbers, below the locked collateral.
  const amountMicros = (yesLots * payoutTicks + noLots * (ONE_TICKS - payoutTicks)) as Micros;
  positions.deliver(position, 0, yesLots);
  positions.deliver(position, 1, noLots);
  ledger.receive(accountIndex, amountMicros);
  state.lockedMicros -= amountMicros;
  market.owedMicros -= amountMicros;
  invariant(market.owedMicros >= 0, 'a market pays no more than it owes');
  if (positions.supply(index, 0) + positions.supply(index, 1) === 0) {
    invariant(market.owedMicros === 0, 'a market whose tokens are redeemed owes nothing');
    state.redemptions.end(index);
  }
  const tokens = { yesLots, noLots };
  state.events.push({ kind: 'redeemed', account, conditionId, ...tokens, amountMicros, key });
  return amountMicros;
}
