/**
 * The standing of owners: good unless the operator says otherwise. An owner who is banned or in
 * closed-only mode keeps what it has and may always turn it into cash. It may have a standing
 * before its first account. Bound: `standings`, of those that are not good.
 */

import { NONE } from '../book/index.ts';
import type { SetStanding, Side, Standing } from '../model/index.ts';
import { ADDRESS } from '../model/index.ts';
import { cancelEvery } from '../orders/index.ts';
import { type Core, reject } from '../state/index.ts';

const STANDINGS: readonly Standing[] = ['good', 'closed_only', 'banned'];

/** Checks, in order: the forms of owner and standing; what it is now; the bound. */
export function setStanding(core: Core, { owner, standing }: SetStanding): void {
  const { ledger } = core;
  if (!ADDRESS.test(owner)) {
    reject(core, 'address_malformed', { field: 'owner', actual: owner });
    return;
  }
  if (!STANDINGS.includes(standing)) {
    reject(core, 'standing_malformed', { field: 'standing', actual: standing });
    return;
  }
  const before = ledger.standingOf(owner);
  if (before === standing) {
    core.events.push({ kind: 'known', command: 'set_standing' });
    return;
  }
  const limit = core.bounds.standings;
  const actual = ledger.standings.size;
  if (before === 'good' && actual >= limit) {
    reject(core, 'too_many_standings', { field: 'owner', limit, actual });
    return;
  }
  ledger.setStanding(owner, standing);
  if (standing === 'banned') cancelEvery(core, owner, 'owner_banned');
  if (standing === 'closed_only') {
    cancelEvery(core, owner, 'closed_only', (handle) => !core.orders.isSell(handle));
  }
  core.events.push({ kind: 'standing_changed', owner, standing });
}

/** Whether an owner may trade on that side; `account` is NONE for one that would open. */
export function mayTrade(core: Core, account: number, owner: string, side: Side): boolean {
  const { ledger } = core;
  const isRestricted =
    account === NONE
      ? ledger.standings.has(owner)
      : ledger.owners[ledger.accounts[account]!.ownerIndex]!.isRestricted;
  if (!isRestricted) return true;
  if (ledger.standingOf(owner) === 'banned') {
    rejectBanned(core, owner);
    return false;
  }
  if (side === 'SELL') return true;
  reject(core, 'owner_closed_only', { field: 'owner', actual: owner });
  return false;
}

export function rejectBanned(core: Core, owner: string): void {
  reject(core, 'owner_banned', { field: 'owner', actual: owner });
}
