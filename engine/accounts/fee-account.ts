/**
 * The account that fees are collected in: an ordinary one, which owns itself, at an address that
 * nobody has a key for. It opens by itself, with the first command that lets anybody charge
 * anything; the operator withdraws from it as from any other.
 */

import { NONE } from '../book/index.ts';
import type { Micros } from '../model/index.ts';
import { FEE_ACCOUNT } from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { addAccount, hasRoomFor, type NewAccount } from './open-account.ts';

const OPENING: NewAccount = {
  address: FEE_ACCOUNT,
  owner: FEE_ACCOUNT,
  wallet: 'eoa',
  paperMicros: 0 as Micros,
};

/** Whether it is open, or may be opened; says why not. */
export function mayCollect(core: Core): boolean {
  return core.feeAccount !== NONE || hasRoomFor(core, OPENING);
}

/** Opens it if it is not open yet. */
export function openFeeAccount(core: Core): void {
  if (core.feeAccount !== NONE) return;
  const known = core.ledger.findAccount(FEE_ACCOUNT);
  // Rules before 4 did not keep the address from being opened.
  core.feeAccount = known === NONE ? addAccount(core, OPENING) : known;
}
