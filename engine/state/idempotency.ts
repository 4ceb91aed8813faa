/**
 * Idempotency keys of all commands that move money or tokens. A repeated key with the same content
 * is answered with what was done the first time, and with other content it is refused, so that a
 * repeated request never moves money twice. Invariant: a key is unique within its owner; the
 * operator is the owner ''. Bounds: `idempotencyKeys`, of which holders can use up only
 * `holderIdempotencyKeys`. A redemption counts towards neither, so that nothing can block it: there
 * is at most one for each position.
 */
import type { IdempotencyKeyState, Moved } from '../model/index.ts';
import { type EngineState, reject } from './engine-state.ts';

const KEY = /^[\x21-\x7e]{1,128}$/;

/** What a command asks for. With the same key, all of it must be the same. */
export type Movement = Omit<IdempotencyKeyState, keyof Moved>;

/** Checks the form of a key. */
export function isKeyWellFormed(state: EngineState, key: string): boolean {
  if (KEY.test(key)) return true;
  return reject(state, 'money_key_malformed', { field: 'key', actual: key.slice(0, 128) });
}

/** Checks, in order: that the key is new, answering for a known one; the bounds. */
export function isNewMovement(state: EngineState, movement: Movement): boolean {
  const known = state.idempotencyKeys.get(mapKeyOf(movement));
  if (known !== undefined) return answerRepeated(state, known, movement);
  if (movement.command === 'redeem') return true;
  const { idempotencyKeys, holderIdempotencyKeys } = state.bounds;
  // Rules before version 4 reserved no keys for the operator.
  const mayUseAll = movement.owner === '' || state.rules < 4;
  const limit = mayUseAll ? idempotencyKeys : Math.min(idempotencyKeys, holderIdempotencyKeys);
  const actual = state.boundedKeyCount;
  return actual < limit || reject(state, 'too_many_money_keys', { field: 'key', limit, actual });
}

export function rememberMovement(state: EngineState, movement: Movement, moved: Moved): void {
  state.idempotencyKeys.set(mapKeyOf(movement), { ...movement, ...moved });
  if (movement.command !== 'redeem') state.boundedKeyCount += 1;
}

/** Neither keys nor owners contain a space. */
function mapKeyOf({ owner, key }: Movement): string {
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
