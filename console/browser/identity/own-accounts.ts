/** The accounts of who is signed in, as the user channel tells them. */
import { pageStreams } from '../streams/index.ts';
import { session } from './open-session.ts';

/** In lower case: the own address, then proxy wallets, Safes and deposit wallets. */
export function ownAccounts(): readonly string[] {
  const identity = session.identity.value;
  if (identity.kind === 'none') return [];
  const balances = [...pageStreams().user.balances.value.values()];
  const accounts = balances.map(({ address }) => address.toLowerCase());
  return [...new Set([identity.address.toLowerCase(), ...accounts])];
}
