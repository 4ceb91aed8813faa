/**
 * The query parameters that the catalog's routes share (wire 8.1): pages of lists, fields to sort
 * by, ranges and filters.
 *
 * Invariant: every parameter that is set is a condition; two aliases that are set are two
 * conditions. A parameter with an empty text or list is not set. A value out of its bounds is
 * refused, except that one dialect clamps `limit` (wire 0.14).
 * Bound: `READ_BOUNDS.catalogItems` items of a list, `valuesPerFilter` values of a filter.
 */
import { type TProperties, Type } from 'typebox';
import type { RequestInfo } from '../../http/api/index.ts';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { OptionalText, Text } from '../../http/parameters/index.ts';
import { isoTimeMs, snakeCase } from '../../persistence/shared/index.ts';
import { utcText } from '../model/index.ts';

const { catalogItems, defaultCatalogItems, valuesPerFilter } = READ_BOUNDS;

export function whole(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, description }));
}
export function amount(description: string) {
  return Type.Optional(Type.Number({ description }));
}
export function texts(description: string) {
  return Type.Optional(Type.Array(Type.String(), { maxItems: valuesPerFilter, description }));
}
export function wholes(description: string) {
  return Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), { maxItems: valuesPerFilter, description }),
  );
}

export const CreatorParameter = OptionalText(
  'Wallet address of a creator, or identifier of a site',
);

export const ByCreator = Type.Object({ creator: CreatorParameter });

/** The parameters `order` and `ascending` of a list that can be sorted by these fields. */
export function orderParameters(names: readonly string[]) {
  return {
    order: texts(`Fields to sort by, in order of precedence: ${names.join(', ')}`),
    ascending: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether `order` is ascending; without `order`, ids ascend',
      }),
    ),
  };
}

// No bounds in the schema: the dialect decides whether the handler refuses or clamps a limit.
const PART = {
  limit: Type.Optional(Type.Integer({ default: defaultCatalogItems })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
};

const DOCUMENTED_PART = {
  ...PART,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: catalogItems, default: defaultCatalogItems }),
  ),
};

/** The query of a list, and the schema of it that the OpenAPI document shows. */
export function listQuery<Properties extends TProperties>(properties: Properties) {
  return {
    query: Type.Object({ ...PART, ...properties }),
    documentedQuery: Type.Object({ ...DOCUMENTED_PART, ...properties }),
  };
}

export interface ListQuery {
  readonly limit?: number;
  readonly offset?: number;
}

export interface ListSlice {
  readonly offset: number;
  readonly limit: number;
}

function refuse(field: string, limit: string, actual: unknown): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

/** The requested page (wire 0.14); throws `invalid_parameter`. */
export function partOf(
  { limit = defaultCatalogItems, offset = 0 }: ListQuery,
  { dialect }: Pick<RequestInfo, 'dialect'>,
): ListSlice {
  if (limit > catalogItems && dialect === 'polymarket') return { limit: catalogItems, offset };
  if (limit < 1 || limit > catalogItems) refuse('limit', `1..${catalogItems}`, limit);
  return { limit, offset };
}

export interface OrderQuery {
  readonly order?: string[];
  readonly ascending?: boolean;
}

/**
 * Reads `order` and `ascending` of a list that can be sorted by these fields, whose names may be in
 * camelCase or snake_case. Without an order, ids ascend. Throws `order_fields_invalid`.
 */
export function orderReader<Name extends string>(names: readonly Name[], field = 'order') {
  const known = new Map<string, Name>(
    names.flatMap((name) => [[name, name] as const, [snakeCase(name), name] as const]),
  );
  const orderOf = (wanted: string): Name => {
    const name = known.get(wanted.trim());
    if (name !== undefined) return name;
    const limit = names.join(', ');
    throw new ApiError('order_fields_invalid', { field, limit, actual: echo(wanted) });
  };
  return ({ order = [], ascending = false }: OrderQuery) => {
    const sorted: readonly Name[] = [...new Set(order.map(orderOf))];
    return { order: sorted, ascending: sorted.length === 0 || ascending };
  };
}

type Value = string | number;

function isSet(value: Value | undefined): value is Value {
  return value !== undefined && value !== '';
}

/** The condition of a parameter; none if it is not set. */
export function condition<Kind extends string>(
  kind: Kind,
  values: readonly (Value | undefined)[] | undefined,
): readonly { readonly kind: Kind; readonly anyOf: readonly Value[] }[] {
  const anyOf = (values ?? []).filter(isSet);
  return anyOf.length === 0 ? [] : [{ kind, anyOf }];
}

type Bound = string | number | undefined;

/** The range of two parameters; none if neither is set. */
export function range<Kind extends string>(kind: Kind, min: Bound, max: Bound) {
  return min === undefined && max === undefined ? [] : [{ kind, min, max }];
}

/** A day or time in the catalog's form, ISO 8601 in UTC. A day stands for its midnight. */
export function dateFilter(wanted: string | undefined, field: string): string | undefined {
  if (wanted === undefined || wanted === '') return undefined;
  // In a query, an unescaped plus sign is a space.
  const written = wanted.replace(' ', '+');
  const time = written.length === 10 ? `${written}T00:00Z` : written;
  const timeMs = isoTimeMs(time) ?? isoTimeMs(`${time}Z`);
  if (timeMs === undefined) return refuse(field, 'a day or a time in ISO 8601', wanted);
  return utcText(timeMs);
}

const DIGITS = /^\d{1,15}$/;

export const IdParameter = Type.Object({ id: Text('Numeric id') });
export const SlugParameter = Type.Object({ slug: Text('Slug') });

/** The numeric id in a path; throws `invalid_parameter`. */
export function idOf(id: string): number {
  return DIGITS.test(id) ? Number(id) : refuse('id', 'a numeric id', id);
}
