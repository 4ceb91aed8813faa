// Small valid catalog records, of which a test changes single fields.

import type { Catalog } from '../../catalog/catalog.ts';
import type { MarketWrites } from '../../catalog/engine-markets.ts';
import type { MarketFigures } from '../../catalog/model/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A market record with the required fields only. Ids and hashes are made from `number`. */
export function marketRecord(number: number, changes: Fields = {}): Fields {
  return {
    id: `${number}`,
    question: `Question ${number}?`,
    conditionId: hex(number),
    slug: `market-${number}`,
    outcomes: '["Yes", "No"]',
    clobTokenIds: `["${number}001", "${number}002"]`,
    ...changes,
  };
}

/** An event record with one market of the same number, unless changed. */
export function eventRecord(number: number, changes: Fields = {}): Fields {
  return {
    id: `${number}`,
    slug: `event-${number}`,
    title: `Event ${number}`,
    markets: [marketRecord(number)],
    ...changes,
  };
}

/** Figures of the market of this number; others than the given ones are 0. */
export function figuresOf(number: number, given: Partial<MarketFigures>): MarketFigures {
  return {
    ...{ conditionId: hex(number), volume: 0, volume24hr: 0, volume1wk: 0, volume1mo: 0 },
    ...{ volume1yr: 0, liquidity: 0 },
    ...given,
  };
}

/** `0x` and the number in 64 hex digits. */
export function hex(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

/** A catalog as the feed writes to it, without the thread between them. */
export function writesOf(catalog: Catalog): MarketWrites {
  return {
    reconcile: async ({ markets, ends }) => catalog.reconcile(markets, ends),
    markEnded: async (ends) => {
      catalog.markEnded(ends);
    },
  };
}
