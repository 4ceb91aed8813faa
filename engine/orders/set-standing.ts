/**
 * Setting an owner's standing: closed-only mode cancels its BUYs, a ban all its orders. The owner
 * need not have an account yet. `accounts/standing-checks.ts` checks standings. Bound: `standings`
 * owners whose standing is not good.
 */

import { ADDRESS, type SetStanding, STANDINGS } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/index.ts';
import { cancelWhere } from './cancel-orders.ts';

export function setStanding(state: EngineState, command: SetStanding): void {
  const { owner, standing } = command;
  if (!checkStanding(state, command)) return;
  state.ledger.setStanding(owner, standing);
  if (standing === 'banned') cancelWhere(state, owner, 'owner_banned', () => true);
  if (standing === 'closed_only') {
    cancelWhere(state, owner, 'closed_only', (handle) => !state.orders.isSell(handle));
  }
  state.events.push({ kind: 'standing_changed', owner, standing });
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
