/** Splits and merges in the naive engine, and the checks of idempotency keys and balances. */
import { strict as assert } from 'node:assert';
import type {
  Answer,
  EngineEvent,
  IdempotencyKeyState,
  KeyLookup,
  Merge,
  Rejected,
  Split,
} from '../../../engine/index.ts';
import { lots, micros } from '../../../engine/index.ts';
import { reject } from './answers.ts';
import { heldLots, heldMicros } from './holds.ts';
import { checkRunning, closed } from './operator.ts';
import { checkTrader } from './standing.ts';
import type { NaiveMarket, NaiveState } from './state.ts';
import { accountAt, liveOrdersOf, marketAt } from './state.ts';

type Asked = Pick<Split, 'account' | 'owner' | 'key'>;

export function checkSets(state: NaiveState, command: Split | Merge): Answer | undefined {
  const { kind, account, conditionId, lots: size } = command;
  const market = marketAt(state, conditionId);
  return (
    checkKeyForm(command) ??
    checkSize(state, size) ??
    checkHolder(state, command) ??
    (market === undefined
      ? reject('market_unknown', { field: 'conditionId', actual: conditionId })
      : (checkKey(state, command, { command: kind, subject: conditionId, amount: size }) ??
        (kind === 'split' ? checkSplitter(state, account) : undefined) ??
        checkRunning(state) ??
        checkHalted(market) ??
        (kind === 'split'
          ? (checkEnded(market) ?? checkCash(state, account, size * 10_000))
          : (checkUnresolved(market) ?? checkPair(state, account, market, size)))))
  );
}

export function checkKeyForm({ key }: Asked): Rejected | undefined {
  const printable = [...key].every((character) => character > ' ' && character <= '~');
  if (printable && key.length >= 1 && key.length <= 128) return undefined;
  return reject('money_key_malformed', { field: 'key', actual: key.slice(0, 128) });
}

export function checkSize({ bounds }: NaiveState, size: number): Rejected | undefined {
  const most = bounds.orderLots;
  if (Number.isSafeInteger(size) && size >= 1 && size <= most) return undefined;
  return reject('size_out_of_bounds', { field: 'lots', limit: `1..${most}`, actual: size });
}

/** The operator, whose owner is '', may act for every account. */
export function checkHolder(state: NaiveState, command: Asked): Rejected | undefined {
  const details = { field: 'account', actual: command.account };
  const holder = accountAt(state, command.account);
  if (holder === undefined) return reject('account_unknown', details);
  if (command.owner === '' || command.owner === holder.terms.owner) return undefined;
  return reject('account_not_yours', details);
}

/** What a key was used for, as far as the engine remembers it or the sender looked it up. */
export function usedKey(
  state: NaiveState,
  { owner, key }: Pick<Asked, 'owner' | 'key'>,
  { keyRecord }: KeyLookup,
): IdempotencyKeyState | undefined {
  return state.idempotencyKeys.find((one) => one.owner === owner && one.key === key) ?? keyRecord;
}

/** A key that is not known must have been looked up since the engine forgot one. */
export function checkLookup(
  { forgottenKeySeq: limit }: NaiveState,
  { keyCheckedSeq: actual = 0 }: KeyLookup,
): Rejected | undefined {
  if (actual >= limit) return undefined;
  return reject('money_key_unchecked', { field: 'keyCheckedSeq', limit, actual });
}

/** The answer for a used key, or the refusal of a new one. */
export function checkKey(
  state: NaiveState,
  asked: Asked & KeyLookup,
  wanted: Pick<IdempotencyKeyState, 'command' | 'subject' | 'amount'>,
): Answer | undefined {
  const { key, account } = asked;
  const used = usedKey(state, asked, asked);
  if (used !== undefined) {
    const [before, now] = [used, { ...wanted, account }].map((one) =>
      [one.command, one.account, one.subject, one.amount].join(' '),
    );
    if (before !== now) return reject('money_key_reused', { field: 'key', actual: key });
    const { amountMicros, yesLots, noLots } = used;
    return { kind: 'known', command: wanted.command, amountMicros, yesLots, noLots };
  }
  return checkLookup(state, asked);
}

/** A split counts as a BUY of the account's owner, even if the operator asks for it. */
export function checkSplitter(state: NaiveState, account: string): Rejected | undefined {
  const owner = accountAt(state, account)?.terms.owner ?? '';
  return checkTrader(state, { owner, side: 'BUY' });
}

function checkHalted({ status, terms }: NaiveMarket): Rejected | undefined {
  if (status !== 'halted') return undefined;
  return reject('market_halted', { field: 'conditionId', actual: terms.conditionId });
}

function checkUnresolved({ status, terms }: NaiveMarket): Rejected | undefined {
  if (status !== 'resolved') return undefined;
  return reject('market_resolved', { field: 'conditionId', actual: terms.conditionId });
}

function checkEnded(market: NaiveMarket): Rejected | undefined {
  if (!closed(market)) return undefined;
  return reject('market_closed', { field: 'conditionId', actual: market.terms.conditionId });
}

function checkCash(state: NaiveState, address: string, required: number): Rejected | undefined {
  const held = heldMicros(liveOrdersOf(state, address));
  const available = (accountAt(state, address)?.cashMicros ?? 0) - held;
  if (available >= required) return undefined;
  return reject('not_enough_cash', { field: 'account', asset: 'cash', required, available, held });
}

function checkPair(
  state: NaiveState,
  address: string,
  { terms }: NaiveMarket,
  required: number,
): Rejected | undefined {
  const [yes, no] = terms.tokenIds;
  return checkTokens(state, address, yes, required) ?? checkTokens(state, address, no, required);
}

export function checkTokens(
  state: NaiveState,
  address: string,
  asset: string,
  required: number,
): Rejected | undefined {
  const held = heldLots(liveOrdersOf(state, address), asset);
  const available = (accountAt(state, address)?.tokens.get(asset) ?? 0) - held;
  if (available >= required) return undefined;
  return reject('not_enough_tokens', { field: 'account', asset, required, available, held });
}

export function moveSets(state: NaiveState, command: Split | Merge): EngineEvent[] {
  const { kind, account: address, owner, conditionId, key, lots: size } = command;
  const sign = kind === 'split' ? 1 : -1;
  const market = marketAt(state, conditionId);
  assert(market !== undefined);
  for (const tokenId of market.terms.tokenIds) addTokens(state, address, tokenId, sign * size);
  addCash(state, address, -sign * size * 10_000);
  market.setsLots += sign * size;
  const splitLots = lots(sign * size);
  const amountMicros = micros(-sign * size * 10_000);
  state.idempotencyKeys.push({
    command: kind,
    owner,
    key,
    account: address,
    subject: conditionId,
    amount: size,
    amountMicros,
    yesLots: size,
    noLots: size,
  });
  return [{ kind: 'sets_moved', account: address, conditionId, splitLots, amountMicros, key }];
}

export function addTokens(state: NaiveState, address: string, tokenId: string, size: number) {
  const account = accountAt(state, address);
  assert(account !== undefined);
  account.tokens.set(tokenId, (account.tokens.get(tokenId) ?? 0) + size);
}

export function addCash(state: NaiveState, address: string, amount: number): void {
  const account = accountAt(state, address);
  assert(account !== undefined);
  account.cashMicros += amount;
}
