/**
 * What Data API v2 tells of markets: open interest, volume, holders, resolutions and prices
 * (wire 8.8).
 */
import { Type } from 'typebox';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../engine/model/index.ts';
import { RESOLUTION_STATUSES } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { halfTicksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { canonicalTokenId, hashIn } from '../../parameters/index.ts';
import { leastLots } from '../analytics/index.ts';
import {
  Conditions,
  DATA_BOUNDS,
  defineDataRoute,
  Events,
  refuse,
  Seconds,
} from './define-data-route.ts';

export const getOpenInterestV2 = defineDataRoute({
  path: '/v2/oi',
  summary: 'Collateral locked in the given markets, or in all markets together',
  query: { condition: Conditions },
  row: Type.Array(
    Type.Object({
      condition_id: Type.String({ description: 'GLOBAL for all markets together' }),
      value: Type.Number({ description: 'Collateral' }),
    }),
  ),
  read: ({ condition }, { services }) =>
    services.exchange.analytics.ask('openInterest', { version: 2, markets: condition }),
});

export const getLiveVolumeV2 = defineDataRoute({
  path: '/v2/live-volume',
  summary: 'Tokens that takers traded in each market of events, the most first',
  query: { event_id: Events },
  aliases: { event_id: ['id'] },
  anchors: ['event_id'],
  row: Type.Object({
    taker_volume_total: Type.Number(),
    conditions: Type.Array(
      Type.Object({ condition_id: Type.String(), taker_volume: Type.Number() }),
    ),
  }),
  read: ({ event_id = [] }, { services }) =>
    services.exchange.analytics.ask('liveVolume', { version: 2, markets: [], events: event_id }),
});

const SIDES = 2;
const { holders } = READ_BOUNDS;
const PROFIT_ROWS = 100;
const Amount = Type.Optional(Type.Number({ description: 'Only with include_pnl' }));

const Holder = Type.Object({
  proxy_wallet: Type.String(),
  token_id: Type.String(),
  outcome_index: Type.Integer(),
  amount: Type.Number({
    description: 'Tokens, less those of the other outcome; with include_pnl all tokens',
  }),
  ...Object.fromEntries(
    [
      'avg_price',
      'entry_cost_usdc',
      'current_price',
      'current_value',
      'realized_pnl',
      'unrealized_pnl',
      'total_pnl',
    ].map((name) => [name, Amount]),
  ),
  name: Type.String(),
  pseudonym: Type.String(),
  bio: Type.String(),
  display_username_public: Type.Boolean(),
  profile_image: Type.String(),
  profile_image_optimized: Type.String(),
  verified: Type.Boolean(),
});

export const getHoldersV2 = defineDataRoute({
  path: '/v2/holders',
  summary: 'The largest holders of the tokens of markets, grouped by token',
  query: {
    condition: Conditions,
    min_balance: Type.Optional(
      Type.Number({ minimum: 0, description: 'Leaves out holders of less; 0 by default' }),
    ),
    include_pnl: Type.Optional(
      Type.Boolean({
        description: 'Whole balances, with the profit of each; of one condition. false by default',
      }),
    ),
  },
  anchors: ['condition'],
  row: Type.Object({ token_id: Type.String(), holders: Type.Array(Holder) }),
  page: DATA_BOUNDS.page,
  complete: (query) => {
    const { condition = [], include_pnl = false, min_balance = 0 } = query;
    if (include_pnl && condition.length > 1) {
      refuse('condition', 'one with include_pnl', condition.length);
    }
    return { ...query, include_pnl, min_balance };
  },
  read: (query, { services, page: { limit, place } }) => {
    const { condition: markets = [], include_pnl: withProfit = false } = query;
    const all = Math.floor(holders.inAll / (SIDES * markets.length));
    const most = withProfit ? PROFIT_ROWS : all;
    const why = withProfit ? 'include_pnl' : `${markets.length} conditions`;
    if (limit > most) refuse('limit', `at most ${most} with ${why}`, limit);
    return services.exchange.analytics.ask('holders', {
      version: 2,
      markets,
      limit,
      leastLots: leastLots(query.min_balance ?? 0),
      withProfit,
      after: place,
    });
  },
});

const Resolution = Type.Object({
  question_id: Type.Optional(Type.String({ description: 'Where the market has one' })),
  condition_id: Type.Optional(Type.String({ description: 'Except with question_id' })),
  status: Type.Enum([...RESOLUTION_STATUSES], {
    description: 'active until it is resolved; else as the source of an imported market tells it',
  }),
  extended_review: Type.Boolean(),
  was_disputed: Type.Boolean(),
  new_version_q: Type.Boolean(),
  price: Type.Optional(Type.String({ description: 'Payout of the first outcome, x 10^18' })),
  transaction_hash: Type.String({ description: 'Empty: a resolution is no transaction here' }),
  log_index: Type.String(),
  last_update_timestamp: Type.String({ description: 'ISO 8601; seconds with question_id' }),
  market_type: Type.Optional(
    Type.Enum(['BINARY'], { description: 'Left out for markets of neg-risk events' }),
  ),
  payouts: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Micros that a token of each outcome pays' }),
  ),
  resolution_source: Type.Optional(Type.Enum(['reported'])),
  reporter: Type.Optional(Type.Enum(['EOA'], { description: 'The operator' })),
  was_arbitrated: Type.Optional(Type.Boolean()),
  resolved_at: Type.Optional(Type.String({ description: 'ISO 8601' })),
});

