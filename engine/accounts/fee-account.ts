/**
 * The account that collects fees: an ordinary account that owns itself, at an address that has no
 * key. It opens with the first command that lets a market charge fees or sets a builder. The
 * operator withdraws from it as from any other account.
 */

import { NONE } from '../book/index.ts';
import { FEE_ACCOUNT, type Micros } from '../model/index.ts';
import { type EngineState, passes } from '../state/index.ts';
import { addAccount, type NewAccount, roomFault } from './open-account.ts';

const NEW_FEE_ACCOUNT: NewAccount = {
  address: FEE_ACCOUNT,
  owner: FEE_ACCOUNT,
  wallet: 'eoa',
  paperMicros: 0 as Micros,
  byOperator: true,
};

/** Opens the fee account if necessary. Returns false if the bounds refuse it. */
export function ensureFeeAccount(state: EngineState): boolean {
  if (state.feeAccount !== NONE) return true;
  if (!passes(state, roomFault(state, NEW_FEE_ACCOUNT))) return false;
  state.feeAccount = addAccount(state, NEW_FEE_ACCOUNT);
  return true;
}
