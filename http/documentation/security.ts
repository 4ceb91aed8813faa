/**
 * The authentication of routes in the document: one scheme for each header, and the headers that
 * each kind of authentication needs together (wire 2.2, 2.4, 2.6).
 */
import type { Auth } from '../api/index.ts';
import type { JsonObject } from './schema.ts';

function header(name: string, description: string): JsonObject {
  return {
    type: 'apiKey',
    in: 'header',
    name,
    description,
  };
}

const HMAC =
  'HMAC-SHA256 under the base64url-decoded secret, over timestamp, method, path without the ' +
  'query, and body where there is one, with nothing in between; as base64url, base64 or hex';

/** The headers with the prefix SERVICE_; the server reads KUEST_ and POLY_ too. */
const SECURITY_SCHEMES: JsonObject = {
  address: header('SERVICE_ADDRESS', 'Your wallet: EIP-55 checksummed, or all lower case'),
  timestamp: header('SERVICE_TIMESTAMP', 'Unix time in seconds or milliseconds'),
  nonce: header('SERVICE_NONCE', 'The number of the API key: a decimal uint256, 0 by default'),
  walletSignature: header(
    'SERVICE_SIGNATURE',
    "The wallet's EIP-712 signature of ClobAuth: address, timestamp, nonce and the fixed message",
  ),
  apiKey: header('SERVICE_API_KEY', 'The API key, a UUID'),
  passphrase: header('SERVICE_PASSPHRASE', 'Its passphrase, 64 hex digits'),
  requestSignature: header('SERVICE_SIGNATURE', HMAC),
  builderApiKey: header('SERVICE_BUILDER_API_KEY', 'A builder key, a UUID'),
  builderTimestamp: header('SERVICE_BUILDER_TIMESTAMP', 'Unix time in seconds or milliseconds'),
  builderPassphrase: header('SERVICE_BUILDER_PASSPHRASE', 'Its passphrase, 64 hex digits'),
  builderSignature: header('SERVICE_BUILDER_SIGNATURE', HMAC),
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: "The operator's token, on the operator's own listener alone",
  },
};

function all(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, []]));
}

const L1 = all('address', 'timestamp', 'nonce', 'walletSignature');
const L2 = all('address', 'apiKey', 'passphrase', 'timestamp', 'requestSignature');
const BUILDER = all('builderApiKey', 'builderTimestamp', 'builderPassphrase', 'builderSignature');

/** The alternatives of each kind; an empty one needs no header. */
const REQUIREMENTS: Readonly<Record<Auth, readonly JsonObject[]>> = {
  none: [],
  l1: [L1],
  l2: [L2],
  builder: [BUILDER, L2],
  may_builder: [BUILDER, {}],
  operator: [all('operatorToken')],
};

export function securityOf(auth: Auth): readonly JsonObject[] {
  return REQUIREMENTS[auth];
}

/** The schemes of routes of these kinds. */
export function schemesOf(kinds: Iterable<Auth>): JsonObject {
  const names = new Set([...kinds].flatMap((auth) => securityOf(auth).flatMap(Object.keys)));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => names.has(name)));
}
