/** Deposits and withdrawals of the naive engine: the checks, and what they do. */
import { strict as assert } from 'node:assert';
import type { Answer, Deposit, EngineEvent, Withdraw } from '../../../engine/index.ts';
import { isWhole, lots, micros } from '../../../engine/index.ts';
import { depositRoom, detailsOf } from './accounts.ts';
import { known, reject } from './answers.ts';
import { heldMicros } from './holds.ts';
import { checkLookup, usedKey } from './sets.ts';
import type { NaiveState } from './state.ts';
import { accountAt, countDeposit, liveOrdersOf } from './state.ts';

const MONEY_KEY = /^[\x21-\x7e]{1,128}$/;

/** The signed amount of a money command, as its key remembers it. */
function signedAmount(command: Deposit | Withdraw): number {
  return command.kind === 'deposit' ? command.amountMicros : -command.amountMicros;
}

export function checkMoney(state: NaiveState, command: Deposit | Withdraw): Answer | undefined {
  const { bounds } = state;
  const { account, amountMicros, key } = command;
  if (!MONEY_KEY.test(key)) {
    return reject('money_key_malformed', detailsOf('key', key.slice(0, 128)));
  }
  if (!isWhole(amountMicros, 1, bounds.amountMicros)) {
    const limit = `1..${bounds.amountMicros}`;
    return reject('amount_out_of_bounds', { field: 'amountMicros', limit, actual: amountMicros });
  }
  const holder = accountAt(state, account);
  if (holder === undefined) return reject('account_unknown', detailsOf('account', account));
  const used = usedKey(state, { owner: '', key }, command);
  if (used !== undefined) {
    const same = used.account === account && used.amountMicros === signedAmount(command);
    const isCash = used.command === 'deposit' || used.command === 'withdraw';
    return same && isCash ? known(command) : reject('money_key_reused', detailsOf('key', key));
  }
  const unchecked = checkLookup(state, command);
  if (unchecked !== undefined) return unchecked;
  if (command.kind === 'deposit') {
    const limit = depositRoom(state, bounds.totalMicros);
    if (amountMicros <= limit) return undefined;
    return reject('deposits_exhausted', { field: 'amountMicros', limit, actual: amountMicros });
  }
  const held = heldMicros(liveOrdersOf(state, account));
  const available = holder.cashMicros - held;
  if (available >= amountMicros) return undefined;
  const required = amountMicros;
  return reject('not_enough_cash', { field: 'account', asset: 'cash', required, available, held });
}

export function moveCash(state: NaiveState, command: Deposit | Withdraw): EngineEvent[] {
  const { kind, account: address, amountMicros: amount, key } = command;
  const signed = signedAmount(command);
  const account = accountAt(state, address);
  assert(account !== undefined);
  account.cashMicros += signed;
  if (signed > 0) countDeposit(state, signed);
  else state.withdrawnMicros -= signed;
  const amountMicros = micros(signed);
  state.idempotencyKeys.push({
    command: kind,
    owner: '',
    key,
    account: address,
    subject: '',
    amount,
    amountMicros,
    yesLots: lots(0),
    noLots: lots(0),
  });
  return [{ kind: 'cash_moved', account: address, amountMicros, key }];
}
