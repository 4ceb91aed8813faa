/**
 * The rows of `market_states`. All are in memory; `flush` writes those that a step changed. Bound:
 * the engine's markets, some 150 bytes each.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';

export interface MarketStateRow {
  readonly marketKey: number;
  lastTicks: number;
  midpoint: number;
  yesLots: number;
  noLots: number;
  payoutTicks: number | null;
  resolvedMs: number | null;
  eventKey: number | null;
  eventSize: number;
}

const SELECT =
  'SELECT market_key AS marketKey, last_ticks AS lastTicks, midpoint, ' +
  'yes_lots AS yesLots, no_lots AS noLots, payout_ticks AS payoutTicks, ' +
  'resolved_ms AS resolvedMs, event_key AS eventKey, event_size AS eventSize ' +
  'FROM market_states ORDER BY market_key';

export class MarketStates {
  readonly #states = new Map<number, MarketStateRow>();
  /** The markets of each neg-risk event, in order of their creation, by its key. */
  readonly #events = new Map<number, number[]>();
  readonly #changed = new Set<MarketStateRow>();
  readonly #put: Statement<[MarketStateRow]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      'REPLACE INTO market_states VALUES (@marketKey, @lastTicks, @midpoint, @yesLots, @noLots, ' +
        '@payoutTicks, @resolvedMs, @eventKey, @eventSize)',
    );
    for (const state of database.prepare<[], MarketStateRow>(SELECT).iterate()) {
      this.#states.set(state.marketKey, state);
      if (state.eventKey !== null) this.#addToEvent(state.eventKey, state.marketKey);
    }
  }

  add(marketKey: number): void {
    this.#states.set(marketKey, {
      marketKey,
      lastTicks: 0,
      midpoint: 0,
      yesLots: 0,
      noLots: 0,
      payoutTicks: null,
      resolvedMs: null,
      eventKey: null,
      eventSize: 1,
    });
    this.change(marketKey);
  }

  change(marketKey: number): MarketStateRow {
    const state = this.get(marketKey);
    this.#changed.add(state);
    return state;
  }

  get(marketKey: number): MarketStateRow {
    const state = this.#states.get(marketKey);
    assert(state !== undefined, 'a market has its row from its creation on');
    return state;
  }

  setMidpoints(midpoints: Iterable<Pick<MarketStateRow, 'marketKey' | 'midpoint'>>): void {
    for (const { marketKey, midpoint } of midpoints) this.change(marketKey).midpoint = midpoint;
  }

  openEvent(marketKeys: readonly number[]): void {
    const [eventKey] = marketKeys;
    assert(eventKey !== undefined, 'an event has markets');
    for (const marketKey of marketKeys) {
      const state = this.change(marketKey);
      state.eventKey = eventKey;
      state.eventSize = marketKeys.length;
      this.#addToEvent(eventKey, marketKey);
    }
  }

  /** The markets of the event that a market belongs to, in order of their creation. */
  siblings(marketKey: number): readonly number[] {
    const { eventKey } = this.get(marketKey);
    const siblings = eventKey === null ? undefined : this.#events.get(eventKey);
    assert(siblings !== undefined, 'only a market of an event is converted');
    return siblings;
  }

  flush(): void {
    for (const state of this.#changed) this.#put.run(state);
    this.#changed.clear();
  }

  #addToEvent(eventKey: number, marketKey: number): void {
    const markets = this.#events.get(eventKey);
    if (markets === undefined) this.#events.set(eventKey, [marketKey]);
    else markets.push(marketKey);
  }
}
