/** The areas by which the document groups its routes. */
import type { JsonObject } from './schema.ts';

interface Area {
  readonly name: string;
  readonly description: string;
  /** The first segments of its paths, separated by spaces; two where one is not enough. */
  readonly segments: string;
}

const PUBLIC_AREAS: readonly Area[] = [
  {
    name: 'Service',
    description: 'Health, time, version and limits',
    segments: '/ ok time version healthz readyz metrics limits',
  },
  {
    name: 'Credentials',
    description: 'API keys, which are issued to a wallet and sign every private request',
    segments: 'auth',
  },
  {
    name: 'Markets',
    description: 'Markets and their trading terms',
    segments:
      'markets simplified-markets sampling-markets sampling-simplified-markets ' +
      'clob-markets markets-by-token tick-size neg-risk fee-rate fees',
  },
  {
    name: 'Catalog',
    description: 'Events, series, tags, comments and profiles, and the search for them',
    segments:
      'events series tags comments teams sports public-search public-profile profiles ' + 'profile',
  },
  {
    name: 'Analytics',
    description: 'Public fills, positions, holders and their sums',
    segments:
      'trades activity positions closed-positions holders value traded oi live-volume ' +
      'v1/leaderboard v1/builders',
  },
  {
    name: 'Books and prices',
    description: 'Current order books and past prices',
    segments:
      'book books price prices midpoint midpoints spread spreads last-trade-price ' +
      'last-trades-prices prices-history batch-prices-history live-activity',
  },
  {
    name: 'Orders',
    description: 'Placing and cancelling; a signed order that is sent again is never placed twice',
    segments: 'order orders cancel-all cancel-market-orders v1/heartbeats heartbeats debug',
  },
  {
    name: 'Account',
    description: 'Your orders, trades, balances and sets',
    segments: 'sets data builder balance-allowance notifications',
  },
  {
    name: 'Rewards and quotes',
    description:
      'Features of published clients that this exchange does not have; the answers are empty',
    segments: 'rewards rebates rfq order-scoring orders-scoring',
  },
  {
    name: 'Documentation',
    description: 'This document, its page, the document of the streams, and pictures',
    segments: 'openapi.json asyncapi.json docs images',
  },
];

const OPERATOR_AREA: Area = {
  name: 'Operator',
  description: 'Accounts, money, markets and audits',
  segments: '',
};

/** The area of a path of the public listener; undefined for a path without an area. */
export function publicTagOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/').slice(1);
  const starts = [first === '' ? '/' : first, `${first}/${second}`];
  return PUBLIC_AREAS.find(({ segments }) =>
    segments.split(' ').some((segment) => starts.includes(segment)),
  )?.name;
}

export function operatorTagOf(): string {
  return OPERATOR_AREA.name;
}

function describe({ name, description }: Area): JsonObject {
  return { name, description };
}

export const PUBLIC_TAGS: readonly JsonObject[] = PUBLIC_AREAS.map(describe);
export const OPERATOR_TAGS: readonly JsonObject[] = [describe(OPERATOR_AREA)];
