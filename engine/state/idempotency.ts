/**
 * Idempotency keys of all commands that move money or tokens. A repeated key with the same content
 * is answered with what was done the first time, and with other content it is refused, so that a
 * repeated request never moves money twice, however late it comes. Invariant: a key is unique
 * within its owner; the operator is the owner ''. Bound: see model/bounds.ts. A new key is refused
 * only if its sender did not look it up in the journal's index lately.
 */
import type { IdempotencyKeyState, KeyLookup, Moved } from '../model/index.ts';
import { type EngineState, reject } from './engine-state.ts';

const KEY = /^[\x21-\x7e]{1,128}$/;

/** What a command asks for. With the same key, all of it must be the same. */
export type Movement = Omit<IdempotencyKeyState, keyof Moved | 'indexedSeq'>;

/** Checks the form of a key. */
export function isKeyWellFormed(state: EngineState, key: string): boolean {
  if (KEY.test(key)) return true;
  return reject(state, 'money_key_malformed', { field: 'key', actual: key.slice(0, 128) });
}

/** Checks that the key is new, answering for a known one. */
export function isNewMovement(
  state: EngineState,
  movement: Movement,
  { keyCheckedSeq: actual = 0, keyRecord }: KeyLookup,
): boolean {
  const { moneyKeys } = state;
  const known = moneyKeys.find(moneyKeyName(movement)) ?? keyRecord;
  if (known !== undefined) return answerRepeated(state, known, movement);
  const limit = moneyKeys.forgottenSeq;
  if (actual >= limit) return true;
  return reject(state, 'money_key_unchecked', { field: 'keyCheckedSeq', limit, actual });
}

/** Remembers a new key. The oldest ones leave memory, after the movement's own event. */
export function rememberMovement(state: EngineState, movement: Movement, moved: Moved): void {
  const { moneyKeys } = state;
  const { rememberedMoneyKeys: most } = state.bounds;
  moneyKeys.add(moneyKeyName(movement), { ...movement, ...moved });
  if (moneyKeys.size - moneyKeys.indexedCount <= most) return;
  state.events.push({ kind: 'money_key_indexed', record: moneyKeys.index(state.seq) });
  if (moneyKeys.indexedCount > most) moneyKeys.forget();
}

/** A text that identifies a key: neither keys nor owners contain a space. */
export function moneyKeyName({ owner, key }: Pick<Movement, 'owner' | 'key'>): string {
  return owner === '' ? key : `${owner} ${key}`;
}

function answerRepeated(state: EngineState, known: IdempotencyKeyState, movement: Movement): false {
  const { command, account, subject, amount, amountMicros, yesLots, noLots } = known;
  const isSame =
    command === movement.command &&
    account === movement.account &&
    subject === movement.subject &&
    amount === movement.amount;
  if (!isSame) return reject(state, 'money_key_reused', { field: 'key', actual: movement.key });
  // For a movement of cash only, the command says already what was done.
  const moved = subject === '' ? {} : { amountMicros, yesLots, noLots };
  state.events.push({ kind: 'known', command, ...moved });
  return false;
}
