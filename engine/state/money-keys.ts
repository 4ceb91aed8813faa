/**
 * Idempotency keys of everything that moves money: the same key with the same content is answered
 * as known, with what was done then; with other content it is refused. So a repeated request never
 * moves money twice. Invariant: a key is unique within its owner; the operator's owner is ''.
 * Bound: `idempotencyKeys`, of which account holders leave some to the operator (`holderIdempotencyKeys`);
 * and one redemption a position, which the bound leaves alone: whoever used up the keys would else
 * keep all others from what they won.
 */
import type { Command, Lots, Micros, IdempotencyKeyState } from '../model/index.ts';
import { type Core, reject } from './core.ts';

const MONEY_KEY = /^[\x21-\x7e]{1,128}$/;

/** What a command asks for: with the same key, all of it must be the same. */
export interface Movement {
  readonly command: Command['kind'];
  readonly owner: string;
  readonly key: string;
  readonly account: string;
  /** What it moves, beside cash: '' for nothing, or ids of markets. */
  readonly subject: string;
  /** How much it asks for: signed micros of cash, or lots; 0 for all there is. */
  readonly amount: number;
}

/** What came of it. */
interface Moved {
  readonly amountMicros: Micros;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

export function isMoneyKey(core: Core, key: string): boolean {
  if (MONEY_KEY.test(key)) return true;
  reject(core, 'money_key_malformed', { field: 'key', actual: key.slice(0, 128) });
  return false;
}

/**
 * Checks, in order: that the key is new, which answers for a known one; the bound. A redemption is
 * remembered only if it pays, and what is redeemed never has tokens again: it needs no other bound.
 */
export function isNewMovement(core: Core, movement: Movement): boolean {
  const known = core.idempotencyKeys.get(nameOf(movement));
  if (known !== undefined) {
    if (isSame(known, movement)) answerKnown(core, known);
    else reject(core, 'money_key_reused', { field: 'key', actual: movement.key });
    return false;
  }
  if (movement.command === 'redeem') return true;
  const { idempotencyKeys: idempotencyKeys, holderIdempotencyKeys: holderIdempotencyKeys } =
    core.bounds;
  // Rules before 4 left the operator none.
  const isForAll = movement.owner === '' || core.rules < 4;
  const limit = isForAll ? idempotencyKeys : Math.min(idempotencyKeys, holderIdempotencyKeys);
  const actual = core.boundedKeyCount;
  if (actual < limit) return true;
  reject(core, 'too_many_money_keys', { field: 'key', limit, actual });
  return false;
}

export function rememberMovement(core: Core, movement: Movement, moved: Moved): void {
  core.idempotencyKeys.set(nameOf(movement), { ...movement, ...moved });
  if (movement.command !== 'redeem') core.boundedKeyCount += 1;
}

/** A space is in no key and in no owner. */
function nameOf({ owner, key }: Movement): string {
  return owner === '' ? key : `${owner} ${key}`;
}

function isSame(known: IdempotencyKeyState, movement: Movement): boolean {
  return (
    known.command === movement.command &&
    known.account === movement.account &&
    known.subject === movement.subject &&
    known.amount === movement.amount
  );
}

/** Of cash alone nothing is told: the command said it all. */
function answerKnown(core: Core, known: IdempotencyKeyState): void {
  const { command, amountMicros, yesLots, noLots } = known;
  if (known.subject === '') core.events.push({ kind: 'known', command });
  else core.events.push({ kind: 'known', command, amountMicros, yesLots, noLots });
}
