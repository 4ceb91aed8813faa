// Limits with a clock that tests set, and requests in the form in which a listener counts them.

import {
  DEFAULT_RULES,
  type LimitRow,
  type LimitRules,
} from '../../../http/admission/limit-table.ts';
import { Limits } from '../../../http/admission/limits.ts';
import type { Method } from '../../../http/api/request.ts';
import { NO_BODY, NO_PARAMETERS, type RouteDefinition } from '../../../http/api/route.ts';
import type { Admission, Counted } from '../../../http/api/server-hooks.ts';
import type { HeaderList } from '../../../http/codec/headers.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { defineRoute } from '../../../http/services/define-route.ts';

/** A public route, from a text `METHOD /path`. */
export function routeAt(text: string): RouteDefinition<never> {
  const [method = '', path = ''] = text.split(' ');
  return defineRoute({
    // Safe: the rows of the table begin with a method.
    method: method as Method,
    path,
    summary: 'A route of this test',
    auth: 'none',
    params: NO_PARAMETERS,
    query: NO_PARAMETERS,
    body: NO_BODY,
    response: NO_BODY,
    handler: () => 'OK',
  });
}

const routes = new Map<string, RouteDefinition<never>>();

/** Returns the same object for the same text, as a table of routes does. */
function keptRoute(text: string): RouteDefinition<never> {
  const known = routes.get(text) ?? routeAt(text);
  routes.set(text, known);
  return known;
}

/** A request to a route from an address that is not this machine. */
export function asking(route: string, changes: Partial<Counted> = {}): Counted {
  const definition = keptRoute(route);
  return {
    route: definition,
    path: definition.path,
    surface: '',
    query: '',
    address: '203.0.113.1',
    apiKey: '',
    owner: '',
    weight: 1,
    ...changes,
  };
}

/** A request by one of an owner's keys. */
export function byOwner(owner: string, apiKey = 'a-key'): Partial<Counted> {
  return { owner, apiKey };
}

/** The default rules, each row changed. */
export function rulesWith(
  change: (row: LimitRow) => Partial<LimitRow>,
  rules: Partial<LimitRules> = {},
): LimitRules {
  return {
    ...DEFAULT_RULES,
    ...rules,
    rows: DEFAULT_RULES.rows.map((row) => ({ ...row, ...change(row) })),
  };
}

/** The default rules, with these capacities and a million in all other rows. */
export function onlyTight(
  capacities: Readonly<Record<string, number>>,
  rules: Partial<LimitRules> = {},
): LimitRules {
  return rulesWith(({ name }) => ({ capacity: capacities[name] ?? 1_000_000 }), rules);
}

export function limitsWith(rules = DEFAULT_RULES): {
  readonly limits: Limits;
  readonly clock: { ms: number };
} {
  const clock = { ms: 0 };
  return { limits: new Limits({ rules, monotonicMs: () => clock.ms }), clock };
}

/**
 * The error that `work` throws, or undefined. Errors have no stack meanwhile: making stacks would
 * take most of the time of a test with a hundred thousand refusals.
 */
export function refusalIn(work: () => unknown): ApiError | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** How many successive requests are admitted, at most `bound`. */
export function admitted(admission: Admission, counted: Counted, bound = 100_000): number {
  let count = 0;
  while (count < bound && refusalIn(() => admission.admit(counted)) === undefined) count += 1;
  return count;
}

/** Limit, remaining and reset. */
export function figuresOf(headers: HeaderList): readonly number[] {
  return ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) =>
    Number(headers.find(([key]) => key === name)?.[1]),
  );
}
