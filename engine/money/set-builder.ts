/**
 * What builders earn on orders that carry their codes (wire 9.9). Orders that are accepted already
 * keep what they were accepted with. A code is never taken away, but may earn nothing.
 */

import { mayCollect, openFeeAccount } from '../accounts/index.ts';
import { NONE } from '../book/index.ts';
import type { RejectDetails, SetBuilder } from '../model/index.ts';
import { BUILDER, isWhole } from '../model/index.ts';
import type { Builder } from '../state/index.ts';
import { type Core, reject } from '../state/index.ts';

/** The terms of a builder, and the most of each, in basis points. */
const MOSTS = [
  ['shareBps', 5_000],
  ['takerRateBps', 1_000],
  ['makerRateBps', 100],
] as const;

/** Checks, in order: the code; the rates; the account; whether it is so already; the bounds. */
export function setBuilder(core: Core, command: SetBuilder): void {
  const { kind: _, ...terms } = command;
  const malformed = malformedField(command);
  if (malformed !== undefined) {
    reject(core, 'builder_malformed', malformed);
    return;
  }
  const accountIndex = core.ledger.findAccount(command.account);
  if (accountIndex === NONE) {
    reject(core, 'account_unknown', { field: 'account', actual: command.account });
    return;
  }
  const known = core.builders.get(command.builder);
  if (known !== undefined && isSame(known, command)) {
    core.events.push({ kind: 'known', command: 'set_builder' });
    return;
  }
  const limit = core.bounds.builders;
  const actual = core.builders.size;
  if (known === undefined && actual >= limit) {
    reject(core, 'too_many_builders', { field: 'builder', limit, actual });
    return;
  }
  if (!mayCollect(core)) return;
  openFeeAccount(core);
  const builder: Builder = { ...terms, accountIndex };
  core.builders.set(command.builder, builder);
  core.events.push({ kind: 'builder_changed', ...terms });
}

function malformedField(command: SetBuilder): RejectDetails | undefined {
  if (!BUILDER.test(command.builder)) return { field: 'builder', actual: command.builder };
  for (const [field, most] of MOSTS) {
    const actual = command[field];
    if (!isWhole(actual, 0, most)) return { field, limit: `0..${most}`, actual };
  }
  return undefined;
}

function isSame(known: Builder, command: SetBuilder): boolean {
  return (
    known.account === command.account && MOSTS.every(([field]) => known[field] === command[field])
  );
}
