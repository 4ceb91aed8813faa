/** Trades as a person reads them: one line for what a taker did at once. */
import type { MarketTrade } from '../streams/market-feed.ts';

/** The fills of one order, together. */
export interface TapeLine extends Pick<MarketTrade, 'timeMs' | 'outcome' | 'side' | 'lots'> {
  /** Of its first fill: it stays while more fills come. */
  readonly key: string;
  /** Paid by a buyer, or got by a seller, without fees. */
  readonly cashMicros: number;
}

/** The newest first, as `trades` are. */
export function tapeOf(trades: readonly MarketTrade[]): readonly TapeLine[] {
  const lines: TapeLine[] = [];
  let takerKey = '';
  for (const { transactionHash: key, timeMs, outcome, side, priceTicks, ...trade } of trades) {
    const cashMicros = trade.lots * priceTicks;
    const last = lines.at(-1);
    const isSame = last?.side === side && last.outcome === outcome && takerKey === trade.takerKey;
    takerKey = trade.takerKey;
    const [lots, cash] = isSame ? [last.lots, last.cashMicros] : [0, 0];
    if (isSame) lines.pop();
    lines.push({
      ...{ key, timeMs, outcome, side },
      lots: lots + trade.lots,
      cashMicros: cash + cashMicros,
    });
  }
  return lines;
}
