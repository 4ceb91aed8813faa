/**
 * The worlds that random commands are drawn in, as numbers: a handful of people in a few markets,
 * who meet every bound and every fault, and a crowd whose markets begin and end all the time.
 */
import type { Bounds } from '../../../engine/index.ts';
import { BOUNDS } from '../../../engine/index.ts';
import { Random } from './random.ts';

export interface RandomScene {
  readonly bounds: (seed: number) => Partial<Bounds>;
  /** What sizes and money are multiplied by under these bounds. */
  readonly scale: (bounds: Bounds) => number;
  readonly owners: number;
  /** So many accounts and markets there are before anything else happens. */
  readonly leastAccounts: number;
  readonly leastMarkets: number;
  /** Before the markets: then the fee account, which comes with fees, is not the first of all. */
  readonly peopleFirst: boolean;
  /** Markets that may be created; the first of them have no event, or one of their own. */
  readonly candidates: number;
  readonly loneMarkets: number;
  /** Events that the others share. */
  readonly families: number;
  /**
   * How much more often than among the few something is done that markets begin and end with;
   * above 1, those that ended are replaced.
   */
  readonly turnover: number;
  /** Of orders, in per cent, those that open an account. */
  readonly openings: number;
  /**
   * Of those who act, in per cent, those who are looked for because they have what it takes: among
   * the few nobody, because anybody may.
   */
  readonly able: number;
  /** Idempotency keys of cash, and those of tokens: few, so that they are used again. */
  readonly cashKeys: number;
  readonly setKeys: number;
}

/** Sizes and money of a simulation on a grand scale: past 2^32 lots, toward 2^53 micros. */
const GRAND = 4_000_000;

/**
 * Small enough that a simulation of a few thousand commands meets every one of them; for one seed
 * in three, amounts are as large as the units allow.
 */
export function randomBounds(seed: number): Partial<Bounds> {
  const random = new Random(seed ^ 0x5eed);
  const drawn = {
    accounts: 14,
    markets: random.pick([6, 12]),
    marketsPerEvent: random.pick([3, 5]),
    liveOrdersPerAccount: random.pick([10, 30]),
    delayedOrders: random.pick([2, 10, 40]),
    keysPerOwner: 3,
    keysEverPerOwner: 6,
    dismissalsPerCommand: 4,
    standings: 2,
    builders: 4,
    redemptionsPerCommand: random.pick([1, 3]),
    fillsPerCommand: random.pick([3, 12, 12, 40]),
    makersPerTrade: random.pick([1, 2, 3]),
    cancelsPerCommand: 8,
    recentOrders: random.pick([1, 40, 40, 150]),
    idempotencyKeys: random.pick([150, 4_000]),
    orderLots: 1_000_000,
    amountMicros: 400_000_000,
    totalMicros: random.pick([300_000_000, 1_200_000_000]),
  };
  const small = {
    ...drawn,
    holderIdempotencyKeys: drawn.idempotencyKeys - 20,
    delayedOrdersPerOwner: Math.ceil(drawn.delayedOrders / 2),
  };
  if (seed % 3 !== 0) return small;
  const { orderLots, amountMicros, totalMicros } = BOUNDS;
  return { ...small, orderLots, amountMicros, totalMicros };
}

/** Those in force, but for what a slow engine could not bear. */
function crowdBounds(seed: number): Partial<Bounds> {
  return {
    accounts: 600,
    liveOrdersPerAccount: 20,
    recentOrders: 1_000,
    redemptionsPerCommand: 50,
    cancelsPerCommand: 20,
    makersPerTrade: seed % 2 === 0 ? BOUNDS.makersPerTrade : 3,
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
  scale: ({ makersPerTrade }) => (makersPerTrade === BOUNDS.makersPerTrade ? 1 : 1_000),
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
