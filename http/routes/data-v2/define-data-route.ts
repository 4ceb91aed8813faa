/**
 * Defines a route of Data API v2 (wire 8.8): a public GET whose answer is `{data}`, or
 * `{data, pagination}` for a list of pages. Every parameter has its snake_case name and the same in
 * camelCase.
 *
 * A page is named by a cursor, never by an offset. A cursor is typed for its route and holds the
 * filters of its first page, the length of the pages and the place after the last row. A filter
 * that is sent with a cursor must say the same as on the first page; one that is left out is the
 * cursor's. Invariant: rows that come or go between two pages neither repeat nor hide others.
 * Bound: DATA_BOUNDS.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { RowPlace } from '../../../persistence/index.ts';
import { compileCheck, RawReply, type RequestInfo } from '../../api/index.ts';
import { ApiError, DataFailure, echo } from '../../errors/index.ts';
import { hashIn, MIN_SEQ, refuseLaterSeq, userIn } from '../../parameters/index.ts';
import type { Route, Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';
import { explainTooWide } from '../analytics/index.ts';

export const DATA_BOUNDS = {
  /** Rows of a page. Error: `invalid_request`. */
  page: { limit: 1_000, defaultLimit: 100 },
  /** Distinct conditions, or events, of one request. Error: `invalid_request`. */
  selectors: 20,
  /** Characters of a title filter. Error: `invalid_request`. */
  titleCharacters: 200,
} as const;

export const User = Type.Optional(
  Type.String({ description: 'Address of an account: 0x and 40 hex digits in any case' }),
);
export const Conditions = Type.Optional(
  Type.Array(Type.String(), {
    description: `Condition ids, separated by commas; at most ${DATA_BOUNDS.selectors} distinct`,
  }),
);
export const Events = Type.Optional(
  Type.Array(Type.Integer({ minimum: 1 }), {
    description: `Ids of events, separated by commas; at most ${DATA_BOUNDS.selectors} distinct`,
  }),
);
export const Seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799, description }));

export function refuse(field: string, limit: unknown, actual: unknown): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

/** What a list shows of its pages. */
export const DataPagination = Type.Object({
  limit: Type.Integer({ description: 'Rows of a page' }),
  offset: Type.Integer({ description: 'Rows before this page' }),
  has_more: Type.Boolean({ description: 'Whether a row follows this page' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Send it as `cursor` for the next page; null on the last one',
  }),
});

const PAGING = {
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before' })),
};

const OTHERS = { offset: Type.Optional(Type.String()), ...MIN_SEQ };

/** Further names of parameters, besides those in camelCase. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  condition: ['condition_id', 'conditionId'],
};

type Aliases = Readonly<Record<string, readonly string[]>>;

function spellingsOf(name: string, aliases: Aliases): readonly string[] {
  const camelCase = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const further = [...(ALIASES[name] ?? []), ...(aliases[name] ?? [])];
  return camelCase === name ? further : [camelCase, ...further];
}

function withSpellings(properties: TProperties, aliases: Aliases): TProperties {
  const others = Object.entries(properties).flatMap(([name, property]) =>
    spellingsOf(name, aliases).map((other) => [other, property]),
  );
  return { ...properties, ...Object.fromEntries(others) };
}

type Filters = Readonly<Record<string, unknown>>;

/** The given parameters by their own names. Throws for two spellings that differ. */
function inOneSpelling(query: Filters, names: readonly string[], aliases: Aliases): Filters {
  const entries = names.flatMap((name) => {
    const spellings = [name, ...spellingsOf(name, aliases)];
    const given = spellings.filter((one) => !isEmpty(query[one]));
    const [first = name, ...others] = given;
    const differs = others.find((other) => !isDeepStrictEqual(query[other], query[first]));
    if (differs !== undefined) refuse(differs, `the same as ${first}`, query[differs]);
    return given.length === 0 ? [] : [[name, ownForm(name, query[first])] as const];
  });
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value as cursors hold it, whatever the case or order in which it was sent. */
function ownForm(name: string, value: unknown): unknown {
  if (name === 'user') return userIn(String(value));
  if (!Array.isArray(value)) return value;
  const items = name === 'condition' ? value.map((id) => hashIn(String(id), name)) : value;
  const distinct = new Set<unknown>(items);
  const most = DATA_BOUNDS.selectors;
  if (distinct.size > most) refuse(name, `at most ${most} distinct values`, distinct.size);
  return [...distinct].sort();
}

interface Token {
  readonly filters: Filters;
  readonly limit: number;
  /** Rows before the place. */
  readonly count: number;
  readonly place: RowPlace;
}

/** Characters of a digest that tells our own cursors from all other texts. */
const DIGEST = 16;

/** Bytes of what a cursor holds; our own have a quarter of it. */
const maxOutputLength = 16_384;

function digestOf(path: string, content: string): string {
  const hash = createHash('sha256').update(`outcome-exchange/data-v2${path} ${content}`);
  return hash.digest('base64url').slice(0, DIGEST);
}

function cursorText(path: string, { filters, limit, count, place }: Token): string {
  const json = JSON.stringify([filters, limit, count, place]);
  // Compressed: a request line has room for 20 conditions and a cursor that holds them.
  const content = deflateRawSync(json).toString('base64url');
  return `${digestOf(path, content)}${content}`;
}

/** A place has a few numbers, ids and names; that of holders two numbers for each token. */
const Place = Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 512 })]), {
  maxItems: 4 * DATA_BOUNDS.selectors,
});

