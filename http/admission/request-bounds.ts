/**
 * The bounds of requests and pages, for GET /limits. They come from what enforces them: the
 * schemas of the routes, and the constants with which handlers check the input.
 */
import { type TSchema, Type } from 'typebox';
import type { RouteDefinition } from '../api/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';

type BoundUnit = 'value' | 'characters' | 'items' | 'bytes';

export interface RequestBound {
  /** `METHOD /path`. */
  readonly route: string;
  /** A parameter or a key of the body; `body` for all of it, `page` for a page of the answer. */
  readonly field: string;
  readonly unit: BoundUnit;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** The keywords of a schema with the lowest and highest value. */
const KEYWORDS: readonly (readonly [unit: BoundUnit, lowest: string, highest: string])[] = [
  ['value', 'minimum', 'maximum'],
  ['characters', 'minLength', 'maxLength'],
  ['items', 'minItems', 'maxItems'],
];

/** Maximum number of items in a page, by route. */
const PAGES: Readonly<Record<string, number>> = {
  'GET /data/orders': READ_BOUNDS.ordersPerPage,
  'GET /data/trades': READ_BOUNDS.tradesPerPage,
  'GET /builder/trades': READ_BOUNDS.builderTradesPerPage,
  'GET /markets': READ_BOUNDS.marketsPerPage,
  'GET /simplified-markets': READ_BOUNDS.marketsPerPage,
  'GET /sampling-markets': READ_BOUNDS.marketsPerPage,
  'GET /sampling-simplified-markets': READ_BOUNDS.marketsPerPage,
};

function boundsIn(route: string, field: string, schema: TSchema): readonly RequestBound[] {
  // Safe: a schema is a plain object; an absent keyword is undefined.
  const keywords = schema as Readonly<Record<string, unknown>>;
  const numberAt = (keyword: string): number | null => {
    const value = keywords[keyword];
    return typeof value === 'number' ? value : null;
  };
  return KEYWORDS.flatMap(([unit, lowest, highest]) => {
    const [minimum, maximum] = [numberAt(lowest), numberAt(highest)];
    return minimum === null && maximum === null ? [] : [{ route, field, unit, minimum, maximum }];
  });
}

function most(route: string, field: string, unit: BoundUnit, maximum: number): RequestBound {
  return {
    route,
    field,
    unit,
    minimum: null,
    maximum,
  };
}

/** The bounds of the parameters of a query, or of the keys of a body. */
function boundsOfProperties(route: string, schema: TSchema): readonly RequestBound[] {
  return Type.IsObject(schema)
    ? Object.entries(schema.properties).flatMap(([field, part]) => boundsIn(route, field, part))
    : [];
}

function bodyBounds(route: string, definition: RouteDefinition): readonly RequestBound[] {
  const { body, documentedBody = body, bodyBytes = HTTP_BOUNDS.bodyBytes } = definition;
  if (Type.IsUnknown(body)) return [];
  return [
    ...boundsIn(route, 'body', documentedBody),
    ...boundsOfProperties(route, documentedBody),
    most(route, 'body', 'bytes', bodyBytes),
  ];
}

function boundsOf(definition: RouteDefinition): readonly RequestBound[] {
  const { method, path, query, documentedQuery = query } = definition;
  const route = `${method} ${path}`;
  const page = PAGES[route];
  return [
    ...boundsOfProperties(route, documentedQuery),
    ...bodyBounds(route, definition),
    ...(page === undefined ? [] : [most(route, 'page', 'items', page)]),
  ];
}

export function requestBounds(routes: readonly RouteDefinition[]): readonly RequestBound[] {
  return routes.flatMap(boundsOf);
}
