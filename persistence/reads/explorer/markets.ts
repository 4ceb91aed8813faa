/** What the tables have of a market: its tokens in existence, prices, volume and last trade. */
import type { Lots, Ticks } from '../../../engine/index.ts';
import type { MarketVolume } from '../../shared/index.ts';
import { type RecordReads, uuidOf } from '../records/index.ts';
import type { ReadTables } from '../tables/index.ts';

export interface ExploredMarket {
  readonly createdSeq: number;
  /** Tokens in existence. Each complete set is one of each. */
  readonly yesLots: Lots;
  readonly noLots: Lots;
  /** The price of the last trade, in YES; 0 for none. */
  readonly lastTicks: Ticks;
  /** The midpoint of the book in half ticks of YES; 0 while a side is empty. */
  readonly midpoint: number;
  readonly payoutTicks: Ticks | null;
  readonly resolvedMs: number | null;
  readonly volume: MarketVolume;
  /** undefined for none. */
  readonly lastTrade: LastTrade | undefined;
}

interface LastTrade {
  readonly tradeId: string;
  readonly seq: number;
  readonly timeMs: number;
}

/** Look-ups by key; a test checks the query plans. */
export const EXPLORER_MARKET_SQL = {
  state:
    'SELECT created_seq AS createdSeq, yes_lots AS yesLots, no_lots AS noLots, ' +
    'last_ticks AS lastTicks, midpoint, payout_ticks AS payoutTicks, resolved_ms AS resolvedMs ' +
    'FROM markets JOIN market_states AS s ON s.market_key = markets.market_key ' +
    'WHERE markets.market_key = ?',
  lastTrade:
    'SELECT trade_id AS tradeId, seq, time_ms AS timeMs FROM trades ' +
    'WHERE market_key = ? ORDER BY trade_key DESC LIMIT 1',
} as const;

export interface ExploredMarketQuery {
  readonly conditionId: string;
  /** `volume.recentMicros` counts from the first full hour after this time. */
  readonly sinceMs: number;
}

export function exploreMarket(
  tables: ReadTables,
  records: RecordReads,
  { conditionId, sinceMs }: ExploredMarketQuery,
): ExploredMarket | undefined {
  const marketKey = tables.key('market', conditionId);
  if (marketKey === undefined) return undefined;
  type State = Omit<ExploredMarket, 'volume' | 'lastTrade'>;
  type TradeRow = Omit<LastTrade, 'tradeId'> & { readonly tradeId: Buffer };
  const state = tables.statement<[number], State>(EXPLORER_MARKET_SQL.state).get(marketKey);
  const [volume] = records.volumes({ conditionIds: [conditionId], sinceMs });
  if (state === undefined || volume === undefined) throw new Error(`no row of ${conditionId}`);
  const trade = tables.statement<[number], TradeRow>(EXPLORER_MARKET_SQL.lastTrade).get(marketKey);
  const lastTrade = trade && { ...trade, tradeId: uuidOf(trade.tradeId) };
  return { ...state, volume, lastTrade };
}
