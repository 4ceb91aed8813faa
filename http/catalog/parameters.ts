/**
 * What the queries of the catalog's routes share (interface.md "Catalog routes", wire 8.1): parts
 * of lists, names to sort by, ranges, and filters of which several may be given.
 *
 * Invariant: every parameter that is set is a condition, also the second of two that are aliases;
 * an empty text or list sets nothing. What is out of its bounds is refused, or where a setting says
 * so a `limit` above the highest is taken for the highest (wire 11.24).
 * Bound: `READ_BOUNDS.catalogItems` items of a list, `valuesPerFilter` values of a filter.
 */
import { type TProperties, Type } from 'typebox';
import { READ_BOUNDS } from '../bounds/index.ts';
import { ApiError, echo } from '../errors/index.ts';

const { catalogItems, defaultCatalogItems, valuesPerFilter } = READ_BOUNDS;

export function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
export function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }));
}
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

export const CreatorParameter = text('Wallet address of a creator, or the identifier of a site');

/** What `order` and `ascending` are, of a list that can be sorted by these names. */
export function orderParameters(names: readonly string[]) {
  return {
    order: texts(`What to sort by, the first before the next: ${names.join(', ')}`),
    ascending: Type.Optional(
      Type.Boolean({ default: false, description: 'Of `order`; without one ids ascend' }),
    ),
  };
}

// The handler refuses what is out of the bounds, or clamps it: a setting, which no schema knows.
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

/** The query of a list of the catalog, and how the document shows it. */
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

export interface ListPart {
  readonly offset: number;
  readonly limit: number;
}

function refuse(field: string, limit: string, actual: unknown): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

/** The part that is asked for; throws `invalid_parameter`. */
export function partOf(
  { limit = defaultCatalogItems, offset = 0 }: ListQuery,
  { clampsLimits }: { readonly clampsLimits: boolean },
): ListPart {
  if (limit > catalogItems && clampsLimits) return { limit: catalogItems, offset };
  if (limit < 1 || limit > catalogItems) refuse('limit', `1..${catalogItems}`, limit);
  return { limit, offset };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export interface OrderQuery {
  readonly order?: string[];
  readonly ascending?: boolean;
}

/**
 * Reads `order` and `ascending` of lists that can be sorted by these names: camelCase as the fields
 * are called, and snake_case too. Without an order ids ascend. Throws `order_fields_invalid`.
 */
export function orderReader<Name extends string>(names: readonly Name[]) {
  const known = new Map<string, Name>(
    names.flatMap((name) => [[name, name] as const, [snakeCase(name), name] as const]),
  );
  const orderOf = (wanted: string): Name => {
    const name = known.get(wanted.trim());
    if (name !== undefined) return name;
    const limit = names.join(', ');
    throw new ApiError('order_fields_invalid', { field: 'order', limit, actual: echo(wanted) });
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

/** The condition of one parameter; none where nothing is set. */
export function condition<Kind extends string>(
  kind: Kind,
  values: readonly (Value | undefined)[] | undefined,
): readonly { readonly kind: Kind; readonly anyOf: readonly Value[] }[] {
  const anyOf = (values ?? []).filter(isSet);
  return anyOf.length === 0 ? [] : [{ kind, anyOf }];
}

type Bound = string | number | undefined;

/** The range of two parameters; none where neither is set. */
export function range<Kind extends string>(kind: Kind, min: Bound, max: Bound) {
  return min === undefined && max === undefined ? [] : [{ kind, min, max }];
}

const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A day or a time as the catalog writes them, ISO 8601 in UTC; a day begins at its midnight. */
export function dateFilter(wanted: string | undefined, field: string): string | undefined {
  if (wanted === undefined || wanted === '') return undefined;
  // In a query an unescaped plus is a space.
  const written = wanted.replace(' ', '+');
  const hasZone = written.length === 10 || /(Z|[+-]\d{2}:?\d{2})$/.test(written);
  const timeMs = DAY_OR_TIME.test(written) ? Date.parse(hasZone ? written : `${written}Z`) : NaN;
  if (Number.isNaN(timeMs)) return refuse(field, 'a day or a time in ISO 8601', wanted);
  return new Date(timeMs).toISOString().replace('.000Z', 'Z');
}

const DIGITS = /^\d{1,15}$/;

export const IdParameter = Type.Object({ id: Type.String({ description: 'Numeric id' }) });
export const SlugParameter = Type.Object({ slug: Type.String({ description: 'Its slug' }) });

/** The numeric id of a path; throws `invalid_parameter`. */
export function idOf(id: string): number {
  return DIGITS.test(id) ? Number(id) : refuse('id', 'a numeric id', id);
}
