/**
 * The settings of the crowd, the simulated participants of a sandbox (sandbox/crowd/).
 */

/**
 * What the crowd does in a market. `off`: nothing; `still`: it puts quotes on the book once;
 * `live`: it trades, while somebody watches.
 */
export const CROWD_MODES = ['off', 'still', 'live'] as const;
export type CrowdMode = (typeof CROWD_MODES)[number];

/** The numbers of the crowd's model. */
export interface CrowdModel {
  /**
   * A factor on the standard deviation of a fair value's moves. With 1, all of the uncertainty of a
   * market is gone when it ends.
   */
  readonly volatility: number;
  /** News in a day of trading, over all markets together. */
  readonly newsPerDay: number;
  /** The part of a market's remaining variance that a piece of news reveals, in percent. */
  readonly newsPercent: number;
  /** Resting orders of a maker on each side. */
  readonly orders: number;
  /** The median size of a resting order, in tokens. */
  readonly orderTokens: number;
  /** Days of made-up trading before the first start. */
  readonly pastDays: number;
}

/** The least and the greatest value of each number; `orders` must be whole. */
export const CROWD_MODEL_LIMITS: {
  readonly [Name in keyof CrowdModel]: readonly [least: number, most: number];
} = {
  volatility: [0, 1_000],
  newsPerDay: [0, 86_400],
  newsPercent: [0, 90],
  orders: [1, 50],
  orderTokens: [1, 10_000],
  pastDays: [0, 30],
};

export const DEFAULT_CROWD_MODEL: CrowdModel = {
  volatility: 1,
  newsPerDay: 4,
  newsPercent: 15,
  orders: 28,
  orderTokens: 60,
  pastDays: 30,
};

/** The most orders and cancels a second that `crowdPace` allows. */
export const MOST_CROWD_PACE = 50;
