/**
 * Query parameters of the public documents of the venues, by path: documented-parameters.json.
 * Each is one of these: a parameter of the route's schema; `refused`, because ignoring it would
 * answer another question than the client's; or in `noEffect`, because every answer of this
 * exchange has what it asks for. A test compares the table with the routes.
 *
 * A parameter that no document knows is ignored, and a header of the answer names it (wire 0.7).
 * Bound: the header names `HEADER.names` parameters of `HEADER.characters` each.
 */
import type { HeaderList } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import table from './documented-parameters.json' with { type: 'json' };
import type { RouteDefinition } from './route.ts';

interface DocumentedParameters {
  readonly documented: readonly string[];
  /** Why the exchange refuses the parameter, by its name. */
  readonly refused: Readonly<Record<string, string>>;
  /** Why the parameter changes nothing, by its name. */
  readonly noEffect: Readonly<Record<string, string>>;
}

export const DOCUMENTED_PARAMETERS: Readonly<Record<string, DocumentedParameters>> = table;

/** Values by which a client asks for nothing: they are accepted for a refused parameter. */
const NOTHING_ASKED: ReadonlySet<string> = new Set(['', '0', 'false']);
/** Other values ask for what is done anyway. In lower case. */
const DEFAULTS: Readonly<Record<string, ReadonlySet<string>>> = {
  keep_closed_markets: new Set(['', '1', 'true']),
  decimalized: new Set(['', '1', 'true']),
  tag_match: new Set(['', 'any']),
  order: new Set(['', 'createdat', 'created_at']),
};

const HEADER = { name: 'x-ignored-parameters', names: 10, characters: 40 } as const;

type Parameters = ReadonlyMap<string, readonly string[]>;

/** The header that names ignored parameters; none if there are none. */
export function ignoredHeader(names: readonly string[]): HeaderList {
  if (names.length === 0) return [];
  const shown = names
    .slice(0, HEADER.names)
    .map((name) => name.slice(0, HEADER.characters).replaceAll(/[^\w.[\]-]/g, '?'));
  if (names.length > HEADER.names) shown.push('...');
  return [[HEADER.name, shown.join(', ')]];
}

/**
 * Checks the names of a query's parameters. The check throws `parameter_not_served` for one that
 * the route refuses, and returns the names of those that the route ignores.
 */
export function nameChecker({
  method,
  path,
  auth,
  query,
  documentedQuery = query,
}: RouteDefinition): (parameters: Parameters) => readonly string[] {
  // Paths of the operator's listener are others than those of the public documents.
  const isPublic = method === 'GET' && auth !== 'operator';
  const { refused = {}, noEffect = {} } = (isPublic && DOCUMENTED_PARAMETERS[path]) || {};
  const properties: object = Object(documentedQuery).properties ?? {};
  const own = Object(query).properties ?? {};
  const known = new Set([
    ...Object.keys(properties),
    ...Object.keys(own),
    ...Object.keys(noEffect),
  ]);
  const reasons = new Map(Object.entries(refused));
  return (parameters) => {
    const ignored: string[] = [];
    for (const [name, values] of parameters) {
      if (known.has(name)) continue;
      const reason = reasons.get(name);
      if (reason === undefined) ignored.push(name);
      else refuseUnlessEmpty(name, values, reason);
    }
    return ignored;
  };
}

function refuseUnlessEmpty(name: string, values: readonly string[], reason: string): void {
  const accepted = DEFAULTS[name] ?? NOTHING_ASKED;
  const actual = values.find((value) => !accepted.has(value.toLowerCase()));
  if (actual === undefined) return;
  throw new ApiError('parameter_not_served', { field: name, reason, actual: echo(actual) });
}
