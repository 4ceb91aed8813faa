// Markets that the engine trades and the catalog has no row of: they are stood in for, and the
// stand-in makes way for the real record. Every method expects to run inside a transaction of its
// caller.

import type { CatalogQueries } from '../lists/index.ts';
import { FIRST_STAND_IN_ID, type KnownMarket } from '../model/index.ts';
import type { CheckedMarket } from '../records/index.ts';
import { type CatalogConflicts, type MarketNames, namesOf } from './conflicts.ts';
import { standInEvent, standInSlug } from './stand-in.ts';
import type { CatalogWriter } from './write.ts';

export interface LostMarketsParts {
  readonly queries: CatalogQueries;
  readonly conflicts: CatalogConflicts;
  readonly writer: CatalogWriter;
}

export class LostMarkets {
  readonly #parts: LostMarketsParts;

  constructor(parts: LostMarketsParts) {
    this.#parts = parts;
  }

  /** The id of the event in which a market got its stand-in; undefined if it has a row. */
  ensure(market: KnownMarket): number | undefined {
    const { queries, conflicts, writer } = this.#parts;
    const event = standInEvent(market, queries.nextStandInId());
    for (const standIn of event.markets) {
      const names = namesOf(standIn);
      const holders = conflicts.sameNamedMarkets(names);
      if (holders.some((stored) => isSameMarket(stored, names))) return undefined;
      if (holders.length > 0) throw new Error(foreignHolderSentence(names, holders));
    }
    writer.putStandIn(event);
    return event.row.id;
  }

  /** Removes the stand-ins of markets with the same condition id and token ids. */
  makeWay(markets: readonly CheckedMarket[]): void {
    const { queries, conflicts, writer } = this.#parts;
    // As nearly always: asked once, not for each market.
    if (!queries.hasStandIn()) return;
    for (const names of markets.map(namesOf)) {
      for (const stored of conflicts.sameNamedMarkets(names)) {
        if (stored.id < FIRST_STAND_IN_ID || !isSameMarket(stored, names)) continue;
        writer.deleteMarket(stored.id);
        writer.deleteEmptyEvent({ id: stored.eventId, slug: standInSlug(stored.eventId) });
      }
    }
  }
}

function isSameMarket(stored: MarketNames, known: MarketNames): boolean {
  return (
    stored.conditionId === known.conditionId &&
    stored.token0 === known.token0 &&
    stored.token1 === known.token1
  );
}

function foreignHolderSentence(names: MarketNames, holders: readonly MarketNames[]): string {
  const slugs = holders.map(({ slug }) => `"${slug}"`).join(', ');
  return (
    `the catalog is not that of this exchange: it holds condition ${names.conditionId} or one of ` +
    `its tokens ${names.token0}, ${names.token1} as another market, ${slugs}`
  );
}