/**
 * Reads cursors of a route. The digest finds those of other routes and mistakes, but anyone can
 * make it, so what a cursor holds is checked as what a client sends. The reader throws
 * `invalid_parameter` for a text that is no cursor of the route.
 */
function tokenReader(path: string, filters: TProperties, mostRows: number) {
  const limit = Type.Integer({ minimum: 1, maximum: mostRows });
  const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  const parts = { filters: Type.Object(filters), limit, count, place: Place };
  const check = compileCheck(Type.Object(parts), 'invalid_parameter');
  return (cursor: string): Token => {
    const content = cursor.slice(DIGEST);
    const none = (): never => refuse('cursor', `a next_cursor of GET ${path}`, cursor);
    if (cursor.slice(0, DIGEST) !== digestOf(path, content)) return none();
    try {
      const bytes = inflateRawSync(Buffer.from(content, 'base64url'), { maxOutputLength });
      const parsed: unknown = JSON.parse(bytes.toString());
      if (!Array.isArray(parsed)) return none();
      const [given, ...others] = parsed;
      const token = check({ filters: given, limit: others[0], count: others[1], place: others[2] });
      const known = Object.entries(token.filters).filter(([name]) => Object.hasOwn(filters, name));
      const own = known.map(([name, value]) => [name, ownForm(name, value)] as const);
      return { ...token, filters: Object.fromEntries(own) };
    } catch {
      return none();
    }
  };
}

/** Throws for a parameter that contradicts the cursor. */
function refuseOthers(now: Filters, then: Filters): void {
  for (const name of Object.keys({ ...now, ...then })) {
    if (isDeepStrictEqual(now[name], then[name])) continue;
    refuse(name, `as on the cursor's first page: ${JSON.stringify(then[name] ?? null)}`, now[name]);
  }
}

export interface DataAnswer {
  /** Text, or bytes in UTF-8. */
  readonly json: string | Uint8Array;
  /** The last change that it shows, where it is known. */
  readonly seq?: number;
  readonly next?: RowPlace | undefined;
}

const DATA = Buffer.from('{"data":');

function bytesOf(json: string | Uint8Array): Uint8Array {
  return typeof json === 'string' ? Buffer.from(json) : json;
}

export interface PageAsked {
  readonly limit: number;
  readonly place: RowPlace | undefined;
}

type Needed = Pick<Services, 'exchange' | 'registry' | 'settings' | 'health'>;

export interface DataContext {
  readonly services: Needed;
  readonly request: RequestInfo;
}

