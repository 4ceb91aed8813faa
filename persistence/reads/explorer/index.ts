/**
 * Reads of the explorer: commands as they were journaled with what they did, and what belongs to
 * one order, account or market. Invariant: an answer shows no command that the tables do not have
 * yet. Bounds: the commands that one question looks at, the effects of a command, the rows of a
 * list and the look-ups of a history (STORE_BOUNDS.explored*, holdingLookups); a list that is cut
 * says so.
 */

export type { ExploredAccount, HeldPosition } from './accounts.ts';
export type {
  CommandPage,
  CommandsQuery,
  ExploredCommand,
  ListedCommand,
  ReadableRange,
} from './commands.ts';
export {
  type ExchangeExplorer,
  type ExplorerKinds,
  ExplorerReads,
  isExplorerKind,
} from './explorer-reads.ts';
export type { HoldingHistory, HoldingHistoryQuery } from './holding-history.ts';
export type { ExploredMarket } from './markets.ts';
export type { ExploredFill, ExploredOrder } from './orders.ts';
