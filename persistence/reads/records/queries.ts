/** What the reads of records are asked for. All filters that are given must hold. */
import type { Command } from '../../../engine/index.ts';

export interface LiveOrdersQuery {
  readonly owner: string;
  readonly orderId?: string;
  readonly conditionId?: string;
  readonly tokenId?: string;
  /** Orders that are listed after this one; none if it is unknown. */
  readonly after?: string;
  readonly offset: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface OpenOrdersQuery {
  readonly owner?: string;
  readonly conditionId?: string;
  /** Orders that are listed after this one. */
  readonly after?: string;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface TradesQuery {
  /** The owner of the taker or of a maker. */
  readonly owner?: string;
  readonly tradeId?: string;
  readonly takerAccount?: string;
  readonly makerAccount?: string;
  /** The account of the taker or of a maker. */
  readonly eitherAccount?: string;
  readonly conditionId?: string;
  /** A token that any participant traded, not only a participant that another filter names. */
  readonly tokenId?: string;
  /** 0x + 64 hex: the builder of the taker's order or of a maker's. */
  readonly builder?: string;
  /** An account whose own order in the trade names a builder; if `builder` is given, that one. */
  readonly builtAccount?: string;
  /** Trades earlier than this. */
  readonly beforeMs?: number;
  /** Trades later than this. */
  readonly afterMs?: number;
  /** Trades that are listed after this one, so earlier ones; none if it is unknown. */
  readonly after?: string;
  /** Leaves `makers` of each record empty. */
  readonly takersOnly?: boolean;
  readonly offset: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface NotificationsQuery {
  readonly owner: string;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface ActionsQuery {
  readonly kind?: Command['kind'];
  readonly by?: string;
  /** Actions with a lower seq. */
  readonly beforeSeq?: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface VolumesQuery {
  /** At most STORE_BOUNDS.listedIds. */
  readonly conditionIds: readonly string[];
  /** At most STORE_BOUNDS.volumeHours ago: of earlier volume only the total is kept. */
  readonly sinceMs?: number;
}

export interface PriceHistoryQuery {
  readonly tokenId: string;
  /** The first and the last minute of the window contain these times. */
  readonly startMs: number;
  readonly endMs: number;
  /** A whole number of minutes. */
  readonly stepMs: number;
  /** The most steps of the answer: 1 to STORE_BOUNDS.historySteps. */
  readonly limit: number;
}

/** The histories of several tokens over one window: `limit` is for all of them together. */
export interface PriceHistoriesQuery extends Omit<PriceHistoryQuery, 'tokenId'> {
  readonly tokenIds: readonly string[];
}

export interface Page<Record> {
  readonly records: Record[];
  /** Whether there are further records after these. */
  readonly more: boolean;
}
