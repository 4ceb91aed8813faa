/** Checks that an account has enough available funds; the fault says what it lacks. */
import type { Rejected } from '../model/index.ts';
import { type EngineState, refusal } from './engine-state.ts';
import type { Token } from './market.ts';

export function cashFault(
  { ledger }: EngineState,
  account: number,
  required: number,
): Rejected | undefined {
  const available = ledger.availableMicros[account]!;
  if (available >= required) return undefined;
  const held = ledger.heldMicros[account]!;
  const details = { field: 'account', asset: 'cash', required, available, held };
  return refusal('not_enough_cash', details);
}

/** `position` is NONE for an account that never had tokens or orders in the market. */
export function tokenFault(
  { positions }: EngineState,
  position: number,
  { tokenId: asset, outcome }: Pick<Token, 'tokenId' | 'outcome'>,
  required: number,
): Rejected | undefined {
  const available = positions.available(position, outcome);
  if (available >= required) return undefined;
  const held = positions.held(position, outcome);
  const details = { field: 'account', asset, required, available, held };
  return refusal('not_enough_tokens', details);
}
