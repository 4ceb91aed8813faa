/**
 * The auth headers (wire 0.2, 2.2, 2.4, 2.6). A name is a prefix and a part, case-insensitive.
 * Builder headers have BUILDER_ between the two, so that a request can have both kinds.
 *
 * Invariant: all headers of one request are read with one prefix: that of its address header, else
 * the first of the list that it uses.
 */
import { type Dialect, dialectOf, HEADER_PREFIXES, type HeaderPrefix } from '../codec/index.ts';
import type { Auth } from './request.ts';

const AUTH_PARTS = ['API_KEY', 'ADDRESS', 'PASSPHRASE', 'TIMESTAMP', 'SIGNATURE', 'NONCE'] as const;
export type AuthPart = (typeof AUTH_PARTS)[number];
/** A builder key needs no address. */
const BUILDER_PARTS = ['API_KEY', 'PASSPHRASE', 'TIMESTAMP', 'SIGNATURE'] as const;

/** The auth headers of a request; an absent one is ''. */
export interface AuthHeaders {
  /** The first of the list where no auth headers came. */
  readonly prefix: HeaderPrefix;
  /** That of their family; undefined where none came. */
  readonly dialect: Dialect | undefined;
  /** Whether the values are those of the builder headers. */
  readonly isBuilder: boolean;
  /** The Authorization header, on routes of the operator. */
  readonly authorization: string;
  readonly values: Readonly<Record<AuthPart, string>>;
  /** The builder headers beside these. */
  readonly builder?: AuthHeaders | undefined;
}

type NamesOfPrefix = Readonly<Record<AuthPart, string>>;

function byPart(textOf: (part: AuthPart) => string): NamesOfPrefix {
  return {
    API_KEY: textOf('API_KEY'),
    ADDRESS: textOf('ADDRESS'),
    PASSPHRASE: textOf('PASSPHRASE'),
    TIMESTAMP: textOf('TIMESTAMP'),
    SIGNATURE: textOf('SIGNATURE'),
    NONCE: textOf('NONCE'),
  };
}

/** In lower case, as the socket library looks them up. */
function namesOf(prefix: string): NamesOfPrefix {
  return byPart((part) => `${prefix}_${part}`.toLowerCase());
}

type NamedPrefix = readonly [HeaderPrefix, NamesOfPrefix];

const NAMES: readonly NamedPrefix[] = HEADER_PREFIXES.map((prefix) => [prefix, namesOf(prefix)]);
const BUILDER_NAMES: readonly NamedPrefix[] = HEADER_PREFIXES.map((prefix) => [
  prefix,
  namesOf(`${prefix}_BUILDER`),
]);
export const NO_AUTH_HEADERS: AuthHeaders = {
  prefix: 'SERVICE',
  dialect: undefined,
  isBuilder: false,
  authorization: '',
  values: byPart(() => ''),
};

/** Returns a header by its lower-case name; '' if it is absent. */
type ReadHeader = (name: string) => string;

/** Whether a request has none of the headers that were read. */
export function hasNoHeaders({ values }: AuthHeaders): boolean {
  return AUTH_PARTS.every((part) => values[part] === '');
}

/** The name of a header in an error. */
export function headerName({ prefix, isBuilder }: AuthHeaders, part: string): string {
  return `${prefix}_${isBuilder ? 'BUILDER_' : ''}${part}`;
}

/** The prefix of the address header; without one, the first prefix of any header. */
function prefixOf(header: ReadHeader): NamedPrefix | undefined {
  return (
    NAMES.find(([, names]) => header(names.ADDRESS) !== '') ??
    NAMES.find(([, names]) => AUTH_PARTS.some((part) => header(names[part]) !== ''))
  );
}

function readPlain(header: ReadHeader): AuthHeaders {
  const found = prefixOf(header);
  return found === undefined ? NO_AUTH_HEADERS : readNamed(found, AUTH_PARTS, header);
}

/** The part that names a builder. */
const ONLY_KEY = ['API_KEY'] as const;

/** The builder headers; undefined if the request has none of these parts. */
function readBuilder(
  header: ReadHeader,
  parts: readonly AuthPart[] = BUILDER_PARTS,
): AuthHeaders | undefined {
  const found = BUILDER_NAMES.find(([, names]) => parts.some((part) => header(names[part]) !== ''));
  return found && { ...readNamed(found, BUILDER_PARTS, header), isBuilder: true };
}

/** Reads these parts; the others are ''. */
function readNamed(
  [prefix, names]: NamedPrefix,
  parts: readonly AuthPart[],
  header: ReadHeader,
): AuthHeaders {
  const values = byPart((part) => (parts.includes(part) ? header(names[part]) : ''));
  // A UUID is case-insensitive (RFC 9562).
  const API_KEY = values.API_KEY.toLowerCase();
  const dialect = dialectOf(prefix);
  return { prefix, dialect, isBuilder: false, authorization: '', values: { ...values, API_KEY } };
}

/**
 * The dialect that an address header asks for on a public route, whose other auth headers nothing
 * reads; undefined without one.
 */
export function readDialect(header: ReadHeader): Dialect | undefined {
  const found = NAMES.find(([, names]) => header(names.ADDRESS) !== '');
  return found && dialectOf(found[0]);
}

/** Reads the headers of a kind of authentication. */
export function readAuthHeaders(auth: Auth, header: ReadHeader): AuthHeaders {
  switch (auth) {
    case 'none':
      return NO_AUTH_HEADERS;
    case 'operator':
      return { ...NO_AUTH_HEADERS, authorization: header('authorization') };
    case 'builder':
    case 'may_builder':
      return readBuilder(header) ?? readPlain(header);
    case 'l2_of_builder':
      // Each look-up costs 0.25 us, and most orders have no builder headers.
      return { ...readPlain(header), builder: readBuilder(header, ONLY_KEY) };
    case 'l1':
    case 'l2':
    case 'may_l2':
      return readPlain(header);
  }
}
