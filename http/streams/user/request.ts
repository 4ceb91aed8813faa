/**
 * A client's message on the user channel (wire 7.1).
 *
 * Invariant: the owner is never read from a message; the credentials prove it.
 */
import type { Credentials } from '../../signing/credentials.ts';
import {
  type ClientMessage,
  malformed,
  readSubscription,
  type SubscriptionRequest,
} from '../delivery/subscription.ts';

export interface UserRequest extends SubscriptionRequest {
  /** Undefined in a message without `auth`. */
  readonly credentials: Credentials | undefined;
}

/** Throws `StreamError`. */
export function readUserRequest(message: ClientMessage): UserRequest {
  return {
    ...readSubscription(message, 'user'),
    credentials: credentialsIn(message.auth),
  };
}

function credentialsIn(auth: unknown): Credentials | undefined {
  if (auth === undefined || auth === null) return undefined;
  if (typeof auth !== 'object') return malformed('auth', 'an object');
  const texts = new Map(Object.entries(auth).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    // A UUID is the same in either case (RFC 9562).
    apiKey: textOf(texts.get('apikey')).toLowerCase(),
    secret: textOf(texts.get('secret')),
    passphrase: textOf(texts.get('passphrase')),
  };
}

/** '' for a missing value, which then fails like any wrong text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
