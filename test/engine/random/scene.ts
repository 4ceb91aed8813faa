/**
 * The sizes of random runs: FEW owners in a few markets with small bounds, so that every bound is
 * met, and a CROWD of owners whose markets start and end all the time.
 */
import type { Bounds } from '../../../engine/index.ts';
import { BOUNDS } from '../../../engine/index.ts';
import { Random } from '../../../http/codec/random.ts';

export interface RandomScene {
  readonly bounds: (seed: number) => Partial<Bounds>;
  /** The factor of sizes and money under these bounds. */
  readonly scale: (bounds: Bounds) => number;
  readonly owners: number;
  /** The accounts and markets that exist before other commands are drawn. */
  readonly leastAccounts: number;
  readonly leastMarkets: number;
  /** Whether accounts come before markets, so that the fee account is not the first account. */
  readonly peopleFirst: boolean;
  /** Markets that can be created. The first `loneMarkets` have no event or one of their own. */
  readonly candidates: number;
  readonly loneMarkets: number;
  /** Events that the other markets share. */
  readonly families: number;
  /** The factor of commands that start and end markets. Above 1, ended markets are replaced. */
  readonly turnover: number;
  /** Per cent of orders that open an account. */
  readonly openings: number;
  /** Per cent of commands whose account is chosen because it has the necessary assets. */
  readonly able: number;
  /** Different idempotency keys of cash and of tokens: few enough that they repeat. */
  readonly cashKeys: number;
  readonly setKeys: number;
}

/** The factor of runs with huge amounts: beyond 2^32 lots, towards 2^53 micros. */
const GRAND = 4_000_000;

/**
 * Bounds so small that a few thousand commands meet every one of them. For one seed in three,
 * amounts are as large as the units permit.
 */
export function randomBounds(seed: number): Partial<Bounds> {
  const random = new Random(seed ^ 0x5eed);
  const drawn = {
    accounts: 14,
    markets: random.pick([6, 12]),
    marketsPerEvent: random.pick([3, 5]),
    liveOrdersPerAccount: random.pick([10, 30]),
    delayedOrdersPerMarket: random.pick([2, 10, 40]),
    quietDelayedOrders: random.pick([1, 2]),
    accountsPerOwner: random.pick([2, 20]),
    liveOrdersPerOwner: random.pick([20, 60]),
    liveOrders: random.pick([60, 400]),
    busyLiveOrders: random.pick([50, 200]),
    quietLiveOrders: random.pick([2, 5]),
    keysPerOwner: 3,
    keysEverPerOwner: 6,
    dismissalsPerCommand: 4,
    standings: 2,
    builders: 4,
    redemptionsPerCommand: random.pick([1, 3]),
    fillsPerCommand: random.pick([3, 12, 12, 40]),
    cancelsPerCommand: 8,
    recentOrders: random.pick([1, 40, 40, 150]),
    rememberedMoneyKeys: random.pick([1, 20, 150]),
    orderLots: 1_000_000,
    amountMicros: 400_000_000,
    totalMicros: random.pick([300_000_000, 1_200_000_000]),
    workPerCommand: random.pick([1, 2, 5, 500]),
  };
  const small = {
    ...drawn,
    busyLiveOrders: Math.min(drawn.busyLiveOrders, drawn.liveOrders - 5),
    delayedOrdersPerOwner: Math.ceil(drawn.delayedOrdersPerMarket / 2),
    busyDelayedOrdersPerMarket: Math.ceil(drawn.delayedOrdersPerMarket * 0.8),
    holderAccounts: 12,
    holderMicros: drawn.totalMicros * 0.9,
  };
  if (seed % 3 !== 0) return small;
  const { orderLots, amountMicros, totalMicros } = BOUNDS;
  return { ...small, orderLots, amountMicros, totalMicros, holderMicros: BOUNDS.holderMicros };
}

/** The real bounds, except those that would be too slow for the naive engine. */
function crowdBounds(seed: number): Partial<Bounds> {
  return {
    accounts: 600,
    rememberedMoneyKeys: 60,
    liveOrdersPerAccount: 20,
    recentOrders: 1_000,
    redemptionsPerCommand: 50,
    workPerCommand: seed % 2 === 0 ? BOUNDS.workPerCommand : 2,
    cancelsPerCommand: 20,
  };
}

export const FEW: RandomScene = {
  bounds: randomBounds,
  scale: ({ orderLots }) => (orderLots === BOUNDS.orderLots ? GRAND : 1),
  owners: 6,
  leastAccounts: 4,
  leastMarkets: 2,
  peopleFirst: false,
  candidates: 20,
  loneMarkets: 9,
  families: 3,
  turnover: 1,
  openings: 8,
  able: 0,
  cashKeys: 3_000,
  setKeys: 400,
};

export const CROWD: RandomScene = {
  bounds: crowdBounds,
  scale: ({ workPerCommand }) => (workPerCommand === BOUNDS.workPerCommand ? 1 : 1_000),
  owners: 120,
  leastAccounts: 310,
  leastMarkets: 44,
  peopleFirst: true,
  candidates: 56,
  loneMarkets: 32,
  families: 6,
  turnover: 4,
  openings: 1,
  able: 90,
  cashKeys: 100_000,
  setKeys: 20_000,
};
