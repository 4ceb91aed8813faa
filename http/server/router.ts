/**
 * Finds the route of a method and path.
 *
 * Invariant: no two routes have one method and path; a path without parameters wins over one with.
 * A path may have the prefix of a surface (wire 0.3), which is removed when no route fits with it.
 */
import { strict as assert } from 'node:assert';
import { Type } from 'typebox';
import {
  type Auth,
  compileRoute,
  type Method,
  type RouteChecks,
  type RouteDefinition,
  type Surface,
} from '../api/index.ts';

/** A route as the server keeps it: with its compiled schemas and the services of its handler. */
export interface Endpoint {
  readonly route: RouteDefinition;
  readonly checks: RouteChecks;
  /** Whether the route takes a body: its schema is not `NO_BODY`. */
  readonly takesBody: boolean;
  /** The services that the route names; empty until the listener is open. */
  services: object;
}

export function createEndpoint(route: RouteDefinition): Endpoint {
  const isPublicBatch = route.weight !== undefined && route.auth === 'none';
  assert(!isPublicBatch, 'a public route has no weight: it is counted before its body arrives');
  const takesBody = !Type.IsUnknown(route.body);
  return { route, checks: compileRoute(route), takesBody, services: {} };
}

/** Those who prove themselves by a secret that is cheap to check: a key or a token. */
const CHEAP_TO_CHECK: readonly Auth[] = [
  'l2',
  'may_l2',
  'l2_of_builder',
  'builder',
  'may_builder',
  'operator',
];

export function isCheapToCheck(auth: Auth): boolean {
  return CHEAP_TO_CHECK.includes(auth);
}

/** The surfaces that a path prefix may name (wire 0.3). */
const SURFACES: readonly Exclude<Surface, ''>[] = ['clob', 'gamma', 'data', 'data-api'];

/** Paths of Data API v2: answers have a trace id, and failures a form of their own. */
export const DATA_V2 = new RegExp(`^(?:/(?:${SURFACES.join('|')}))?/v2/`);

interface Entry<Target> {
  readonly path: string;
  readonly segments: readonly string[];
  readonly targets: Map<string, Target>;
}

export type Found<Target> =
  | {
      readonly kind: 'route';
      readonly target: Target;
      readonly params: Readonly<Record<string, string>>;
      /** The path without the prefix of a surface. */
      readonly path: string;
      readonly surface: Surface;
    }
  | { readonly kind: 'other_methods'; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing' };

const NO_PARAMS: Readonly<Record<string, string>> = {};

const MOST_NEAREST = 5;

/** The length of the common beginning of two texts. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').slice(1);
}
function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

export class Router<Target> {
  readonly #fixed = new Map<string, Entry<Target>>();
  readonly #patterns: Entry<Target>[] = [];

  add({ method, path }: Pick<RouteDefinition, 'method' | 'path'>, target: Target): void {
    const known = this.#fixed.get(path) ?? this.#patterns.find((entry) => entry.path === path);
    const entry = known ?? this.#open(path);
    assert(!entry.targets.has(method), `${method} ${path} is defined twice`);
    entry.targets.set(method, target);
  }

  find(method: string, path: string): Found<Target> {
    const found = this.#match(method, path);
    if (found.kind !== 'nothing') return found;
    const surface = SURFACES.find((prefix) => path.startsWith(`/${prefix}/`));
    if (surface === undefined) return found;
    const stripped = this.#match(method, path.slice(surface.length + 1));
    return stripped.kind === 'route' ? { ...stripped, surface } : stripped;
  }

  /**
   * `METHOD /path` of the routes that share the longest beginning with a path, at most
   * `MOST_NEAREST`. Empty if none shares more than the first slash.
   */
  nearest(path: string): readonly string[] {
    let [shared, nearest]: [number, Entry<Target>[]] = [2, []];
    for (const entry of [...this.#fixed.values(), ...this.#patterns]) {
      const length = sharedLength(path, entry.path);
      if (length > shared) [shared, nearest] = [length, []];
      if (length === shared) nearest.push(entry);
    }
    return nearest
      .flatMap(({ path, targets }) => [...targets.keys()].map((method) => `${method} ${path}`))
      .slice(0, MOST_NEAREST);
  }

  #open(path: string): Entry<Target> {
    const segments = segmentsOf(path);
    const entry: Entry<Target> = { path, segments, targets: new Map<Method, Target>() };
    if (segments.some(isParameter)) this.#patterns.push(entry);
    else this.#fixed.set(path, entry);
    return entry;
  }

  #match(method: string, path: string): Found<Target> {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return foundIn(fixed, method, path, NO_PARAMS);
    const segments = segmentsOf(path);
    for (const entry of this.#patterns) {
      const params = paramsOf(entry.segments, segments);
      if (params !== undefined) return foundIn(entry, method, path, params);
    }
    return { kind: 'nothing' };
  }
}

function foundIn<Target>(
  { targets }: Entry<Target>,
  method: string,
  path: string,
  params: Readonly<Record<string, string>>,
): Found<Target> {
  const target = targets.get(method);
  return target === undefined
    ? { kind: 'other_methods', allowed: [...targets.keys()] }
    : { kind: 'route', target, params, path, surface: '' };
}

/** The parameters of a path that matches a pattern; undefined for another path. */
function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (isParameter(part)) params[part.slice(1, -1)] = decode(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // An escape that is not UTF-8 is ordinary input here.
    return segment;
  }
}
