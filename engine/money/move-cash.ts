/** Deposits and withdrawals by the operator. */

import { depositRoom } from '../accounts/open-account.ts';
import { NONE } from '../book/index.ts';
import { type Deposit, isWhole, type Lots, type Micros, type Withdraw } from '../model/index.ts';
import { cashFault } from '../state/checks.ts';
import { type EngineState, passes, reject } from '../state/engine-state.ts';
import {
  isKeyWellFormed,
  isNewMovement,
  type Movement,
  rememberMovement,
} from '../state/idempotency.ts';

/** Checks, in order: the form of the key; the amount; the account; the key; the funds. */
export function moveCash(state: EngineState, command: Deposit | Withdraw): void {
  const { kind, key, account: address, amountMicros: amount } = command;
  if (!isKeyWellFormed(state, key) || !isAmount(state, amount)) return;
  const account = state.ledger.findAccount(address);
  if (account === NONE) {
    reject(state, 'account_unknown', { field: 'account', actual: address });
    return;
  }
  const movement: Movement = {
    command: kind,
    owner: '',
    key,
    account: address,
    subject: '',
    amount,
  };
  if (!isNewMovement(state, movement, command)) return;
  if (
    !(kind === 'deposit'
      ? hasRoom(state, amount)
      : passes(state, cashFault(state, account, amount)))
  )
    return;
  if (kind === 'deposit') state.ledger.deposit(account, amount);
  else state.ledger.withdraw(account, amount);
  const amountMicros = (kind === 'deposit' ? amount : -amount) as Micros; // whole either way
  const none = 0 as Lots;
  state.events.push({ kind: 'cash_moved', account: address, amountMicros, key });
  rememberMovement(state, movement, { amountMicros, yesLots: none, noLots: none });
}

function isAmount(state: EngineState, actual: Micros): boolean {
  const maximum = state.bounds.amountMicros;
  if (isWhole(actual, 1, maximum)) return true;
  const details = { field: 'amountMicros', limit: `1..${maximum}`, actual };
  return reject(state, 'amount_out_of_bounds', details);
}

/** Whether the bound of all deposits permits another one. */
function hasRoom(state: EngineState, actual: Micros): boolean {
  const limit = depositRoom(state, false);
  if (actual <= limit) return true;
  return reject(state, 'deposits_exhausted', { field: 'amountMicros', limit, actual });
}
