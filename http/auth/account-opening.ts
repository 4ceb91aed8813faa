/**
 * Opens an account with its first order. The account is the owner's address, a wallet derived from
 * it or, unless `strict` leaves these to the operator, a deposit wallet. A refused order opens no
 * account. Without play money every first order is refused, so accounts are opened by the
 * operator or by issuing an API key for the owner's address.
 */
import { type Micros, micros, type PlaceOrder, type WalletKind } from '../../engine/model/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SignedOrder } from '../signing/index.ts';

/** By signature type (wire 3.3). */
const WALLETS = ['eoa', 'proxy', 'safe', 'deposit'] as const satisfies WalletKind[];

/** Play money of a new account; 0 unless funding is `paper`. */
export function paperOf({ funding, paperMicros }: Settings): Micros {
  return micros(funding === 'paper' ? paperMicros : 0);
}

/** How an order opens its account; empty if only the operator may open it. */
export function openingFor(
  { signatureType }: SignedOrder,
  settings: Settings,
): Pick<PlaceOrder, 'opens'> {
  const wallet = WALLETS[signatureType];
  if (wallet === 'deposit' && settings.strict) return {};
  return { opens: { wallet, paperMicros: paperOf(settings) } };
}
