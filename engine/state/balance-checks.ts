/** Whether an account has enough that is not held for its orders; says what it lacks. */
import { type Core, reject, type Token } from './core.ts';

export function hasCash(core: Core, account: number, required: number): boolean {
  const available = core.ledger.availableMicros[account]!;
  if (available >= required) return true;
  const held = core.ledger.heldMicros[account]!;
  reject(core, 'not_enough_cash', { field: 'account', asset: 'cash', required, available, held });
  return false;
}

/** `position` is NONE for an account that never had anything in the market. */
export function hasTokens(core: Core, position: number, token: Token, required: number): boolean {
  const { tokenId: asset, outcome } = token;
  const available = core.positions.available(position, outcome);
  if (available >= required) return true;
  const held = core.positions.held(position, outcome);
  reject(core, 'not_enough_tokens', { field: 'account', asset, required, available, held });
  return false;
}
