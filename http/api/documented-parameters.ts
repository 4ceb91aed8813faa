/**
 * Query parameters of the public documents and sites of the venues, by path:
 * documented-parameters.json. A parameter of the route's schema is served. One that the schema
 * lacks has no effect if every answer of this exchange has what it asks for, or if the path's
 * answer is always empty. Any other is refused, because ignoring it would answer another question
 * than the client's; the table has the reasons by name.
 *
 * A parameter that no document knows is ignored, and a header of the answer names it (wire 0.7).
 * Bound: the header names `HEADER.names` parameters of `HEADER.characters` each.
 */
import type { HeaderList } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import table from './documented-parameters.json' with { type: 'json' };
import type { Parameters } from './query-string.ts';
import type { RouteDefinition } from './route.ts';

/** The names by path. */
export const DOCUMENTED_PARAMETERS: Readonly<Record<string, readonly string[]>> = table.paths;

const NO_EFFECT: ReadonlySet<string> = new Set(Object.keys(table.noEffect));
const ALWAYS_EMPTY: ReadonlySet<string> = new Set(table.alwaysEmpty);
const REASONS: ReadonlyMap<string, string> = new Map(Object.entries(table.refused));

/** What a documented parameter that the route does not serve does: nothing, or it is refused. */
export interface UnservedParameters {
  readonly noEffect: ReadonlySet<string>;
  /** The reason by name. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The documented parameters of a path that are not among those that its route serves. */
export function unservedParameters(path: string, served: ReadonlySet<string>): UnservedParameters {
  const others = (DOCUMENTED_PARAMETERS[path] ?? []).filter((name) => !served.has(name));
  const hasNone = (name: string): boolean => ALWAYS_EMPTY.has(path) || NO_EFFECT.has(name);
  const refused = others.filter((name) => !hasNone(name));
  return {
    noEffect: new Set(others.filter(hasNone)),
    refused: new Map(refused.map((name) => [name, REASONS.get(name) ?? 'it is not served here'])),
  };
}

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
  const names = [documentedQuery, query].flatMap((one) =>
    Object.keys(Object(one).properties ?? {}),
  );
  const known = new Set(names);
  // Paths of the operator's listener are others than those of the public documents.
  const isPublic = method === 'GET' && auth !== 'operator';
  const { noEffect, refused } = unservedParameters(isPublic ? path : '', known);
  return (parameters) => {
    const ignored: string[] = [];
    for (const [name, values] of parameters) {
      if (known.has(name) || noEffect.has(name)) continue;
      const reason = refused.get(name);
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