interface Definition<Properties extends TProperties, Path extends string> {
  readonly path: Path;
  readonly summary: string;
  readonly query: Properties;
  readonly aliases?: Aliases;
  /** Of these parameters one is required, also with a cursor. */
  readonly anchors?: readonly (keyof Properties & string)[];
  /** The schema of a row, or of `data` where there are no pages. */
  readonly row: TSchema;
  /** The parameter with which `data` is one such record or null, without pages. */
  readonly ofOne?: { readonly name: keyof Properties & string; readonly row: TSchema };
  /** The bounds of its pages; absent for an answer without pages. */
  readonly page?: { readonly limit: number; readonly defaultLimit: number };
  /** Fills in defaults, and throws for parameters that exclude each other. */
  complete?(
    query: Static<ReturnType<typeof Type.Object<Properties>>>,
  ): Static<ReturnType<typeof Type.Object<Properties>>>;
  read(
    query: Static<ReturnType<typeof Type.Object<Properties>>>,
    context: DataContext & { readonly page: PageAsked },
  ): DataAnswer | Promise<DataAnswer>;
}

export function defineDataRoute<Properties extends TProperties, const Path extends string>({
  path,
  summary,
  query: properties,
  aliases = {},
  anchors = [],
  row,
  page,
  ofOne,
  complete = (query) => query,
  read,
}: Definition<Properties, Path>): Route {
  type Query = Parameters<typeof read>[0];
  const names = Object.keys(properties);
  const most = page?.limit ?? 1;
  const limit = Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: 'Rows of a page, without a cursor' }),
  );
  const paging = page === undefined ? {} : { limit, ...PAGING };
  const query = Type.Object({ ...withSpellings(properties, aliases), ...paging, ...OTHERS });
  const whole = Type.Object(
    page === undefined ? { data: row } : { data: Type.Array(row), pagination: DataPagination },
  );
  const one = Type.Object({ data: Type.Union([ofOne?.row ?? row, Type.Null()]) });
  const readToken = tokenReader(path, properties, most);
  const completed = (given: Filters): Filters => {
    // Safe: the schema checked each value, and `ownForm` keeps its type.
    const { ...filters } = complete(given as Query) as Filters;
    return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  };
  return defineRoute({
    path,
    summary,
    method: 'GET',
    auth: 'none',
    showsPictures: true,
    query,
    documentedQuery: Type.Object({ ...properties, ...paging, ...MIN_SEQ }),
    response: ofOne === undefined ? whole : Type.Union([whole, one]),
    failure: DataFailure,
    needs: ['exchange', 'registry', 'settings', 'health'],
    handler: async ({ query, request, services }) => {
      // Safe: the schema has these members.
      const asked = query as Filters & { limit?: number; cursor?: string; min_seq?: number };
      if (asked.offset !== undefined) refuse('offset', 'cursor: pages follow it', asked.offset);
      refuseLaterSeq(asked.min_seq, services.exchange.appliedSeq);
      const given = inOneSpelling(asked, names, aliases);
      if (anchors.length > 0 && anchors.every((name) => given[name] === undefined)) {
        throw new ApiError('missing_field', { field: anchors.join(' or ') });
      }
      const token = isEmpty(asked.cursor) ? undefined : readToken(`${asked.cursor}`);
      const filters = completed({ ...token?.filters, ...given });
      if (token !== undefined) refuseOthers(filters, token.filters);
      const length = token?.limit ?? asked.limit ?? page?.defaultLimit ?? 1;
      const context = { services, request, page: { limit: length, place: token?.place } };
      const answer = await Promise.resolve(read(filters as Query, context)).catch(explainTooWide);
      const headers: [string, string][] =
        answer.seq === undefined ? [] : [['x-seq', `${answer.seq}`]];
      const count = token?.count ?? 0;
      const isOne = ofOne !== undefined && filters[ofOne.name] !== undefined;
      const shown =
        page === undefined || isOne ? '' : paginationText(path, { answer, filters, length, count });
      const bytes = Buffer.concat([DATA, bytesOf(answer.json), Buffer.from(`${shown}}`)]);
      return new RawReply(200, bytes, 'application/json', headers);
    },
  }) as unknown as Route; // Safe: a route of any table; its own types stay inside.
}

interface Shown {
  readonly answer: DataAnswer;
  readonly filters: Filters;
  readonly length: number;
  readonly count: number;
}

function paginationText(path: string, { answer, filters, length, count }: Shown): string {
  const { next } = answer;
  const after = { filters, limit: length, count: count + length };
  const cursor = next === undefined ? null : cursorText(path, { ...after, place: next });
  const shown = { limit: length, offset: count, has_more: next !== undefined, next_cursor: cursor };
  return `,"pagination":${JSON.stringify(shown)}`;
}
