/** Prices of a list as they change, from the books of the market channel. */

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ONE_TICKS } from '../decimal/index.ts';
import type { MarketView } from '../streams/market-feed.ts';
import { pageStreams } from '../streams/streams.ts';
import { MARKETS_BOUNDS } from './list-terms.ts';
import type { MarketRow, Prices } from './market-row.ts';

export type Views = ReadonlyMap<string, MarketView>;

/** Follows the first `MARKETS_BOUNDS.liveMarkets` of the markets that are open. */
export function useLiveMarkets(markets: readonly MarketRow[]): ReadonlySignal<Views> {
  const views = useSignal<Views>(new Map());
  const open = markets
    .filter(({ isClosed, tokenIds: [yes] }) => !isClosed && yes !== '')
    .slice(0, MARKETS_BOUNDS.liveMarkets);
  const names = open.map(({ conditionId }) => conditionId).join();
  useEffect(() => {
    const { market: stream } = pageStreams();
    const followed = open.map(({ conditionId, tokenIds }) =>
      stream.follow({ conditionId, tokenIds }, { hasTrades: false }),
    );
    views.value = new Map(followed.map(({ view }) => [view.name.conditionId, view]));
    return () => {
      for (const { release } of followed) release();
    };
  }, [names]);
  return views;
}

/** What the first outcome is worth, as the exchange computes it. */
function worthOf(
  bid: number | undefined,
  ask: number | undefined,
  last: number | undefined,
): number | undefined {
  return bid !== undefined && ask !== undefined ? (bid + ask) / 2 : last;
}

function share(ticks: number | undefined): number | undefined {
  return ticks === undefined ? undefined : ticks / ONE_TICKS;
}

/** The same prices, with a chance between the best bid and the best ask. */
function withinBook({ chance, bid, ask }: Prices): Prices {
  if (chance === undefined) return { chance, bid, ask };
  return { chance: Math.max(bid ?? 0, Math.min(ask ?? 1, chance)), bid, ask };
}

/** The prices of now: of the stream if it has the market, else of the catalog. */
export function pricesOf(market: MarketRow, view: MarketView | undefined): Prices {
  const state = view?.state.value;
  if (view === undefined || state === 'loading' || state === 'unknown') return withinBook(market);
  // Read for the subscription: the book itself is no signal.
  view.changes.value;
  const bid = view.book.best(0, 'bid');
  const ask = view.book.best(0, 'ask');
  const worth = share(worthOf(bid, ask, view.terms.value.lastPriceTicks));
  return withinBook({ chance: worth ?? market.chance, bid: share(bid), ask: share(ask) });
}
