/**
 * One method for each kind of question of the explorer. Each call must run inside one read
 * transaction of the tables.
 */
import type { JournalReader } from '../../journal/reader.ts';
import type { RecordReads } from '../records/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import {
  type CommandPage,
  type CommandsQuery,
  type ExploredCommand,
  exploreCommand,
  exploreCommands,
  type ReadableRange,
} from './commands.ts';
import {
  exploreHoldings,
  type HoldingHistory,
  type HoldingHistoryQuery,
} from './holding-history.ts';
import {
  type ExploredAccount,
  type ExploredMarket,
  type ExploredMarketQuery,
  type ExploredOrder,
  exploreAccount,
  exploreMarket,
  exploreOrder,
} from './orders.ts';

export class ExplorerReads {
  readonly #tables: ReadTables;
  readonly #records: RecordReads;
  readonly #journal: JournalReader;

  constructor(tables: ReadTables, records: RecordReads, journal: JournalReader) {
    this.#tables = tables;
    this.#records = records;
    this.#journal = journal;
  }

  /** The range of commands in place of one that can't be read. */
  exploredCommand(seq: number): ExploredCommand | ({ readonly kind: 'none' } & ReadableRange) {
    return exploreCommand(this.#tables, this.#journal, seq);
  }

  exploredCommands(query: CommandsQuery): CommandPage {
    return exploreCommands(this.#tables, this.#journal, query);
  }

  exploredOrder(orderId: string): ExploredOrder | undefined {
    return exploreOrder(this.#tables, this.#records, orderId);
  }

  exploredAccount(address: string): ExploredAccount | undefined {
    return exploreAccount(this.#tables, address);
  }

  exploredMarket(query: ExploredMarketQuery): ExploredMarket | undefined {
    return exploreMarket(this.#tables, this.#records, query);
  }

  /** Throws StoreError `search_too_wide`. */
  holdingHistory(query: HoldingHistoryQuery): HoldingHistory {
    return exploreHoldings(this.#tables, query);
  }
}

export type ExplorerKinds = {
  readonly [Kind in keyof ExplorerReads]: {
    readonly ask: Parameters<ExplorerReads[Kind]>[0];
    readonly answer: ReturnType<ExplorerReads[Kind]>;
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
  return kind !== 'constructor' && Object.hasOwn(ExplorerReads.prototype, kind);
}
