/** The kinds of analytics questions, and the function that answers each. */
import { accountVolumeText, profitText, statsText } from './account-days.ts';
import { tradedText, valueText, volumeText } from './account-figures.ts';
import { accountingText } from './accounting.ts';
import { activityText } from './activity.ts';
import type { AnalyticsReads, AnswerForm } from './analytics-reads.ts';
import { builderBoardText, builderVolumeText } from './builders.ts';
import { fillsText } from './fills.ts';
import { holdersText } from './holders.ts';
import { leaderboardText } from './leaderboard.ts';
import { liveVolumeText, openInterestText } from './market-figures.ts';
import { marketPositionsText } from './market-positions.ts';
import type { PageText, RowPlace } from './page-text.ts';
import { closedPositionsText, openPositionsText } from './positions.ts';
import { resolutionsText } from './resolutions.ts';
import { winnersText } from './winners.ts';

const TEXTS = {
  fills: fillsText,
  activity: activityText,
  closedPositions: closedPositionsText,
  positions: openPositionsText,
  marketPositions: marketPositionsText,
  value: valueText,
  traded: tradedText,
  volume: volumeText,
  holders: holdersText,
  openInterest: openInterestText,
  liveVolume: liveVolumeText,
  leaderboard: leaderboardText,
  builderBoard: builderBoardText,
  builderVolume: builderVolumeText,
  accountVolume: accountVolumeText,
  profit: profitText,
  stats: statsText,
  resolutions: resolutionsText,
  winners: winnersText,
  accounting: accountingText,
} as const;

export type AnalyticsKind = keyof typeof TEXTS;

export interface AnalyticsAnswer {
  /** JSON in UTF-8, sent as it is: bytes take half of the main thread's time that a text takes. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** The last change that it shows. */
  readonly seq: number;
  /** The place after the page, if more rows follow it. */
  readonly next?: RowPlace | undefined;
}

export type AnalyticsKinds = {
  readonly [Kind in AnalyticsKind]: {
    readonly ask: Parameters<(typeof TEXTS)[Kind]>[1] & AnswerForm;
    readonly answer: AnalyticsAnswer;
  };
};

export interface ExchangeAnalytics {
  /**
   * Shows all that was applied before the call. Rejects with StoreError `reader_unavailable`,
   * `overloaded` or `search_too_wide`.
   */
  ask<Kind extends AnalyticsKind>(
    kind: Kind,
    question: AnalyticsKinds[Kind]['ask'],
  ): Promise<AnalyticsAnswer>;
}

export function isAnalyticsKind(kind: string): kind is AnalyticsKind {
  return Object.hasOwn(TEXTS, kind);
}

const encoder = new TextEncoder();

/** Runs inside one read transaction. */
export function answerAnalytics(
  reads: AnalyticsReads,
  kind: AnalyticsKind,
  question: unknown,
): AnalyticsAnswer {
  // Safe: the asker pairs each kind with its question.
  reads.begin(question as AnswerForm);
  const write = TEXTS[kind] as (reads: AnalyticsReads, question: unknown) => string | PageText;
  const answer = write(reads, question);
  const { text, next } = typeof answer === 'string' ? { text: answer, next: undefined } : answer;
  return { json: encoder.encode(text), seq: reads.seq(), next };
}
