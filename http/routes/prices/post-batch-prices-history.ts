import { Type } from 'typebox';
import { RawReply, type RequestInfo } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import {
  Fidelity,
  type HistoryWindow,
  historyWindow,
  Interval,
  Points,
} from '../../format/index.ts';
import { MIN_SEQ, refuseLaterSeq } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { historyToken } from './by-query.ts';
import { pointsOf } from './get-prices-history.ts';

const Time = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0 }), Type.String(), Type.Null()], {
    description: 'Unix seconds, as a number or a text',
  }),
);

const Body = Type.Object({
  markets: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: READ_BOUNDS.historiesPerRequest,
    description: 'Token ids, or condition ids for their first tokens',
  }),
  interval: Type.Optional(Type.Union([Interval, Type.Null()])),
  fidelity: Type.Optional(Type.Union([Fidelity, Type.Null()])),
  startTs: Time,
  endTs: Time,
  start_ts: Time,
  end_ts: Time,
});
type Body = Type.Static<typeof Body>;

function textOf(time: string | number | null | undefined): string | undefined {
  return time === undefined || time === null ? undefined : `${time}`;
}

function windowOf(
  body: Body,
  { nowMs, dialect }: Pick<RequestInfo, 'nowMs' | 'dialect'>,
): HistoryWindow {
  const { startTs, endTs, start_ts, end_ts } = body;
  const terms = {
    interval: body.interval ?? undefined,
    fidelity: body.fidelity ?? undefined,
    startTs: textOf(startTs ?? start_ts),
    endTs: textOf(endTs ?? end_ts),
  };
  return historyWindow(terms, nowMs, dialect);
}

/** The token of each market, in the order of the request, without repetitions. */
function tokensOf(
  { markets }: Body,
  { registry }: Pick<Services, 'registry'>,
): Map<string, string | undefined> {
  const entries = markets.map(
    (market, index) => [market, historyToken(registry, market, `markets.${index}`)] as const,
  );
  return new Map(entries);
}

const OPEN = Buffer.from('{"history":{');
const NO_POINTS = Buffer.from('[]');
const CLOSE = Buffer.from('}}');

/**
 * POST /batch-prices-history: the histories of several tokens over one window (wire 6.4). The reply
 * has every name of the request, with an empty list for an unknown market.
 */
export const postBatchPricesHistory = defineRoute({
  method: 'POST',
  path: '/batch-prices-history',
  summary: 'Midpoints of several tokens over time',
  auth: 'none',
  query: Type.Object(MIN_SEQ),
  body: Body,
  response: Type.Object({ history: Type.Record(Type.String(), Points) }),
  byDialect: true,
  needs: ['exchange', 'registry'],
  handler: async ({ body, query, request, services }) => {
    refuseLaterSeq(query.min_seq, services.exchange.appliedSeq);
    const window = windowOf(body, request);
    const tokens = [...tokensOf(body, services)];
    const known = tokens.flatMap(([, tokenId]) => tokenId ?? []);
    const points = (await pointsOf(services.exchange, known, window)).values();
    const parts = tokens.flatMap(([market, tokenId], index) => {
      const name = Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(market)}:`);
      return [name, (tokenId === undefined ? undefined : points.next().value) ?? NO_POINTS];
    });
    return new RawReply(200, Buffer.concat([OPEN, ...parts, CLOSE]));
  },
});
