/**
 * What can be asked of the analytics thread. Invariant: each question is answered in one read
 * transaction, by a text of JSON that is sent as it is, with the seq of the last change that it
 * shows. Bounds: the routes check what is asked for (READ_BOUNDS), the reads what they go through.
 */

import type { TradedQuestion, ValueQuestion } from './read-account-figures.ts';
import type { ActivityQuestion } from './read-activity.ts';
import type { HoldersQuestion } from './read-holders.ts';
import type { LeaderboardQuestion } from './read-leaderboard.ts';
import type { LiveVolumeQuestion, OpenInterestQuestion } from './read-market-figures.ts';
import type { ClosedPositionsQuestion, PositionsQuestion } from './read-positions.ts';
import type { TradesQuestion } from './read-trades.ts';

/** A question of each kind; its answer is made by read-<kind>.ts. */
export interface AnalyticsQuestions {
  readonly trades: TradesQuestion;
  readonly activity: ActivityQuestion;
  readonly closedPositions: ClosedPositionsQuestion;
  readonly positions: PositionsQuestion;
  readonly value: ValueQuestion;
  readonly traded: TradedQuestion;
  readonly holders: HoldersQuestion;
  readonly openInterest: OpenInterestQuestion;
  readonly liveVolume: LiveVolumeQuestion;
  readonly leaderboard: LeaderboardQuestion;
}

export type AnalyticsKind = keyof AnalyticsQuestions;

export interface AnalyticsAnswer {
  /** JSON. */
  readonly text: string;
  /** The last change that it shows. */
  readonly seq: number;
}

export interface ExchangeAnalytics {
  /**
   * Shows all that was applied at the call. Rejects with StoreError `reader_unavailable`,
   * `overloaded` or `search_too_wide`.
   */
  ask<Kind extends AnalyticsKind>(
    kind: Kind,
    question: AnalyticsQuestions[Kind],
  ): Promise<AnalyticsAnswer>;
}
