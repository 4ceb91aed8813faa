/**
 * The names of the auth headers (wire 0.2, 2.2, 2.4): a prefix and a part, case-insensitive.
 *
 * Invariant: all headers of one request are read with one prefix, the first of the list that any
 * of them has.
 */
import type { Auth, HeaderPrefix } from '../route.ts';

export const HEADER_PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];

const AUTH_PARTS = ['API_KEY', 'ADDRESS', 'PASSPHRASE', 'TIMESTAMP', 'SIGNATURE', 'NONCE'] as const;
export type AuthPart = (typeof AUTH_PARTS)[number];

/** What came with a request; a header that is absent or empty is ''. */
export interface AuthHeaders {
  readonly prefix: HeaderPrefix;
  /** The Authorization header, on routes of the operator. */
  readonly authorization: string;
  readonly values: Readonly<Record<AuthPart, string>>;
}

type NamesOfPrefix = Readonly<Record<AuthPart, string>>;

/** Lower case, as the socket library looks them up; made once. */
const namesOf = (prefix: HeaderPrefix): NamesOfPrefix => {
  const name = (part: AuthPart): string => `${prefix}_${part}`.toLowerCase();
  return {
    API_KEY: name('API_KEY'),
    ADDRESS: name('ADDRESS'),
    PASSPHRASE: name('PASSPHRASE'),
    TIMESTAMP: name('TIMESTAMP'),
    SIGNATURE: name('SIGNATURE'),
    NONCE: name('NONCE'),
  };
};

const NAMES: readonly (readonly [HeaderPrefix, NamesOfPrefix])[] = HEADER_PREFIXES.map((prefix) => [
  prefix,
  namesOf(prefix),
]);
const NO_VALUES: AuthHeaders['values'] = {
  API_KEY: '',
  ADDRESS: '',
  PASSPHRASE: '',
  TIMESTAMP: '',
  SIGNATURE: '',
  NONCE: '',
};
/** Routes without these headers are worded as the service's own clients expect. */
export const NO_AUTH_HEADERS: AuthHeaders = {
  prefix: 'SERVICE',
  authorization: '',
  values: NO_VALUES,
};

/** The prefix whose address came; without an address, the first of which anything came. */
const prefixOf = (header: (name: string) => string): (typeof NAMES)[number] | undefined =>
  NAMES.find(([, names]) => header(names.ADDRESS) !== '') ??
  NAMES.find(([, names]) => AUTH_PARTS.some((part) => header(names[part]) !== ''));

/** Reads the headers that a kind of authentication uses. */
export const readAuthHeaders = (auth: Auth, header: (name: string) => string): AuthHeaders => {
  if (auth === 'none') return NO_AUTH_HEADERS;
  if (auth === 'operator') return { ...NO_AUTH_HEADERS, authorization: header('authorization') };
  const found = prefixOf(header);
  if (found === undefined) return NO_AUTH_HEADERS;
  const [prefix, names] = found;
  return {
    prefix,
    authorization: '',
    values: {
      API_KEY: header(names.API_KEY),
      ADDRESS: header(names.ADDRESS),
      PASSPHRASE: header(names.PASSPHRASE),
      TIMESTAMP: header(names.TIMESTAMP),
      SIGNATURE: header(names.SIGNATURE),
      NONCE: header(names.NONCE),
    },
  };
};
