/**
 * Opens an account with its first order: the owner's address and the wallets derived from it
 * always, a deposit wallet unless only the operator may bind those. It opens only if the order is
 * accepted, so a refused order binds no address. Without play money no first order is accepted;
 * then the operator, or a key of the address itself, opens every account.
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
