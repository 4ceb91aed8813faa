/** Builders in the naive engine: the checks, and what setting one does. */
import type { Answer, EngineEvent, SetBuilder } from '../../../engine/index.ts';
import { isWhole } from '../../../engine/index.ts';
import { checkCollecting } from './accounts.ts';
import { known, reject } from './answers.ts';
import type { NaiveState } from './state.ts';
import { accountAt } from './state.ts';

const CODE = /^0x[0-9a-f]{64}$/;

const HIGHEST = { shareBps: 5_000, takerRateBps: 1_000, makerRateBps: 100 };

export function checkBuilder(state: NaiveState, command: SetBuilder): Answer | undefined {
  const { builder, account } = command;
  if (!CODE.test(builder) || BigInt(builder) === 0n) {
    return reject('builder_malformed', { field: 'builder', actual: builder });
  }
  for (const field of ['shareBps', 'takerRateBps', 'makerRateBps'] as const) {
    const [limit, actual] = [HIGHEST[field], command[field]];
    if (isWhole(actual, 0, limit)) continue;
    return reject('builder_malformed', { field, limit: `0..${limit}`, actual });
  }
  if (accountAt(state, account) === undefined) {
    return reject('account_unknown', { field: 'account', actual: account });
  }
  const before = state.builders.find((one) => one.builder === builder);
  const { kind: _, ...terms } = command;
  if (before !== undefined && Object.entries(before).every(isIn(terms))) return known(command);
  const [limit, actual] = [state.bounds.builders, state.builders.length];
  if (before === undefined && actual >= limit) {
    return reject('too_many_builders', { field: 'builder', limit, actual });
  }
  return checkCollecting(state);
}

function isIn(terms: object) {
  return ([name, value]: [string, unknown]): boolean =>
    new Map<string, unknown>(Object.entries(terms)).get(name) === value;
}

export function setBuilder(state: NaiveState, { kind: _, ...terms }: SetBuilder): EngineEvent[] {
  const at = state.builders.findIndex(({ builder }) => builder === terms.builder);
  if (at < 0) state.builders.push(terms);
  else state.builders[at] = terms;
  return [{ kind: 'builder_changed', ...terms }];
}
