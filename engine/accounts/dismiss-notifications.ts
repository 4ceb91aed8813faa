/** Dismissed notifications: checked and passed on; what they are numbers of is not known here. */
import type { DismissNotifications } from '../model/index.ts';
import { isWhole } from '../model/index.ts';
import { type Core, reject } from '../state/index.ts';

/** Checks, in order: how many numbers; each number; that their owner has an account. */
export function dismissNotifications(core: Core, { owner, ids }: DismissNotifications): void {
  const most = core.bounds.dismissalsPerCommand;
  const field = 'ids';
  if (!isWhole(ids.length, 1, most)) {
    const details = { field, limit: `1..${most}`, actual: ids.length };
    reject(core, 'notification_ids_malformed', details);
    return;
  }
  const wrong = ids.find((id) => !isWhole(id, 0, Number.MAX_SAFE_INTEGER));
  if (wrong !== undefined) {
    reject(core, 'notification_ids_malformed', { field, actual: wrong });
    return;
  }
  if (core.ledger.findOwner(owner) === undefined) {
    reject(core, 'account_unknown', { field: 'owner', actual: owner });
    return;
  }
  core.events.push({ kind: 'notifications_dismissed', owner, ids });
}
