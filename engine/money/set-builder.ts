/**
 * Setting what a builder earns on orders that carry its code (wire 9.9). Orders that were already
 * accepted keep their rates. A code can't be removed, but its rates can be 0.
 */

import { ensureFeeAccount } from '../accounts/open-account.ts';
import { NONE } from '../book/index.ts';
import type { Builder } from '../fees/schedules.ts';
import { BUILDER, isWhole, type RejectDetails, type SetBuilder } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/engine-state.ts';

/** The maximum of each of a builder's rates, in basis points. */
const MAXIMUMS = [
  ['shareBps', 5_000],
  ['takerRateBps', 1_000],
  ['makerRateBps', 100],
] as const;

export function setBuilder(state: EngineState, command: SetBuilder): void {
  const { kind: _, ...terms } = command;
  const malformed = malformedField(command);
  if (malformed !== undefined) {
    reject(state, 'builder_malformed', malformed);
    return;
  }
  const accountIndex = state.ledger.findAccount(command.account);
  if (accountIndex === NONE) {
    reject(state, 'account_unknown', { field: 'account', actual: command.account });
    return;
  }
  if (!checkBuilder(state, command) || !ensureFeeAccount(state)) return;
  state.builders.set({ ...terms, accountIndex });
  state.events.push({ kind: 'builder_changed', ...terms });
}

/** Checks, in order: whether the terms are new; the bound. */
function checkBuilder(state: EngineState, command: SetBuilder): boolean {
  const known = state.builders.get(command.builder);
  if (known !== undefined && isSame(known, command)) return answerKnown(state, 'set_builder');
  const limit = state.bounds.builders;
  const actual = state.builders.size;
  if (known !== undefined || actual < limit) return true;
  return reject(state, 'too_many_builders', { field: 'builder', limit, actual });
}

function malformedField(command: SetBuilder): RejectDetails | undefined {
  if (!BUILDER.test(command.builder)) return { field: 'builder', actual: command.builder };
  for (const [field, maximum] of MAXIMUMS) {
    const actual = command[field];
    if (!isWhole(actual, 0, maximum)) return { field, limit: `0..${maximum}`, actual };
  }
  return undefined;
}

function isSame(known: Builder, command: SetBuilder): boolean {
  const haveSameRates = MAXIMUMS.every(([field]) => known[field] === command[field]);
  return known.account === command.account && haveSameRates;
}
