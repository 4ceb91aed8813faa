/**
 * Deposits and withdrawals. Each has an idempotency key: the same key with the same content is
 * answered as known, with other content refused, so that a repeated request never moves money
 * twice.
 */
import type { Deposit, Withdraw } from './commands.ts';
import { type Core, reject } from './core.ts';
import { NONE } from './level-index.ts';
import { isWhole, type Micros } from './units.ts';

const MONEY_KEY = /^[\x21-\x7e]{1,128}$/;

export function moveCash(core: Core, command: Deposit | Withdraw): void {
  const { key } = command;
  const most = core.bounds.amountMicros;
  const actual = command.amountMicros;
  if (!MONEY_KEY.test(key)) {
    reject(core, 'money_key_malformed', { field: 'key', actual: key.slice(0, 128) });
    return;
  }
  if (!isWhole(actual, 1, most)) {
    reject(core, 'amount_out_of_bounds', { field: 'amountMicros', limit: `1..${most}`, actual });
    return;
  }
  const account = core.ledger.findAccount(command.account);
  if (account === NONE) {
    reject(core, 'account_unknown', { field: 'account', actual: command.account });
    return;
  }
  if (!isNewMoneyKey(core, command)) return;
  if (command.kind === 'deposit') deposit(core, command, account);
  else withdraw(core, command, account);
}

const signedAmount = (command: Deposit | Withdraw): Micros =>
  (command.kind === 'deposit' ? command.amountMicros : -command.amountMicros) as Micros;

function isNewMoneyKey(core: Core, command: Deposit | Withdraw): boolean {
  const { key, account } = command;
  const known = core.moneyKeys.get(key);
  if (known !== undefined) {
    if (known.account === account && known.amountMicros === signedAmount(command)) {
      core.events.push({ kind: 'known', command: command.kind });
    } else {
      reject(core, 'money_key_reused', { field: 'key', actual: key });
    }
    return false;
  }
  const limit = core.bounds.moneyKeys;
  const actual = core.moneyKeys.size;
  if (actual < limit) return true;
  reject(core, 'too_many_money_keys', { field: 'key', limit, actual });
  return false;
}

function deposit(core: Core, command: Deposit, account: number): void {
  const limit = core.bounds.totalMicros - core.ledger.depositedMicros;
  const actual = command.amountMicros;
  if (actual > limit) {
    reject(core, 'deposits_exhausted', { field: 'amountMicros', limit, actual });
    return;
  }
  core.ledger.deposit(account, actual);
  remember(core, command);
}

function withdraw(core: Core, command: Withdraw, account: number): void {
  const required = command.amountMicros;
  const available = core.ledger.availableMicros[account]!;
  if (available < required) {
    const held = core.ledger.heldMicros[account]!;
    const balances = { field: 'account', asset: 'cash', required, available, held };
    reject(core, 'not_enough_cash', balances);
    return;
  }
  core.ledger.withdraw(account, required);
  remember(core, command);
}

function remember(core: Core, command: Deposit | Withdraw): void {
  const { key, account } = command;
  const amountMicros = signedAmount(command);
  core.moneyKeys.set(key, { key, account, amountMicros });
  core.events.push({ kind: 'cash_moved', account, amountMicros, key });
}
