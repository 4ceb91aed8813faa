/** The wallets of an owner that the published clients of the public venue derive. */
import { DEFAULT_WALLETS, walletsOf } from '../http/signing/wallets.ts';

function firstOf(kind: 'proxy' | 'safe' | 'deposit', owner: string): string {
  const [first = ''] = walletsOf(DEFAULT_WALLETS, kind, owner);
  return first;
}

export function proxyWallet(owner: string): string {
  return firstOf('proxy', owner);
}

export function safeWallet(owner: string): string {
  return firstOf('safe', owner);
}

export function depositWallet(owner: string): string {
  return firstOf('deposit', owner);
}
