/**
 * The user channel of the page: it follows the account that is signed in, and knows its accounts.
 *
 * Invariant: the channel never has the credentials of an account that has left.
 */

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { pageStreams } from '../streams/streams.ts';
import { session } from './facts.ts';
import type { Identity } from './session.ts';

const failure = signal<unknown>(undefined);

/** Why the account has no channel, such as a wallet's refusal to sign; undefined for nothing. */
export const ownChannelFailure: ReadonlySignal<unknown> = failure;

async function follow(identity: Identity): Promise<void> {
  failure.value = undefined;
  const isGone = (): boolean => session.identity.peek() !== identity;
  try {
    const credentials = await session.credentials();
    if (!isGone()) pageStreams().user.signIn(credentials);
  } catch (fault) {
    if (!isGone()) failure.value = fault;
  }
}

/** Asks for the credentials again, after it failed. */
export function retryOwnChannel(): void {
  void follow(session.identity.peek());
}

/** Called once by a page. */
export function startOwnChannel(): void {
  effect(() => {
    const identity = session.identity.value;
    pageStreams().user.signOut();
    if (identity.kind !== 'none') void follow(identity);
  });
}

/** In lower case: the own address, then proxy wallets, Safes and deposit wallets. */
export function ownAccounts(): readonly string[] {
  const identity = session.identity.value;
  if (identity.kind === 'none') return [];
  const balances = [...pageStreams().user.balances.value.values()];
  const accounts = balances.map(({ address }) => address.toLowerCase());
  return [...new Set([identity.address.toLowerCase(), ...accounts])];
}
