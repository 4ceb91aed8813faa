/** What Data API v2 tells of one account: positions, value, volume and profit (wire 8.8). */
import { Type } from 'typebox';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../engine/model/index.ts';
import { UNKNOWN_AMOUNTS } from '../../../persistence/index.ts';
import { toChecksumAddress } from '../../signing/address.ts';
import { leastLots, leastMicros } from '../analytics/index.ts';
import {
  Conditions,
  DATA_BOUNDS,
  type DataAnswer,
  type DataContext,
  defineDataRoute,
  Events,
  type PageAsked,
  refuse,
  Seconds,
  User,
} from './define-data-route.ts';
import { AMOUNT, bound, selected } from './feeds.ts';

const { page, titleCharacters } = DATA_BOUNDS;

const STATUSES = ['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST', 'MERGEABLE', 'CLOSED'] as const;

const SORTS = [
  'CURRENT_VALUE',
  'PRICE',
  'TOKENS',
  'UNREALIZED_PNL',
  'REALIZED_PNL',
  'TOTAL_PNL',
  'TIMESTAMP',
] as const;
type Sort = (typeof SORTS)[number];

/** The orders of the lists of version 1, and those that only version 2 has. */
const OPEN_ORDERS = {
  CURRENT_VALUE: 'CURRENT',
  PRICE: 'PRICE',
  TOKENS: 'TOKENS',
  UNREALIZED_PNL: 'CASHPNL',
  REALIZED_PNL: 'REALIZEDPNL',
  TOTAL_PNL: 'TOTALPNL',
  TIMESTAMP: 'TIMESTAMP',
} as const;

/** Nothing is held any more, so most orders are that of the profit. */
function closedOrder(sort: Sort) {
  return sort === 'TIMESTAMP' ? 'TIMESTAMP' : 'REALIZEDPNL';
}

/** What lost is worth nothing, in any order by its value. */
const LOST_ORDERS = {
  CURRENT_VALUE: 'NOTHING',
  PRICE: 'NOTHING',
  TOKENS: 'TOKENS',
  UNREALIZED_PNL: 'NOTHING',
  REALIZED_PNL: 'REALIZEDPNL',
  TOTAL_PNL: 'REALIZEDPNL',
  TIMESTAMP: 'TIMESTAMP',
} as const;

const DEFAULT_SORTS = {
  OPEN: 'CURRENT_VALUE',
  REDEEMABLE: 'CURRENT_VALUE',
  REDEEMABLE_LOST: 'CURRENT_VALUE',
  MERGEABLE: 'TOKENS',
  CLOSED: 'REALIZED_PNL',
} as const;

const POSITION_QUERY = {
  user: User,
  condition: Conditions,
  event_id: Events,
  status: Type.Optional(
    Type.Enum([...STATUSES], { description: 'OPEN by default, which includes REDEEMABLE' }),
  ),
  title: Type.Optional(
    Type.String({ maxLength: titleCharacters, description: 'A part of the title of the market' }),
  ),
  ...AMOUNT,
  include_archived: Type.Optional(
    Type.Boolean({ description: 'Also positions in archived markets; false by default' }),
  ),
  sort_by: Type.Optional(
    Type.Enum([...SORTS], {
      description: 'By default CURRENT_VALUE; TOKENS of MERGEABLE, REALIZED_PNL of CLOSED',
    }),
  ),
  sort_direction: Type.Optional(Type.Enum(['DESC', 'ASC'], { description: 'DESC by default' })),
  start: Seconds('First second of last_event_at, Unix time; 0 for none'),
  end: Seconds('Last second of last_event_at, Unix time; 0 for none'),
};
type PositionQuery = Type.Static<Type.TObject<typeof POSITION_QUERY>>;

/** Tokens below which a position is left out. */
const DUST = 0.1;

function money(description: string) {
  return Type.Number({ description });
}

