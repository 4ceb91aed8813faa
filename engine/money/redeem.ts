/**
 * Redemption: the tokens of a resolved market become what they are worth. An account asks for it,
 * or all are paid step by step, at most `redemptionsPerCommand` of them whenever time advances.
 */

import { accountFor } from '../accounts/index.ts';
import { NONE } from '../book/index.ts';
import type { Redeem } from '../model/index.ts';
import { HALTED, invariant, type Micros, ONE_TICKS, RESOLVED } from '../model/index.ts';
import {
  type Core,
  isExchangeRunning,
  isMoneyKey,
  isNewMovement,
  type Movement,
  reject,
  rememberMovement,
} from '../state/index.ts';

/**
 * Checks, in order: the form of the key; account and owner; the market; the key; that the exchange
 * is not halted; that the market is resolved; that there is something.
 */
export function redeem(core: Core, command: Redeem): void {
  const { conditionId, owner, key } = command;
  if (!isMoneyKey(core, key)) return;
  const account = accountFor(core, command);
  if (account === NONE) return;
  const market = core.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  const movement: Movement = {
    command: 'redeem',
    owner,
    key,
    account: command.account,
    subject: conditionId,
    amount: 0,
  };
  if (!isNewMovement(core, movement) || !isExchangeRunning(core)) return;
  if (market.status !== RESOLVED) {
    reject(core, 'market_not_resolved', { field: 'conditionId', actual: conditionId });
    return;
  }
  const position = core.positions.find(account, market.index);
  const [yesLots, noLots] = [
    core.positions.available(position, 0),
    core.positions.available(position, 1),
  ];
  if (yesLots + noLots === 0) {
    reject(core, 'nothing_to_redeem', { field: 'account', actual: command.account });
    return;
  }
  const amountMicros = pay(core, position, key);
  rememberMovement(core, movement, { amountMicros, yesLots, noLots });
}

/** Whether somebody waits to be paid, and may be. */
export function areRedemptionsDue(core: Core): boolean {
  return core.redemptions.areDue && core.status !== HALTED;
}

/** Pays the next of those who wait. */
export function redeemDue(core: Core): void {
  for (let paid = 0; paid < core.bounds.redemptionsPerCommand; paid += 1) {
    if (!areRedemptionsDue(core)) return;
    pay(core, core.redemptions.first(), '');
  }
}

/** Pays for all tokens of a position of a resolved market; returns how much. */
function pay(core: Core, position: number, key: string): Micros {
  const { ledger, positions } = core;
  const market = core.markets[positions.market[position]!]!;
  const { index, terms, payoutTicks } = market;
  const account = positions.account[position]!;
  const yesLots = positions.available(position, 0);
  const noLots = positions.available(position, 1);
  // Safe: products and sums of whole numbers, below what is locked.
  const amountMicros = (yesLots * payoutTicks + noLots * (ONE_TICKS - payoutTicks)) as Micros;
  positions.deliver(position, 0, yesLots);
  positions.deliver(position, 1, noLots);
  ledger.receive(account, amountMicros);
  core.lockedMicros -= amountMicros;
  market.owedMicros -= amountMicros;
  invariant(market.owedMicros >= 0, 'a market pays no more than it owes');
  if (positions.supply(index, 0) + positions.supply(index, 1) === 0) {
    invariant(market.owedMicros === 0, 'a market whose tokens are redeemed owes nothing');
    core.redemptions.end(index);
  }
  core.events.push({
    kind: 'redeemed',
    account: ledger.accounts[account]!.address,
    conditionId: terms.conditionId,
    yesLots,
    noLots,
    amountMicros,
    key,
  });
  return amountMicros;
}