export const getResolutionsV2 = defineDataRoute({
  path: '/v2/resolutions',
  summary: 'How markets were resolved, by condition, by event or by question',
  query: {
    question_id: Type.Optional(Type.String({ description: '0x and 64 hex digits' })),
    condition: Conditions,
    event_id: Events,
  },
  anchors: ['question_id', 'condition', 'event_id'],
  row: Type.Array(Resolution),
  complete: (query) => {
    const [, second] = Object.keys(query);
    if (second !== undefined) {
      refuse(second, 'only one of question_id, condition and event_id', second);
    }
    return query;
  },
  read: ({ question_id, condition, event_id }, { services }) =>
    services.exchange.analytics.ask('resolutions', {
      version: 2,
      questionId: question_id === undefined ? undefined : hashIn(question_id, 'question_id'),
      markets: condition,
      events: event_id,
    }),
});

/** Length of each interval, its usual step and its least step, in milliseconds. */
const INTERVALS = {
  max: [Number.POSITIVE_INFINITY, 12 * HOUR_MS, 10 * MINUTE_MS],
  all: [Number.POSITIVE_INFINITY, 12 * HOUR_MS, 10 * MINUTE_MS],
  '1m': [30 * DAY_MS, 30 * MINUTE_MS, 10 * MINUTE_MS],
  '1w': [7 * DAY_MS, 5 * MINUTE_MS, 5 * MINUTE_MS],
  '1d': [DAY_MS, MINUTE_MS, MINUTE_MS],
  '6h': [6 * HOUR_MS, MINUTE_MS, MINUTE_MS],
  '1h': [HOUR_MS, MINUTE_MS, MINUTE_MS],
} as const;

/** Steps of windows that name none: the first that gives at most so many points. */
const STEPS_MS = [5, 30, 180, 720].map((minutes) => minutes * MINUTE_MS);
const USUAL_POINTS = 2_500;
/** Up to this length a window has points by the minute. */
const FINE_MS = 12 * HOUR_MS;
const LONGEST_MS = 15 * DAY_MS;

const PRICE_QUERY = {
  token_id: Type.Optional(Type.String({ description: 'Token id' })),
  start: Seconds('First second, Unix time; at most 15 days before the end'),
  end: Seconds('The second after the last, Unix time; needs start; now by default'),
  interval: Type.Optional(
    Type.Enum(Object.keys(INTERVALS) as (keyof typeof INTERVALS)[], {
      description: 'A window up to now, in place of start and end',
    }),
  ),
  bucket_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      multipleOf: 60,
      description: 'Seconds between points; by default they follow from the window',
    }),
  ),
  as_of: Seconds('One price: the one at this second, in place of a window'),
};
type PriceQuery = Type.Static<Type.TObject<typeof PRICE_QUERY>>;