const Position = Type.Object({
  proxy_wallet: Type.String(),
  token_id: Type.String(),
  condition_id: Type.String(),
  current_size: money('Tokens held'),
  avg_price: money('Average cost per token; of a closed position the average price paid'),
  entry_cost_usdc: money('Cost of the tokens held, without fees'),
  entry_fees_usdc: money('Fees paid for tokens that were bought'),
  total_cost_usdc: money('entry_cost_usdc and entry_fees_usdc together'),
  current_price: money('Payout of the outcome, or midpoint, or last price, or 0.5'),
  current_value: money('current_size x current_price'),
  total_size: money('All tokens bought'),
  realized_pnl: money('Profit of the tokens sold or redeemed, less fees'),
  unrealized_pnl: money('current_value less entry_cost_usdc'),
  total_pnl: money('realized_pnl and unrealized_pnl together'),
  percent_pnl: money('unrealized_pnl in percent of entry_cost_usdc'),
  percent_realized_pnl: money('current_value over total_size x avg_price, in percent less 100'),
  status: Type.Enum(['OPEN', 'REDEEMABLE', 'CLOSED']),
  redeemable: Type.Boolean({ description: 'The market is resolved and tokens are held' }),
  mergeable: Type.Boolean({ description: 'Both outcomes are held, the market is not resolved' }),
  negative_risk: Type.Boolean(),
  archived: Type.Boolean(),
  title: Type.String(),
  slug: Type.String(),
  icon: Type.String(),
  event_id: Type.String(),
  event_slug: Type.String(),
  outcome: Type.String(),
  outcome_index: Type.Integer(),
  opposite_outcome: Type.String(),
  opposite_token_id: Type.String(),
  end_date: Type.String({ description: 'Such as 2027-06-30; 1970-01-01 without an end' }),
  last_event_at: Type.Integer({ description: 'Unix seconds' }),
  first_entry_at: Type.Integer({ description: 'Unix seconds' }),
  name: Type.String(),
  profile_image: Type.String(),
  verified: Type.Boolean(),
});

type Asked = DataContext & { readonly page: PageAsked };

function leastWorth({ filter_type, filter_amount }: PositionQuery) {
  const isCash = filter_type === 'CASH';
  return {
    leastLots: leastLots(isCash ? DUST : (filter_amount ?? DUST)),
    leastHalfMicros: isCash ? 2 * leastMicros(filter_amount ?? 0) : 0,
  };
}

function ofUser(user: string, query: PositionQuery, asked: Asked): Promise<DataAnswer> {
  const { status = 'OPEN', title = '', start, end } = query;
  const sort = query.sort_by ?? DEFAULT_SORTS[status];
  const { limit, place } = asked.page;
  const { analytics } = asked.services.exchange;
  const [first, last] = [bound(start), bound(end)];
  const shared = {
    ...selected(query),
    version: 2,
    user,
    title: title.trim(),
    limit,
    offset: 0,
    isAscending: query.sort_direction === 'ASC',
    after: place,
    startMs: first === undefined ? undefined : first * SECOND_MS,
    endMs: last === undefined ? undefined : (last + 1) * SECOND_MS - 1,
    hidesArchived: query.include_archived !== true && status !== 'CLOSED',
  } as const;
  if (status === 'CLOSED' || status === 'REDEEMABLE_LOST') {
    const isLost = status === 'REDEEMABLE_LOST';
    const sortBy = isLost ? LOST_ORDERS[sort] : closedOrder(sort);
    return analytics.ask('closedPositions', { ...shared, sortBy, isLost });
  }
  return analytics.ask('positions', {
    ...shared,
    ...leastWorth(query),
    sortBy: OPEN_ORDERS[sort],
    isRedeemable: status === 'REDEEMABLE',
    isMergeable: status === 'MERGEABLE',
  });
}

