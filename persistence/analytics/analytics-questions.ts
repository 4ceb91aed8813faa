/**
 * What can be asked of the analytics thread. Invariant: each question is answered in one read
 * transaction, by a text of JSON that is sent as it is, with the seq of the last change that it
 * shows. Bounds: the routes check what is asked for; ANALYTICS_BOUNDS are asserted here.
 */

/** A question of each kind; its answer is made by read-<kind>.ts. */
export interface AnalyticsQuestions {
  /** For tests: the market's words. */
  readonly words: { readonly conditionId: string };
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
