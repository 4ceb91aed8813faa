/**
 * What a client asks of the user channel (wire 7.1), read from its message.
 *
 * Invariant: as in market-request.ts, whose fields these are; an owner is never read: whoever
 * sends a message is who its credentials say.
 */
import type { ClientMessage } from '../delivery/index.ts';
import { StreamError } from '../delivery/index.ts';
import { readSubscription, type SubscriptionRequest } from '../market/index.ts';

export interface UserCredentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface UserRequest extends SubscriptionRequest {
  /** Undefined where it came without. */
  readonly credentials: UserCredentials | undefined;
}

/** Throws `StreamError`. */
export function readUserRequest(message: ClientMessage): UserRequest {
  return {
    ...readSubscription(message, 'user'),
    credentials: credentialsIn(message.auth),
  };
}

function credentialsIn(auth: unknown): UserCredentials | undefined {
  if (auth === undefined || auth === null) return undefined;
  if (typeof auth !== 'object') {
    throw new StreamError('field_malformed', { field: 'auth', expected: 'an object' });
  }
  const texts = new Map(Object.entries(auth).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    // A UUID is the same in either case (RFC 9562).
    apiKey: textOf(texts.get('apikey')).toLowerCase(),
    secret: textOf(texts.get('secret')),
    passphrase: textOf(texts.get('passphrase')),
  };
}

/** What is missing is as wrong as what is not right. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
