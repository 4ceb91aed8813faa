/**
 * The entry of a read thread. It answers questions over a read-only connection to analytics.db, one
 * at a time, each in one read transaction. The journal's indexes and the catalog are opened by the
 * first question that needs them.
 */
import '../threads/node-version.ts';
import { workerData } from 'node:worker_threads';
import { type MoneyKeyIndex, openMoneyKeyIndex } from '../journal/money-keys.ts';
import { type JournaledOrderKeys, openOrderKeys } from '../journal/order-ids.ts';
import { JournalReader } from '../journal/reader.ts';
import {
  type AnswerMessage,
  answerQuestions,
  runWorker,
  type ThreadName,
} from '../threads/index.ts';
import {
  type AnalyticsAnswer,
  AnalyticsReads,
  answerAnalytics,
  isAnalyticsKind,
} from './analytics/index.ts';
import { answerExplorer, type ExplorerSources, isExplorerKind } from './explorer/explorer-reads.ts';
import { RecordReads } from './records/index.ts';
import { openReadTables } from './tables/read-tables.ts';

export interface ReadThreadData {
  readonly threadName: ThreadName;
  readonly projectionPath: string;
  readonly journalPath: string;
  readonly catalogPath: string;
}

type Answer = (kind: string, question: unknown) => unknown;

/** The bytes of analytics change threads without a copy. */
function transferOf(answer: unknown): ArrayBuffer[] {
  const { json } = (answer ?? {}) as Partial<AnalyticsAnswer>;
  return json === undefined ? [] : [json.buffer];
}

function openReads(data: ReadThreadData, post: (message: AnswerMessage) => void) {
  const tables = openReadTables(data.projectionPath);
  let orderKeys: JournaledOrderKeys | undefined;
  let moneyKeys: MoneyKeyIndex | undefined;
  let records: RecordReads | undefined;
  let analytics: AnalyticsReads | undefined;
  let explorer: ExplorerSources | undefined;
  const openRecords = (): RecordReads => {
    orderKeys = openOrderKeys(data.journalPath);
    moneyKeys = openMoneyKeyIndex(data.journalPath);
    return new RecordReads(tables, orderKeys.keyOf, moneyKeys);
  };
  const openAnalytics = (): AnalyticsReads => {
    tables.database.prepare('ATTACH ? AS catalog').run(data.catalogPath);
    return new AnalyticsReads(tables);
  };
  const openExplorer = (): ExplorerSources => {
    records ??= openRecords();
    return { tables, records, journal: new JournalReader(data.journalPath) };
  };
  const inTransaction = tables.database.transaction((read: () => unknown) => read());
  const answer: Answer = (kind, question) => {
    if (isAnalyticsKind(kind)) {
      analytics ??= openAnalytics();
      const reads = analytics;
      return inTransaction(() => answerAnalytics(reads, kind, question));
    }
    if (isExplorerKind(kind)) {
      explorer ??= openExplorer();
      const sources = explorer;
      return inTransaction(() => answerExplorer(sources, kind, question));
    }
    records ??= openRecords();
    const reads = records;
    // Safe: the asker pairs each kind, a method of the reads, with its question.
    const read = reads[kind as keyof RecordReads] as (question: unknown) => unknown;
    return inTransaction(() => read.call(reads, question));
  };
  const close = (): void => {
    orderKeys?.close();
    moneyKeys?.close();
    explorer?.journal.close();
    tables.database.close();
  };
  return answerQuestions({ answer, close, transferOf }, post);
}

// Safe: ReadHost starts this file with its data.
runWorker((workerData as ReadThreadData).threadName, openReads);
