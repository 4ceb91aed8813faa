/** Standings of owners in the naive engine: the checks, and what a change does. */
import type {
  Answer,
  EngineEvent,
  PlaceOrder,
  Rejected,
  SetStanding,
} from '../../../engine/index.ts';
import { isAddress, known, reject } from './answers.ts';
import type { NaiveState } from './state.ts';

export function checkStanding(state: NaiveState, command: SetStanding): Answer | undefined {
  const { owner, standing } = command;
  if (!isAddress(owner)) return reject('address_malformed', { field: 'owner', actual: owner });
  if (!['good', 'closed_only', 'banned'].includes(standing)) {
    return reject('standing_malformed', { field: 'standing', actual: standing });
  }
  const before = standingOf(state, owner);
  if (before === standing) return known(command);
  const [limit, actual] = [state.bounds.standings, state.standings.length];
  if (before !== 'good' || actual < limit) return undefined;
  return reject('too_many_standings', { field: 'owner', limit, actual });
}

function standingOf(state: NaiveState, owner: string): string {
  return state.standings.find((one) => one.owner === owner)?.standing ?? 'good';
}

export function changeStanding(state: NaiveState, command: SetStanding): EngineEvent[] {
  const { owner, standing } = command;
  state.standings = state.standings.filter((one) => one.owner !== owner);
  if (standing !== 'good') state.standings.push({ owner, standing });
  return [{ ...command, kind: 'standing_changed' }];
}

export function checkBan(state: NaiveState, owner: string): Rejected | undefined {
  if (standingOf(state, owner) !== 'banned') return undefined;
  return reject('owner_banned', { field: 'owner', actual: owner });
}

/** The refusal of an owner that may not buy or sell. */
export function checkTrader(
  state: NaiveState,
  command: Pick<PlaceOrder, 'owner' | 'side'>,
): Rejected | undefined {
  const { owner, side } = command;
  const isBarred = side === 'BUY' && standingOf(state, owner) === 'closed_only';
  if (isBarred) return reject('owner_closed_only', { field: 'owner', actual: owner });
  return checkBan(state, owner);
}
