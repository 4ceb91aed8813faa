/** Checks that an account has enough available funds; a refusal says what it lacks. */
import { type EngineState, reject } from './engine-state.ts';
import type { Token } from './market.ts';

export function hasCash(state: EngineState, account: number, required: number): boolean {
  const available = state.ledger.availableMicros[account]!;
  if (available >= required) return true;
  const held = state.ledger.heldMicros[account]!;
  const details = { field: 'account', asset: 'cash', required, available, held };
  return reject(state, 'not_enough_cash', details);
}

/** `position` is NONE for an account that never had tokens or orders in the market. */
export function hasTokens(
  state: EngineState,
  position: number,
  { tokenId: asset, outcome }: Pick<Token, 'tokenId' | 'outcome'>,
  required: number,
): boolean {
  const available = state.positions.available(position, outcome);
  if (available >= required) return true;
  const held = state.positions.held(position, outcome);
  const details = { field: 'account', asset, required, available, held };
  return reject(state, 'not_enough_tokens', details);
}
