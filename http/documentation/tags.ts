/** The areas of the API: what the document groups its routes by. */
import type { JsonObject } from './schema.ts';

interface Area {
  readonly name: string;
  readonly description: string;
  /** First segments of its paths; two where the first alone does not say it. */
  readonly segments: readonly string[];
}

const PUBLIC_AREAS: readonly Area[] = [
  {
    name: 'Service',
    description: 'Whether it works, what time it is, what it allows',
    segments: ['', 'ok', 'time', 'version', 'healthz', 'readyz', 'metrics', 'limits'],
  },
  {
    name: 'Credentials',
    description: 'API keys: issued to a wallet, used to sign every private request',
    segments: ['auth'],
  },
  {
    name: 'Markets',
    description: 'What is traded, and by which rules',
    segments: [
      'markets',
      'simplified-markets',
      'sampling-markets',
      'sampling-simplified-markets',
      'clob-markets',
      'markets-by-token',
      'tick-size',
      'neg-risk',
      'fee-rate',
      'fees',
    ],
  },
  {
    name: 'Catalog',
    description: 'Events, series, tags, people and what they say, and the search for them',
    segments: [
      'events',
      'series',
      'tags',
      'comments',
      'teams',
      'sports',
      'public-search',
      'public-profile',
      'profiles',
      'profile',
    ],
  },
  {
    name: 'Analytics',
    description: 'Fills, positions, holders and what they add up to, for anybody',
    segments: [
      'trades',
      'activity',
      'positions',
      'closed-positions',
      'holders',
      'value',
      'traded',
      'oi',
      'live-volume',
      'v1/leaderboard',
      'v1/builders',
    ],
  },
  {
    name: 'Books and prices',
    description: 'What is offered now, and what prices were',
    segments: [
      'book',
      'books',
      'price',
      'prices',
      'midpoint',
      'midpoints',
      'spread',
      'spreads',
      'last-trade-price',
      'last-trades-prices',
      'prices-history',
      'batch-prices-history',
      'live-activity',
    ],
  },
  {
    name: 'Orders',
    description: 'Placing and canceling; a signed order that is sent again is never placed twice',
    segments: [
      'order',
      'orders',
      'cancel-all',
      'cancel-market-orders',
      'v1/heartbeats',
      'heartbeats',
      'debug',
    ],
  },
  {
    name: 'Account',
    description: 'Your orders, trades, balances and sets',
    segments: ['sets', 'data', 'builder', 'balance-allowance', 'notifications'],
  },
  {
    name: 'Rewards and quotes',
    description: 'What published clients ask for and this exchange does not have: honest empties',
    segments: ['rewards', 'rebates', 'rfq', 'order-scoring', 'orders-scoring'],
  },
  {
    name: 'Documentation',
    description: 'This document, a page that shows it, the document of the streams, and pictures',
    segments: ['openapi.json', 'asyncapi.json', 'docs', 'images'],
  },
];

const OPERATOR_AREA: Area = {
  name: 'Operator',
  description: 'Accounts, money, markets and audits, for the operator alone',
  segments: [],
};

/** How many of a path's segments may be needed to know its area. */
const LONGEST = 2;

function beginningsOf(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  return Array.from({ length: LONGEST }, (_, index) => segments.slice(0, index + 1).join('/'));
}

/** The area of a path of the public listener; undefined for one that belongs to none yet. */
export function publicTagOf(path: string): string | undefined {
  return PUBLIC_AREAS.find(({ segments }) =>
    beginningsOf(path).some((beginning) => segments.includes(beginning)),
  )?.name;
}

/** The one area of the operator's listener. */
export function operatorTagOf(): string {
  return OPERATOR_AREA.name;
}

function describe({ name, description }: Area): JsonObject {
  return { name, description };
}

export const PUBLIC_TAGS: readonly JsonObject[] = PUBLIC_AREAS.map(describe);
export const OPERATOR_TAGS: readonly JsonObject[] = [describe(OPERATOR_AREA)];