interface Window {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** The window of a first page. Throws `invalid_parameter`. */
function windowOf(query: PriceQuery, nowMs: number): Window {
  const { start, end, interval, as_of, bucket_seconds } = query;
  const ownMs = bucket_seconds === undefined ? undefined : bucket_seconds * SECOND_MS;
  if (as_of !== undefined) {
    const endMs = Math.min(as_of * SECOND_MS, nowMs);
    return { startMs: Math.max(0, endMs - MINUTE_MS), endMs, stepMs: MINUTE_MS };
  }
  if (interval !== undefined) {
    const [lengthMs, usualMs, leastMs] = INTERVALS[interval];
    const stepMs = Math.max(ownMs ?? usualMs, leastMs);
    return { startMs: Math.max(0, nowMs - lengthMs), endMs: nowMs, stepMs };
  }
  const [startMs, endMs] = [(start ?? 0) * SECOND_MS, Math.min((end ?? nowMs) * SECOND_MS, nowMs)];
  if (startMs > endMs) refuse('start', 'not after end, or now', start);
  const lengthMs = endMs - startMs;
  if (lengthMs > LONGEST_MS) refuse('start', 'at most 15 days before end, or now', start);
  const coarse = STEPS_MS.find((stepMs) => lengthMs / stepMs <= USUAL_POINTS) ?? 12 * HOUR_MS;
  return { startMs, endMs, stepMs: ownMs ?? (lengthMs <= FINE_MS ? MINUTE_MS : coarse) };
}

const MOST_POINTS = READ_BOUNDS.pointsPerReply;
const ONE_WINDOW = 'exactly one of start, interval and as_of';

/** A place is the start of the next point, with the end and the step of the window, in ms. */
export const getPricesHistoryV2 = defineDataRoute({
  path: '/v2/prices-history',
  summary: 'Midpoints of a token over time, oldest first',
  query: PRICE_QUERY,
  anchors: ['token_id'],
  row: Type.Object({
    timestamp: Type.Integer({ description: 'Unix seconds' }),
    price: Type.Number(),
    resolution_seconds: Type.Integer({ description: 'Seconds from this point to the next' }),
  }),
  page: { limit: 10_000, defaultLimit: 10_000 },
  complete: (query) => {
    const { start, end, interval, as_of } = query;
    const windows = [start, interval, as_of].filter((given) => given !== undefined);
    if (windows.length !== 1) refuse('interval', ONE_WINDOW, windows.length);
    if (end !== undefined && start === undefined) refuse('end', 'start, where end is given', end);
    return { ...query, token_id: canonicalTokenId(query.token_id ?? '', 'token_id') };
  },
  read: async (query, { services, request, page: { limit, place } }) => {
    const { token_id: tokenId = '' } = query;
    if (services.registry.token(tokenId) === undefined) return { json: '[]' };
    const [from, to, step] = place?.map(Number) ?? [];
    const asked =
      from === undefined || to === undefined || step === undefined
        ? windowOf(query, request.nowMs)
        : { startMs: from, endMs: to, stepMs: step };
    const { reader } = services.exchange;
    const limits = { limit: MOST_POINTS };
    const histories = await reader.priceHistories({ tokenIds: [tokenId], ...asked, ...limits });
    const history = histories[0]!; // One for each token.
    if (history.stepCount > MOST_POINTS) {
      const actual = history.stepCount;
      throw new ApiError('search_too_wide', { limit: `at most ${MOST_POINTS} points`, actual });
    }
    const { startMs, stepMs, halfTicks } = history;
    const points = query.as_of === undefined ? halfTicks : halfTicks.slice(-1);
    const first = query.as_of === undefined ? startMs : startMs + (halfTicks.length - 1) * stepMs;
    const texts = Array.from(points.slice(0, limit), (price, index) => {
      const timestamp = Math.floor((first + index * stepMs) / SECOND_MS);
      const resolution = stepMs / SECOND_MS;
      return (
        `{"timestamp":${timestamp},"price":${halfTicksText(price)},` +
        `"resolution_seconds":${resolution}}`
      );
    });
    const next = points.length > limit ? [first + limit * stepMs, asked.endMs, stepMs] : undefined;
    return { json: `[${texts.join(',')}]`, next };
  },
});
