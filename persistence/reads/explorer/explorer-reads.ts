/** The kinds of questions of the explorer, each with what answers it. */
import type { JournalReader } from '../../journal/reader.ts';
import type { RecordReads } from '../records/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import { type CommandsQuery, exploreCommand, exploreCommands } from './commands.ts';
import { exploreHoldings, type HoldingHistoryQuery } from './holding-history.ts';
import { type ExploredMarketQuery, exploreAccount, exploreMarket, exploreOrder } from './orders.ts';

export interface ExplorerSources {
  readonly tables: ReadTables;
  readonly records: RecordReads;
  readonly journal: JournalReader;
}

const READS = {
  /** The range of commands in place of one that can't be read. */
  exploredCommand: ({ tables, journal }: ExplorerSources, seq: number) =>
    exploreCommand(tables, journal, seq),
  exploredCommands: ({ tables, journal }: ExplorerSources, query: CommandsQuery) =>
    exploreCommands(tables, journal, query),
  exploredOrder: ({ tables, records }: ExplorerSources, orderId: string) =>
    exploreOrder(tables, records, orderId),
  exploredAccount: ({ tables }: ExplorerSources, address: string) =>
    exploreAccount(tables, address),
  exploredMarket: ({ tables, records }: ExplorerSources, query: ExploredMarketQuery) =>
    exploreMarket(tables, records, query),
  /** Throws StoreError `search_too_wide`. */
  holdingHistory: ({ tables }: ExplorerSources, query: HoldingHistoryQuery) =>
    exploreHoldings(tables, query),
} as const;

export type ExplorerKinds = {
  readonly [Kind in keyof typeof READS]: {
    readonly ask: Parameters<(typeof READS)[Kind]>[1];
    readonly answer: ReturnType<(typeof READS)[Kind]>;
  };
};

export interface ExchangeExplorer {
  /**
   * Shows all that was applied before the call. Rejects with StoreError `reader_unavailable`,
   * `overloaded` or `search_too_wide`.
   */
  ask<Kind extends keyof ExplorerKinds>(
    kind: Kind,
    question: ExplorerKinds[Kind]['ask'],
  ): Promise<ExplorerKinds[Kind]['answer']>;
}

export function isExplorerKind(kind: string): kind is keyof ExplorerKinds {
  return Object.hasOwn(READS, kind);
}

/** Must run inside one read transaction of the tables. */
export function answerExplorer(
  sources: ExplorerSources,
  kind: keyof ExplorerKinds,
  question: unknown,
): unknown {
  // Safe: the asker pairs each kind with its question.
  return READS[kind](sources, question as never);
}
