/**
 * The authentication of routes in the document: one scheme for each header, and the headers that
 * each kind of authentication needs together (wire 2.2, 2.4, 2.6).
 */
import type { Auth } from '../api/index.ts';
import securitySchemes from './openapi/security-schemes.json' with { type: 'json' };
import type { JsonObject } from './schema.ts';

/** The headers with the prefix SERVICE_; the server reads KUEST_ and POLY_ too. */
const SECURITY_SCHEMES: JsonObject = securitySchemes;

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
  may_l2: [L2, {}],
  l2_of_builder: [L2, { ...L2, ...BUILDER }],
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
