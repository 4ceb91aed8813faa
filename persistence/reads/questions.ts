/** Every kind of read: its question and its answer. */
import type { AnalyticsKinds } from './analytics/index.ts';
import type { ExplorerKinds } from './explorer/explorer-reads.ts';
import type { RecordReads } from './records/index.ts';

export type RecordKinds = {
  readonly [Kind in keyof RecordReads]: {
    readonly ask: Parameters<RecordReads[Kind]>[0];
    readonly answer: ReturnType<RecordReads[Kind]>;
  };
};

export type ReadKinds = RecordKinds & AnalyticsKinds & ExplorerKinds;

/**
 * The methods of RecordReads, answered by a thread. An answer shows all that was applied before the
 * call. Rejects with StoreError `reader_unavailable`, `overloaded` or, for trades,
 * `search_too_wide`.
 */
export type Reader = {
  readonly [Kind in keyof RecordKinds]: (
    question: RecordKinds[Kind]['ask'],
  ) => Promise<RecordKinds[Kind]['answer']>;
};
