/**
 * Setting an owner's standing: closed-only mode cancels its BUYs, a ban all its orders. The owner
 * need not have an account yet. `accounts/standing-checks.ts` checks standings. Bound: `standings`
 * owners whose standing is not good.
 */

import { ADDRESS, type SetStanding, STANDINGS } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/index.ts';
import { clearOwner } from './clearing.ts';

export function setStanding(state: EngineState, command: SetStanding): void {
  const { owner, standing } = command;
  if (!checkStanding(state, command)) return;
  if (!clearOrders(state, command)) {
    state.clearing = command;
    return;
  }
  state.ledger.setStanding(owner, standing);
  state.events.push({ kind: 'standing_changed', owner, standing });
}

/** Ends the orders that the standing does not permit. Returns whether none is left. */
function clearOrders(state: EngineState, { owner, standing }: SetStanding): boolean {
  if (standing === 'banned') return clearOwner(state, owner, 'owner_banned');
  const isBuy = (handle: number): boolean => !state.orders.isSell(handle);
  return standing !== 'closed_only' || clearOwner(state, owner, 'closed_only', isBuy);
}

/** Checks, in order: the forms of owner and standing; the present standing; the bound. */
function checkStanding(state: EngineState, { owner, standing }: SetStanding): boolean {
  if (!ADDRESS.test(owner)) {
    return reject(state, 'address_malformed', { field: 'owner', actual: owner });
  }
  if (!STANDINGS.includes(standing)) {
    return reject(state, 'standing_malformed', { field: 'standing', actual: standing });
  }
  const before = state.ledger.standingOf(owner);
  if (before === standing) return answerKnown(state, 'set_standing');
  const limit = state.bounds.standings;
  const actual = state.ledger.standings.size;
  if (before !== 'good' || actual < limit) return true;
  return reject(state, 'too_many_standings', { field: 'owner', limit, actual });
}
