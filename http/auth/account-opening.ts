/**
 * Which account opens with its first order (design 3): the owner's own address and the wallets
 * derived from it always, a deposit wallet unless the operator alone binds those. It opens only if
 * that order is accepted, so a refused order binds nobody's address. Without play money no first
 * order is accepted, so then the operator, or the key of the address itself, opens every account.
 */
import { type Micros, micros, type PlaceOrder, type Wallet } from '../../engine/model/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SignedOrder } from '../signing/index.ts';

/** By signature type (wire 3.3). */
const WALLETS: Readonly<Record<SignedOrder['signatureType'], Wallet>> = {
  0: 'eoa',
  1: 'proxy',
  2: 'safe',
  3: 'deposit',
};

/** Play money of a new account, by the way of funding. */
export function paperOf({ funding, paperMicros }: Settings): Micros {
  return micros(funding === 'paper' ? paperMicros : 0);
}

/** How an order opens its account if that is not known; nothing where the operator has to. */
export function openingFor(
  { signatureType }: SignedOrder,
  settings: Settings,
): Pick<PlaceOrder, 'opens'> {
  const wallet = WALLETS[signatureType];
  if (wallet === 'deposit' && settings.strict) return {};
  return { opens: { wallet, paperMicros: paperOf(settings) } };
}
