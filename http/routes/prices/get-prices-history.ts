import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError, echo } from '../../errors/index.ts';
import {
  Fidelity,
  type HistoryWindow,
  historyWindow,
  Interval,
  Points,
  pointsText,
  refuseTooMany,
} from '../../format/index.ts';
import { MIN_SEQ, OptionalText, refuseLaterSeq, Text } from '../../parameters/index.ts';
import { nextTurn } from '../../runtime/log.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { historyToken } from './by-query.ts';

function time(description: string) {
  return OptionalText(`${description}, in Unix seconds`);
}

const OPEN = Buffer.from('{"history":');
const CLOSE = Buffer.from('}');

/**
 * The points of each token as JSON. Throws `too_many_items` if all histories together have more
 * than `READ_BOUNDS.pointsPerReply` points.
 */
export async function pointsOf(
  { reader }: Pick<Services['exchange'], 'reader'>,
  tokenIds: readonly string[],
  window: HistoryWindow,
): Promise<Buffer[]> {
  const limit = READ_BOUNDS.pointsPerReply;
  const histories = await reader.priceHistories({ tokenIds, ...window, limit });
  refuseTooMany(histories.reduce((count, { stepCount }) => count + stepCount, 0));
  const points: Buffer[] = [];
  for (const history of histories) {
    // One large text would take several times as long to encode.
    points.push(Buffer.from(pointsText(history), 'latin1'));
    await nextTurn();
  }
  return points;
}

/**
 * GET /prices-history: midpoints of a token at equal steps (wire 6.4). A start time takes
 * precedence over an interval, which counts back from `endTs`. Throws `book_not_found` for an
 * unknown token.
 */
export const getPricesHistory = defineRoute({
  method: 'GET',
  path: '/prices-history',
  summary: 'Midpoints of a token over time',
  auth: 'none',
  query: Type.Object({
    market: Text('Token id, or a condition id for its first token'),
    interval: Type.Optional(Interval),
    fidelity: Type.Optional(Fidelity),
    startTs: time('Start'),
    endTs: time('End; now by default and for a time in the future'),
    start_ts: time('The same as startTs'),
    end_ts: time('The same as endTs'),
    ...MIN_SEQ,
  }),
  response: Type.Object({ history: Points }),
  needs: ['exchange', 'registry'],
  byDialect: true,
  handler: async ({ query, request, services }) => {
    const { market, interval, fidelity, start_ts, end_ts } = query;
    const { exchange, registry } = services;
    const { startTs = start_ts, endTs = end_ts } = query;
    const terms = { interval, fidelity, startTs, endTs };
    const window = historyWindow(terms, request.nowMs, request.dialect);
    const tokenId = historyToken(registry, market, 'market');
    if (tokenId === undefined) {
      throw new ApiError('book_not_found', { field: 'market', actual: echo(market) });
    }
    refuseLaterSeq(query.min_seq, exchange.appliedSeq);
    const points = await pointsOf(exchange, [tokenId], window);
    return new RawReply(200, Buffer.concat([OPEN, ...points, CLOSE]));
  },
});