function ofMarket(market: string, query: PositionQuery, asked: Asked): Promise<DataAnswer> {
  const { status = 'OPEN' } = query;
  const sort = query.sort_by ?? DEFAULT_SORTS[status];
  const { limit, place } = asked.page;
  return asked.services.exchange.analytics.ask('marketPositions', {
    version: 2,
    market,
    status: status === 'CLOSED' ? 'LEFT' : status === 'REDEEMABLE' ? 'REDEEMABLE' : 'HELD',
    sortBy: sort === 'UNREALIZED_PNL' ? 'CASH_PNL' : sort,
    isAscending: query.sort_direction === 'ASC',
    limit,
    offset: 0,
    after: place,
    leastLots: leastWorth(query).leastLots,
  });
}

/** Filters that need an account. */
const OF_USER = ['event_id', 'title', 'start', 'end', 'filter_type'] as const;

export const getPositionsV2 = defineDataRoute({
  path: '/v2/positions',
  summary: 'Positions of an account, open, redeemable or closed; or those of all in a market',
  query: POSITION_QUERY,
  anchors: ['user', 'condition'],
  row: Position,
  page,
  complete: (query) => {
    const { user, condition = [], status = 'OPEN' } = query;
    selected(query);
    if (status === 'CLOSED' && query.include_archived === true) {
      refuse('include_archived', 'not with status CLOSED, which has all markets', true);
    }
    if (user === undefined) {
      if (condition.length > 1) refuse('condition', 'one without user', condition.length);
      if (status === 'REDEEMABLE_LOST') refuse('status', 'user, for REDEEMABLE_LOST', status);
      const other = OF_USER.find((name) => query[name] !== undefined);
      if (other !== undefined) refuse(other, 'only with user', query[other]);
    }
    const sort_by = query.sort_by ?? DEFAULT_SORTS[status];
    return { ...query, status, sort_by, sort_direction: query.sort_direction ?? 'DESC' };
  },
  read: (query, asked) => {
    if (query.user !== undefined) return ofUser(query.user, query, asked);
    return ofMarket(query.condition?.[0] ?? '', query, asked);
  },
});

/** As of an account without any: combos do not exist here. */
export const getComboPositionsV2 = defineDataRoute({
  path: '/v2/positions/combos',
  summary: 'Positions in combos, which do not exist here: always empty',
  query: { user: User, condition: Conditions },
  anchors: ['user'],
  row: Type.Unknown(),
  page,
  read: () => ({ json: '[]' }),
});

export const getValueV2 = defineDataRoute({
  path: '/v2/value',
  summary: 'Value of the open positions of an account',
  query: { user: User, condition: Conditions },
  anchors: ['user'],
  row: Type.Object({ proxy_wallet: Type.String(), value: money('Collateral') }),
  read: ({ user = '', condition }, { services }) =>
    services.exchange.analytics.ask('value', { version: 2, user, markets: condition }),
});

const Volume = {
  volume: money('Tokens of all trades, as taker and as maker'),
  volume_usdc: money('Cash of these trades'),
  trade_count: Type.Integer(),
};

const DAY_SECONDS = DAY_MS / SECOND_MS;

function dayOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.floor(seconds / DAY_SECONDS);
}

export const getUserVolumeV2 = defineDataRoute({
  path: '/v2/user-volume',
  summary: 'What an account traded, in whole UTC days',
  query: {
    user: User,
    start: Seconds('A second of the first day, Unix time; 0 for none'),
    end: Seconds('A second of the last day, Unix time; 0 for none'),
  },
  anchors: ['user'],
  row: Type.Object(Volume),
  read: ({ user = '', start, end }, { services }) => {
    const first = dayOf(bound(start)) ?? 0;
    const last = dayOf(bound(end)) ?? Number.MAX_SAFE_INTEGER;
    return services.exchange.analytics.ask('accountVolume', { user, first, last });
  },
});

const Unknown = Type.Union([Type.Number(), Type.Null()], { description: 'null where unknown' });
/** What stands only at the last point. */
const OF_THE_LAST = ['unrealized_pnl', 'position_pnl', 'trade_pnl', 'fees', 'fees_paid'] as const;

