/** Headers of requests and answers, in the forms that several rooms share. */

/**
 * Parses the base URL of another server: an HTTP or HTTPS URL without user name, password, query
 * and fragment. Returns undefined for any other text.
 */
export function parseBaseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isHttp && isPlain && url.search === '' ? url : undefined;
}

/** Names, in lower case, and values of headers that an answer carries. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The prefix of the auth headers of a request (wire 0.2). */
export type HeaderPrefix = 'SERVICE' | 'KUEST' | 'POLY';

export const HEADER_PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];

/**
 * The dialect of an answer (wire 0.14): which of the two public venues of the family it follows
 * where they differ. The family of a request's auth headers decides, and without them the profile.
 */
export type Dialect = 'kuest' | 'polymarket';

export const DIALECTS: readonly Dialect[] = ['kuest', 'polymarket'];

/** What most published clients expect (docs/decisions/0030-dialects.md). */
export const DEFAULT_DIALECT: Dialect = 'polymarket';

/** The dialect of clients that send auth headers with this prefix. */
export function dialectOf(prefix: HeaderPrefix): Dialect {
  return prefix === 'POLY' ? 'polymarket' : 'kuest';
}
