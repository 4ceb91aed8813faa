/**
 * Dead man's switches (wire 1.7). An owner arms one and sends heartbeats, which the engine never
 * sees. When the server reports that the heartbeats stopped, the switch trips and cancels every
 * order of the owner, except that a delayed one may still trade but not rest. Invariant: an owner
 * has at most one armed switch. Bound: the owners.
 */

import { type ArmSwitch, type TripSwitch, UUID } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/index.ts';
import { cancelWhere, isStepSize } from './cancel-orders.ts';
import { tripDelayed } from './delayed-orders.ts';

export function armSwitch(state: EngineState, command: ArmSwitch): void {
  const { owner, heartbeatId } = command;
  if (!checkArming(state, command)) return;
  // Deleted first, so that the map stays in order of arming.
  state.switches.delete(owner);
  state.switches.set(owner, heartbeatId);
  state.events.push({ kind: 'switch_armed', owner, heartbeatId });
}

/** Checks, in order: the form of the id; that the owner has an account; that the id is new. */
function checkArming(state: EngineState, { owner, heartbeatId }: ArmSwitch): boolean {
  if (!UUID.test(heartbeatId)) {
    return reject(state, 'heartbeat_malformed', { field: 'heartbeatId', actual: heartbeatId });
  }
  if (state.ledger.findOwner(owner) === undefined) {
    return reject(state, 'account_unknown', { field: 'owner', actual: owner });
  }
  return state.switches.get(owner) !== heartbeatId || answerKnown(state, 'arm_switch');
}

/** Does nothing unless the switch is armed with this id: heartbeats with an older id may stop. */
export function tripSwitch(state: EngineState, command: TripSwitch): void {
  const { owner, heartbeatId, most = Number.POSITIVE_INFINITY } = command;
  if (command.most !== undefined && !isStepSize(state, command.most)) return;
  if (state.switches.get(owner) !== heartbeatId) {
    answerKnown(state, 'trip_switch');
    return;
  }
  const isResting = (handle: number): boolean => !state.orders.isDelayed(handle);
  if (cancelWhere(state, owner, 'switch_tripped', isResting, { most }) === most) return;
  tripDelayed(state, owner);
  state.switches.delete(owner);
  state.events.push({ kind: 'switch_tripped', owner, heartbeatId });
}
