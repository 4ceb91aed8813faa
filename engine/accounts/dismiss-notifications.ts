/**
 * Dismissing notifications. The engine checks the command and reports it, so that it is journaled;
 * it stores no notifications.
 */
import { type DismissNotifications, isWhole } from '../model/index.ts';
import { type EngineState, reject } from '../state/index.ts';

export function dismissNotifications(state: EngineState, command: DismissNotifications): void {
  const { owner, ids } = command;
  if (!checkDismissal(state, command)) return;
  state.events.push({ kind: 'notifications_dismissed', owner, ids });
}

/** Checks, in order: the number of ids; each id; that the owner has an account. */
function checkDismissal(state: EngineState, { owner, ids }: DismissNotifications): boolean {
  const maximum = state.bounds.dismissalsPerCommand;
  const field = 'ids';
  if (!isWhole(ids.length, 1, maximum)) {
    const details = { field, limit: `1..${maximum}`, actual: ids.length };
    return reject(state, 'notification_ids_malformed', details);
  }
  const wrong = ids.find((id) => !isWhole(id, 0, Number.MAX_SAFE_INTEGER));
  if (wrong !== undefined) {
    return reject(state, 'notification_ids_malformed', { field, actual: wrong });
  }
  if (state.ledger.findOwner(owner) !== undefined) return true;
  return reject(state, 'account_unknown', { field: 'owner', actual: owner });
}
