/** Markets and events of the catalog as lists show them. */
import { pictureOf } from '../kit/index.ts';
import type { CatalogEvent, CatalogMarket } from '../wire/index.ts';

/** Prices of the first outcome, from 0 to 1, for display. */
export interface Prices {
  readonly chance: number | undefined;
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

export interface MarketRow extends Prices {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  /** What the market asks, in the words of its event if it is one of several. */
  readonly label: string;
  /** What `chance` is the chance of, such as "Yes" or the name of a team. */
  readonly outcome: string;
  readonly outcomes: readonly [string, string];
  readonly dayVolume: number;
  readonly volume: number;
  readonly isClosed: boolean;
}

export interface EventRow {
  readonly slug: string;
  readonly title: string;
  /** A path of this origin; '' without one. */
  readonly picture: string;
  readonly endMs: number | undefined;
  readonly isClosed: boolean;
  readonly dayVolume: number;
  readonly volume: number;
  /** The likeliest first; those that are closed last. */
  readonly markets: readonly MarketRow[];
}

/** Texts of a list of the catalog, which is JSON in a text. An imported one may be anything. */
function textsOf(list: string): readonly string[] {
  try {
    const texts: unknown = JSON.parse(list);
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    // Then the market is shown without what the list says.
    return [];
  }
}

function timeOf(date: string | null): number | undefined {
  const timeMs = Date.parse(date ?? '');
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function marketRowOf(market: CatalogMarket): MarketRow {
  const [yes = '', no = ''] = textsOf(market.clobTokenIds);
  const [outcome = 'Yes', other = 'No'] = textsOf(market.outcomes);
  const [price = ''] = textsOf(market.outcomePrices);
  // Without two sides or a trade there is no price yet: the catalog says a half then.
  const isKnown =
    market.closed ||
    market.lastTradePrice !== undefined ||
    (market.bestBid !== undefined && market.bestAsk !== undefined);
  return {
    conditionId: market.conditionId,
    tokenIds: [yes, no],
    label: market.groupItemTitle || market.question,
    outcome,
    outcomes: [outcome, other],
    chance: price === '' || !isKnown ? undefined : Number(price),
    bid: market.bestBid,
    ask: market.bestAsk,
    dayVolume: market.volume24hr ?? 0,
    volume: market.volumeNum ?? 0,
    isClosed: market.closed,
  };
}

function byChance(one: MarketRow, other: MarketRow): number {
  return Number(one.isClosed) - Number(other.isClosed) || (other.chance ?? 0) - (one.chance ?? 0);
}

/** The number at the beginning of a label, such as "$150,000" or "21°C or below". */
function stepOf({ label }: MarketRow): number {
  const [, digits = ''] = /^[^\p{L}\d]*(\d[\d,]*(?:\.\d+)?)/u.exec(label) ?? [];
  return digits === '' ? Number.NaN : Number(digits.replaceAll(',', ''));
}

/** Markets whose labels are steps of one number, in its order; others stay as they are. */
export function stepsOf(markets: readonly MarketRow[]): readonly MarketRow[] {
  if (markets.some((market) => Number.isNaN(stepOf(market)))) return markets;
  return markets.toSorted((one, other) => stepOf(one) - stepOf(other));
}

export function eventRowOf(event: CatalogEvent): EventRow {
  return {
    slug: event.slug,
    title: event.title,
    picture: pictureOf(event.image),
    endMs: timeOf(event.endDate),
    isClosed: event.closed,
    dayVolume: event.volume24hr ?? 0,
    volume: event.volume ?? 0,
    markets: event.markets.map(marketRowOf).toSorted(byChance),
  };
}
