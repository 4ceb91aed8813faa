/** Deposits and withdrawals, by the operator. Each has an idempotency key (money-keys.ts). */

import { NONE } from '../book/index.ts';
import type { Deposit, Withdraw } from '../model/index.ts';
import { isWhole, type Lots, type Micros } from '../model/index.ts';
import {
  type Core,
  hasCash,
  isMoneyKey,
  isNewMovement,
  type Movement,
  reject,
  rememberMovement,
} from '../state/index.ts';

/** Checks, in order: the form of the key; the amount; the account; the key; what is there. */
export function moveCash(core: Core, command: Deposit | Withdraw): void {
  const most = core.bounds.amountMicros;
  const actual = command.amountMicros;
  if (!isMoneyKey(core, command.key)) return;
  if (!isWhole(actual, 1, most)) {
    reject(core, 'amount_out_of_bounds', { field: 'amountMicros', limit: `1..${most}`, actual });
    return;
  }
  const account = core.ledger.findAccount(command.account);
  if (account === NONE) {
    reject(core, 'account_unknown', { field: 'account', actual: command.account });
    return;
  }
  if (!isNewMovement(core, movementOf(command))) return;
  if (command.kind === 'deposit') deposit(core, command, account);
  else withdraw(core, command, account);
}

function movementOf({ kind, account, amountMicros, key }: Deposit | Withdraw): Movement {
  return {
    command: kind,
    owner: '',
    key,
    account,
    subject: '',
    amount: amountMicros,
  };
}

function deposit(core: Core, command: Deposit, account: number): void {
  const limit = core.bounds.totalMicros - core.ledger.depositedMicros;
  const actual = command.amountMicros;
  if (actual > limit) {
    reject(core, 'deposits_exhausted', { field: 'amountMicros', limit, actual });
    return;
  }
  core.ledger.deposit(account, actual);
  finish(core, command, actual);
}

function withdraw(core: Core, command: Withdraw, account: number): void {
  const required = command.amountMicros;
  if (!hasCash(core, account, required)) return;
  core.ledger.withdraw(account, required);
  finish(core, command, -required as Micros); // a whole amount
}

function finish(core: Core, command: Deposit | Withdraw, amountMicros: Micros): void {
  const { key, account } = command;
  const none = 0 as Lots;
  rememberMovement(core, movementOf(command), { amountMicros, yesLots: none, noLots: none });
  core.events.push({ kind: 'cash_moved', account, amountMicros, key });
}
