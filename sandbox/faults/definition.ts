/** Reads a request for a fault: the schema of each kind, and the checks beyond it. */
import { strict as assert } from 'node:assert';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { compileCheck } from '../../http/api/index.ts';
import { closestWord } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { onlySet } from '../../http/parameters/index.ts';
import { addressIn, type Registry } from '../../http/views/index.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import type { FaultDefinition } from './fault.ts';
import type { FaultKind } from './kind.ts';
import { FAULT_KINDS } from './kinds.ts';
import type { FaultMatch } from './match.ts';

const MATCH = {
  api_key: Type.String({ description: 'An API key that was issued' }),
  account: Type.String({ description: 'The account of an order, or of the caller' }),
  owner: Type.String({ description: 'The address that signs' }),
  market: Type.String({ description: 'A condition id' }),
  method: Type.Enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: Type.String({
    pattern: '^/[^\\s?#]*$',
    maxLength: FAULT_BOUNDS.pathCharacters,
    description: 'A path such as /order, or the path of a route such as /data/order/{id}',
  }),
} as const;

const SOCKET_MATCH = {
  ...MATCH,
  user_agent: Type.String({
    maxLength: FAULT_BOUNDS.pathCharacters,
    description: "Part of the socket's User-Agent, in any case: node, Python, Mozilla",
  }),
} as const;

type MatchRequest = Partial<Static<Type.TObject<typeof SOCKET_MATCH>>>;

function matchKeys({ meetsSockets }: FaultKind): typeof MATCH | typeof SOCKET_MATCH {
  return meetsSockets ? SOCKET_MATCH : MATCH;
}

/** The keys of every fault. */
const SHARED = {
  probability: Type.Number({
    minimum: 1e-6,
    maximum: 1,
    default: 1,
    description: 'The share of matches for which it fires',
  }),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FAULT_BOUNDS.firings,
      description: 'How often it fires; the table of kinds has the defaults',
    }),
  ),
  skip: Type.Integer({
    minimum: 0,
    maximum: FAULT_BOUNDS.firings,
    default: 0,
    description: 'How many matches pass before it may fire: 2 for the third one',
  }),
  seed: Type.Integer({
    minimum: 0,
    maximum: 0xffff_ffff,
    default: 1,
    description: 'For `probability`: the same seed and requests give the same firings',
  }),
  after_seconds: Type.Number({
    minimum: 0,
    maximum: FAULT_BOUNDS.seconds,
    default: 0,
    description: "When it begins, by the exchange's clock",
  }),
  for_seconds: Type.Optional(
    Type.Number({
      minimum: 1e-3,
      maximum: FAULT_BOUNDS.seconds,
      description: "How long it lasts, by the exchange's clock; without it until it is removed",
    }),
  ),
} as const;

/** As in a request: what has a default may be left out. */
function withDefaultsOptional(properties: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      'default' in schema ? Type.Optional(schema) : schema,
    ]),
  );
}

function bodyOf(kind: FaultKind): Type.TObject {
  const { for_seconds, ...rest } = SHARED;
  const match = Type.Optional(
    Type.Partial(Type.Object(matchKeys(kind)), {
      description: 'What it is for: all of these must agree; without any, everything',
    }),
  );
  const shared =
    kind.secondsOf === undefined ? { match, ...rest, for_seconds } : { match, ...rest };
  return Type.Object(
    { kind: Type.Literal(kind.name), ...withDefaultsOptional({ ...shared, ...kind.parameters }) },
    { additionalProperties: false, description: kind.summary },
  );
}

const SCHEMAS = new Map(FAULT_KINDS.map((kind) => [kind.name, { kind, schema: bodyOf(kind) }]));

/** The body of `POST /faults`, for the documentation. */
export const FaultRequest = Type.Union([...SCHEMAS.values()].map(({ schema }) => schema));

/** Checks that were compiled. All at once would take tens of milliseconds of each start. */
const compiled = new Map<string, (body: unknown) => unknown>();

function checkOf(name: string, schema: TSchema): (body: unknown) => unknown {
  const check = compiled.get(name) ?? compileCheck(schema, 'invalid_payload');
  compiled.set(name, check);
  return check;
}

const KIND = Type.Object({ kind: Type.Enum([...SCHEMAS.keys()]) });

/** Throws for a body that is no object or names no kind. */
function kindIn(body: unknown) {
  checkOf('', KIND)(body);
  // Safe: the check accepts only an object with one of these names.
  const { kind: name } = body as Static<typeof KIND>;
  const found = SCHEMAS.get(name);
  assert(found !== undefined, 'the schema accepts only names of kinds');
  return { ...found, check: checkOf(name, found.schema) };
}

/** Refuses a key that the kind does not have: a fault with a misspelt key would not do as told. */
function refuseUnknown(
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place = '',
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ApiError('invalid_payload', {
    field: `${place}${unknown}`,
    limit: known.join(', '),
    actual: echo(given[unknown]),
    reason: `no such key; the nearest is ${closestWord(unknown, known)}`,
  });
}

type Views = Pick<Registry, 'market' | 'apiKey'>;

function matchIn(given: MatchRequest, kind: FaultKind, views: Views): FaultMatch {
  refuseUnknown(given, Object.keys(matchKeys(kind)), 'match.');
  const { api_key: apiKey, account, owner, method, path, user_agent: userAgent } = given;
  const market = given.market?.toLowerCase();
  if (market !== undefined && views.market(market) === undefined) {
    throw new ApiError('market_not_found', { field: 'match.market', actual: echo(given.market) });
  }
  if (apiKey !== undefined && views.apiKey(apiKey) === undefined) {
    throw new ApiError('api_key_unknown', { field: 'match.api_key', actual: echo(apiKey) });
  }
  return onlySet({
    apiKey,
    account: account === undefined ? undefined : addressIn('match.account', account),
    owner: owner === undefined ? undefined : addressIn('match.owner', owner),
    market,
    method,
    path,
    userAgent: userAgent?.toLowerCase(),
  });
}

/** The values of these properties, with the defaults of their schemas. */
function filled(
  properties: TProperties,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    body[name] ?? ('default' in schema ? schema.default : undefined),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Throws the `ApiError` of the first fault of the body. */
export function definitionIn(body: unknown, views: Views): FaultDefinition {
  const { kind, schema, check } = kindIn(body);
  // Safe: `kindIn` accepts objects only.
  refuseUnknown(body as Readonly<Record<string, unknown>>, Object.keys(schema.properties));
  // Safe: the schema of the kind has the keys of `SHARED`, and those of `matchKeys` in `match`.
  const given = check(body) as Readonly<Record<string, unknown>> & {
    readonly match?: MatchRequest;
  };
  const shared = filled(SHARED, given) as Static<Type.TObject<typeof SHARED>>;
  const parameters = filled(kind.parameters, given);
  return {
    kind,
    match: matchIn(given.match ?? {}, kind, views),
    probability: shared.probability,
    count: shared.count ?? kind.defaultCount,
    skip: shared.skip,
    seed: shared.seed,
    afterSeconds: shared.after_seconds,
    forSeconds: kind.secondsOf?.(parameters) ?? shared.for_seconds,
    parameters,
  };
}
