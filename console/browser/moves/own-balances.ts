/** What an own account has, as the user channel tells it. */
import { balanceName, type OwnBalance, pageStreams } from '../streams/index.ts';

/** Free cash, and what live orders hold; undefined while the user channel has not told. */
export function cashOf(account: string): OwnBalance | undefined {
  return pageStreams().user.balances.value.get(balanceName(account, ''));
}

const BASE_UNITS_PER_LOT = 10_000;

/** The tokens of a balance that no order holds. */
export function freeLotsOf({ available }: OwnBalance): number {
  return Number(available) / BASE_UNITS_PER_LOT;
}

/** The free tokens of an own account. */
export function freeLots(account: string, tokenId: string): number {
  const balance = pageStreams().user.balances.value.get(balanceName(account, tokenId));
  return balance === undefined ? 0 : freeLotsOf(balance);
}
