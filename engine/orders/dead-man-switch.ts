/**
 * Dead man's switches: an owner arms one, keeps it quiet by beats that the engine never sees, and
 * loses every live order when whoever counts the beats says that they stopped (wire 1.7); one that
 * is delayed still trades, but does not come to rest.
 * Invariant: an owner has at most one armed switch. Bound: the owners.
 */

import type { ArmSwitch, TripSwitch } from '../model/index.ts';
import { UUID } from '../model/index.ts';
import { type Core, reject } from '../state/index.ts';
import { cancelEvery } from './cancel-orders.ts';
import { tripDelayed } from './delayed-orders.ts';

/** Checks, in order: the form of the heartbeat; that its owner has an account; what is armed. */
export function armSwitch(core: Core, { owner, heartbeatId }: ArmSwitch): void {
  if (!UUID.test(heartbeatId)) {
    reject(core, 'heartbeat_malformed', { field: 'heartbeatId', actual: heartbeatId });
    return;
  }
  if (core.ledger.findOwner(owner) === undefined) {
    reject(core, 'account_unknown', { field: 'owner', actual: owner });
    return;
  }
  if (core.switches.get(owner) === heartbeatId) {
    core.events.push({ kind: 'known', command: 'arm_switch' });
    return;
  }
  // Taken out first, so that the switches stand in the order in which they were armed.
  core.switches.delete(owner);
  core.switches.set(owner, heartbeatId);
  core.events.push({ kind: 'switch_armed', owner, heartbeatId });
}

/** A switch that was disarmed or armed anew meanwhile does nothing: its beats count no more. */
export function tripSwitch(core: Core, { owner, heartbeatId }: TripSwitch): void {
  if (core.switches.get(owner) !== heartbeatId) {
    core.events.push({ kind: 'known', command: 'trip_switch' });
    return;
  }
  cancelEvery(core, owner, 'switch_tripped', (handle) => !core.orders.isDelayed(handle));
  tripDelayed(core, owner);
  core.switches.delete(owner);
  core.events.push({ kind: 'switch_tripped', owner, heartbeatId });
}
