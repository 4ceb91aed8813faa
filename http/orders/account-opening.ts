/**
 * Which account opens with its first order (design 3): the owner's own address and the wallets
 * derived from it always, a deposit wallet unless the operator alone binds those.
 */
import { type Micros, micros, type OpenAccount, type Wallet } from '../../engine/index.ts';
import type { Settings } from '../settings.ts';
import type { SignedOrder } from '../signing/order-hash.ts';

/** By signature type (wire 3.3). */
const WALLETS: Readonly<Record<SignedOrder['signatureType'], Wallet>> = {
  0: 'eoa',
  1: 'proxy',
  2: 'safe',
  3: 'deposit',
};

/** Play money of a new account, by the way of funding. */
export const paperOf = ({ funding, paperMicros }: Settings): Micros =>
  micros(funding === 'paper' ? paperMicros : 0);

/** The opening of an order's account; undefined where it is the operator's to open. */
export const openAccountFor = (
  { maker, signatureType }: SignedOrder,
  owner: string,
  settings: Settings,
): OpenAccount | undefined => {
  const wallet = WALLETS[signatureType];
  if (wallet === 'deposit' && settings.strict) return undefined;
  return { kind: 'open_account', address: maker, owner, wallet, paperMicros: paperOf(settings) };
};