export const ProfitPoint = Type.Object({
  timestamp: Type.Integer({ description: 'Unix seconds' }),
  source_block: Type.Integer({ description: 'Number of the last change that it shows' }),
  realized_market_pnl: money('Profit realized until then, less fees'),
  realized_lp_pnl: money('0'),
  realized_combo_pnl: money('0'),
  realized_pnl: money('As realized_market_pnl'),
  ...Volume,
  ...Object.fromEntries([...OF_THE_LAST, ...UNKNOWN_AMOUNTS].map((name) => [name, Unknown])),
});

const STEPS_MS = {
  '1d': DAY_MS,
  '18h': 18 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '3h': 3 * HOUR_MS,
  '1h': HOUR_MS,
} as const;

const LENGTHS_MS = {
  max: 365 * DAY_MS,
  all: 365 * DAY_MS,
  '1m': 30 * DAY_MS,
  '1w': 7 * DAY_MS,
  '1d': DAY_MS,
  '12h': 12 * HOUR_MS,
  '6h': 6 * HOUR_MS,
} as const;

function keysOf<Name extends string>(table: Readonly<Record<Name, number>>): Name[] {
  return Object.keys(table) as Name[]; // Safe: the keys of a constant.
}

export const getUserPnlV2 = defineDataRoute({
  path: '/v2/user-pnl',
  summary: 'Profit of an account over time',
  query: {
    user: User,
    interval: Type.Optional(
      Type.Enum(keysOf(LENGTHS_MS), {
        description: '1d by default; max and all begin with the account',
      }),
    ),
    fidelity: Type.Optional(
      Type.Enum(keysOf(STEPS_MS), { description: '1h by default; 1d for max and all' }),
    ),
  },
  aliases: { user: ['user_address', 'userAddress'] },
  anchors: ['user'],
  row: Type.Object({
    proxy_wallet: Type.String(),
    interval: Type.String(),
    fidelity: Type.String(),
    source_fidelity: Type.String({ description: 'Profit is known by the day' }),
    points: Type.Array(ProfitPoint, { description: 'Oldest first; the last one is now' }),
  }),
  read: async ({ user = '', interval = '1d', ...query }, { services, request }) => {
    const fromFirst = interval === 'max' || interval === 'all';
    const fidelity = query.fidelity ?? (fromFirst ? '1d' : '1h');
    const stepMs = STEPS_MS[fidelity];
    const lastMs = Math.floor(request.nowMs / stepMs) * stepMs;
    const count = Math.floor(LENGTHS_MS[interval] / stepMs);
    const times = Array.from({ length: count + 1 }, (_, index) => {
      return Math.max(0, (lastMs - (count - index) * stepMs) / SECOND_MS);
    });
    const question = { user, times, fromFirst };
    const { json, seq } = await services.exchange.analytics.ask('profit', question);
    const head = {
      proxy_wallet: toChecksumAddress(user),
      interval,
      fidelity,
      source_fidelity: '1d',
    };
    const points = Buffer.from(json).toString();
    return { json: `{${JSON.stringify(head).slice(1, -1)},"points":${points}}`, seq };
  },
});

export const getUserStatsV2 = defineDataRoute({
  path: '/v2/user-stats',
  summary: 'The card of an account: markets, biggest win, profit; null if nobody has it',
  query: { user: User },
  anchors: ['user'],
  row: Type.Union([
    Type.Object({
      proxy_wallet: Type.String(),
      trades: Type.Integer({ description: 'Markets in which it traded' }),
      biggest_win: money('Most that a position in a resolved market won, if over 1; or 0'),
      views: Type.Integer({ description: '0: visits are not counted here' }),
      join_date: Type.Null({ description: 'Not known here' }),
      all_time_pnl: ProfitPoint,
    }),
    Type.Null(),
  ]),
  read: ({ user = '' }, { services, request: { nowMs } }) =>
    services.exchange.analytics.ask('stats', { user, now: Math.floor(nowMs / SECOND_MS) }),
});
