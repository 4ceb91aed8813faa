/**
 * Defines a read of analytics: public, without a body, with `min_seq`. The analytics thread writes
 * the text of the answer. X-Seq is the sequence number of the state that the answer shows.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type AnalyticsKind, type AnalyticsKinds, StoreError } from '../../../persistence/index.ts';
import { BytesReply, type RequestInfo } from '../../api/index.ts';
import { ApiError } from '../../errors/index.ts';
import { MIN_SEQ, refuseLaterSeq } from '../../parameters/index.ts';
import type { Route, RoutePath, Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';

/** How an answer names tokens (wire 0.14). */
const ASSET_FORMS = { polymarket: 'token_id', kuest: 'condition_and_outcome' } as const;

type Question = { readonly [Kind in AnalyticsKind]: readonly [Kind, AnalyticsKinds[Kind]['ask']] };

interface Definition<Properties extends TProperties, Path extends string, R extends TSchema> {
  readonly path: Path;
  readonly summary: string;
  readonly query: Properties;
  readonly response: R;
  /** The question of a valid query; throws `ApiError` for faults that no schema can express. */
  question(
    query: Static<ReturnType<typeof Type.Object<Properties>>>,
    request: RequestInfo,
    services: Pick<Services, 'simulated'>,
  ): Question[AnalyticsKind];
}

export function defineAnalyticsRoute<
  Properties extends TProperties,
  const Path extends string,
  R extends TSchema,
>({
  query: properties,
  question,
  ...definition
}: Definition<Properties, Path, R>): Route & RoutePath<'GET', Path, R> {
  const query = Type.Object({ ...properties, ...MIN_SEQ });
  return defineRoute({
    ...definition,
    method: 'GET',
    auth: 'none',
    byDialect: true,
    showsPictures: true,
    query,
    needs: ['exchange', 'simulated'],
    handler: async ({ query, request, services: { exchange, simulated } }) => {
      // Safe: the schema is made of the properties and min_seq.
      const checked = query as Parameters<typeof question>[0] & { readonly min_seq?: number };
      const [kind, asked] = question(checked, request, { simulated });
      refuseLaterSeq(checked.min_seq, exchange.appliedSeq);
      const assetForm = ASSET_FORMS[request.dialect];
      const answer = exchange.analytics.ask(kind, { ...asked, assetForm });
      const { json, seq } = await answer.catch(explainTooWide);
      const own = { bytes: json, memory: [json.buffer] };
      return new BytesReply(200, own, [['x-seq', `${seq}`]]);
    },
  });
}

/** The store's sentence says how to narrow the search, because that depends on the question. */
export function explainTooWide(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'search_too_wide') throw error;
  throw new ApiError('search_too_wide', { limit: error.message });
}
