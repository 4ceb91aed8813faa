/** A market's book as text, from any source: in YES ticks and lots, both sides by price. */
const TICKS_PER_UNIT = 10_000;
const LOTS_PER_TOKEN = 100;

export interface PlainLevel {
  readonly side: 'bid' | 'ask';
  readonly ticks: number;
  readonly lots: number;
}

/** A book as REST and streams show it. */
export interface WireBook {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}

export function levelsText(levels: Iterable<PlainLevel>): string {
  return [...levels]
    .sort((one, other) => one.side.localeCompare(other.side) || one.ticks - other.ticks)
    .map(({ side, ticks, lots }) => `${side} ${lots}@${ticks}`)
    .join(' ');
}

export function lotsOf(size: string): number {
  return Math.round(Number(size) * LOTS_PER_TOKEN);
}

/** The text of a token's book as in the API. The book of NO is converted to that of YES. */
export function wireLevelsText({ bids, asks }: WireBook, outcome: number): string {
  const levels = [...bids.map((one) => ({ ...one, isBid: true }))];
  levels.push(...asks.map((one) => ({ ...one, isBid: false })));
  return levelsText(
    levels.map(({ price, size, isBid }) => {
      const ticks = Math.round(Number(price) * TICKS_PER_UNIT);
      return {
        side: isBid === (outcome === 0) ? 'bid' : 'ask',
        ticks: outcome === 0 ? ticks : TICKS_PER_UNIT - ticks,
        lots: lotsOf(size),
      };
    }),
  );
}
