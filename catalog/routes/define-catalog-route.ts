/**
 * Makes the routes that read the catalog. They are public, take no body, and their failures carry
 * the `type` that catalog clients read (wire 5.8).
 */
import type { Static, TObject, TProperties, TSchema, TString } from 'typebox';
import type { NO_BODY, NO_PARAMETERS } from '../../http/api/index.ts';
import {
  defineRoute,
  type RouteNeeding,
  type RoutePath,
  type Services,
  type WrittenRoute,
} from '../../http/services/index.ts';
import type { CatalogReads, SlottedJson } from '../../persistence/index.ts';
import { type ListSlice, listQuery, partOf } from './parameters.ts';
import { catalogFailure, listReply, oneReply } from './reply.ts';

type Answered<Path extends string, R extends TSchema> = Omit<RoutePath<'GET', Path, R>, 'method'>;
type OwnParts = 'method' | 'auth' | 'body' | 'failureKeys' | 'showsPictures';

export function defineCatalogRoute<
  P extends TSchema = typeof NO_PARAMETERS,
  Q extends TSchema = typeof NO_PARAMETERS,
  const Need extends keyof Services = never,
  const Path extends string = string,
  R extends TSchema = TSchema,
>(
  definition: Omit<WrittenRoute<Need, P, Q, typeof NO_BODY, 'none'>, OwnParts> & Answered<Path, R>,
): RouteNeeding<Need, P, Q, typeof NO_BODY, 'none'> & RoutePath<'GET', Path, R> {
  return defineRoute<P, Q, typeof NO_BODY, 'none', Need, 'GET', Path, R>({
    ...definition,
    method: 'GET',
    auth: 'none',
    showsPictures: true,
    failureKeys: catalogFailure,
  });
}

type Answer = Promise<SlottedJson | undefined>;

interface RecordRoute<
  Name extends string,
  Q extends TProperties,
  Path extends string,
  R extends TSchema,
> extends Answered<Path, R> {
  readonly summary: string;
  /** The one parameter of the path: the record's id or slug. */
  readonly params: TObject<Record<Name, TString>>;
  readonly query?: TObject<Q>;
  readonly read: (reads: CatalogReads, name: string, query: Static<TObject<Q>>) => Answer;
}

/** A route that answers with one record, or with what belongs to it. */
export function recordRoute<
  Name extends string,
  const Path extends string,
  R extends TSchema,
  Q extends TProperties = Record<never, never>,
>({ params, read, ...route }: RecordRoute<Name, Q, Path, R>) {
  const [field = ''] = Object.keys(params.properties);
  return defineCatalogRoute({
    ...route,
    params,
    needs: ['exchange', 'registry', 'liveMarkets'],
    handler: ({ params: names, query, services }) => {
      // `Object()` returns any: the generic type of `names` has no index signature.
      const name: string = Object(names)[field] ?? '';
      const answer = read(services.exchange.catalog.read, name, query);
      return oneReply(answer, { field, actual: name }, services);
    },
  });
}

interface ListRoute<Q extends TProperties, Path extends string, R extends TSchema>
  extends Answered<Path, R> {
  readonly summary: string;
  /** The parameters besides `limit` and `offset`. */
  readonly filters: Q;
  readonly read: (reads: CatalogReads, query: Static<TObject<Q>>, part: ListSlice) => Answer;
}

export function listRoute<Q extends TProperties, const Path extends string, R extends TSchema>({
  filters,
  read,
  ...route
}: ListRoute<Q, Path, R>) {
  return defineCatalogRoute({
    ...route,
    ...listQuery(filters),
    byDialect: true,
    needs: ['exchange', 'registry', 'liveMarkets'],
    handler: ({ query, request, services }) => {
      // Safe: the query has all properties of its filters; TypeScript can't see it for a generic.
      const filtered = query as unknown as Static<TObject<Q>>;
      const part = partOf(query as { limit?: number; offset?: number }, request);
      return listReply(read(services.exchange.catalog.read, filtered, part), services);
    },
  });
}
