/**
 * The settings of the crowd, the simulated participants of a sandbox (sandbox/crowd/).
 */

/**
 * What the crowd does in a market. `off`: nothing; `still`: it puts quotes on the book once;
 * `live`: it trades, while somebody watches.
 */
export const CROWD_MODES = ['off', 'still', 'live'] as const;
export type CrowdMode = (typeof CROWD_MODES)[number];

/**
 * The numbers of the crowd's model. Times are in minutes; fair values move in log-odds, where a
 * step of 0.04 at a price of 0.5 is one cent.
 */
export interface CrowdModel {
  /** How much a maker dislikes its inventory: gamma of the quotes' formula. */
  readonly riskAversion: number;
  /** How fast fewer orders come at a greater distance, per unit of log-odds: k of the formula. */
  readonly orderDecay: number;
  /** How long a maker expects to hold its inventory: T - t of the formula. */
  readonly horizonMinutes: number;
  /** The standard deviation of a fair value's move in one minute. */
  readonly volatility: number;
  /** The time in which a fair value loses two thirds of its distance to its usual level. */
  readonly pullMinutes: number;
  /** News in an hour, of a market or an event. */
  readonly newsPerHour: number;
  /** The standard deviation of the jump that news make. */
  readonly newsSize: number;
  /** Price levels of a maker's quotes on each side. */
  readonly levels: number;
  /** Tokens at the best price; further levels have more. */
  readonly levelTokens: number;
  /** How much of all turns noise traders have, in percent. */
  readonly noisePercent: number;
  /** How much of all turns informed traders have, in percent; makers have the rest. */
  readonly informedPercent: number;
}

/** The least and the greatest value of each number; `levels` must be whole. */
export const CROWD_MODEL_LIMITS: {
  readonly [Name in keyof CrowdModel]: readonly [least: number, most: number];
} = {
  riskAversion: [0.01, 10],
  orderDecay: [1, 1_000],
  horizonMinutes: [0.1, 1_440],
  volatility: [0, 2],
  pullMinutes: [1, 100_000],
  newsPerHour: [0, 3_600],
  newsSize: [0, 5],
  levels: [1, 20],
  levelTokens: [1, 100_000],
  noisePercent: [0, 50],
  informedPercent: [0, 50],
};

export const DEFAULT_CROWD_MODEL: CrowdModel = {
  riskAversion: 0.5,
  orderDecay: 30,
  horizonMinutes: 10,
  volatility: 0.07,
  pullMinutes: 30,
  newsPerHour: 4,
  newsSize: 0.6,
  levels: 4,
  levelTokens: 100,
  noisePercent: 35,
  informedPercent: 15,
};

/** The most orders and cancels a second that `crowdPace` allows. */
export const MOST_CROWD_PACE = 50;
