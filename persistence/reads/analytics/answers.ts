/**
 * Which module answers which question of analytics. Invariant: nothing is written; the caller runs
 * each question in one read transaction.
 */
import assert from 'node:assert';
import type { AnalyticsAnswer, AnalyticsKind, AnalyticsQuestions } from './questions.ts';
import { tradedText, valueText } from './read-account-figures.ts';
import { activityText } from './read-activity.ts';
import { holdersText } from './read-holders.ts';
import { leaderboardText } from './read-leaderboard.ts';
import { liveVolumeText, openInterestText } from './read-market-figures.ts';
import { closedPositionsText, openPositionsText } from './read-positions.ts';
import { tradesText } from './read-trades.ts';
import type { AnalyticsReads } from './reads.ts';

type Answers = {
  readonly [Kind in AnalyticsKind]: (
    reads: AnalyticsReads,
    question: AnalyticsQuestions[Kind],
  ) => string;
};

const ANSWERS: Answers = {
  trades: tradesText,
  activity: activityText,
  closedPositions: closedPositionsText,
  positions: openPositionsText,
  value: valueText,
  traded: tradedText,
  holders: holdersText,
  openInterest: openInterestText,
  liveVolume: liveVolumeText,
  leaderboard: leaderboardText,
};

export function answerAnalytics(
  reads: AnalyticsReads,
  kind: string,
  question: unknown,
): AnalyticsAnswer {
  assert(Object.hasOwn(ANSWERS, kind), `analytics have no question ${kind}`);
  // Safe: kind and question were paired by ExchangeAnalytics, whose calls are all there is.
  const answer = ANSWERS[kind as AnalyticsKind] as (
    reads: AnalyticsReads,
    question: unknown,
  ) => string;
  reads.begin();
  return { seq: reads.seq(), text: answer(reads, question) };
}
