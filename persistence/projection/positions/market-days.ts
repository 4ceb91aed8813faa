/**
 * The rows of `market_days` that a step changes: what each account traded and realized in a market
 * on a UTC day. Boards of a part of the markets are made from them. Each row is written once, at
 * the end of the step, and cached for the next steps of the same day. Bound: the rows that one step
 * changes, and KEPT_DAYS of earlier steps.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { BOUNDS } from '../../../engine/model/index.ts';
import { addWide, type WideSum, wideSum, wideText } from '../../shared/index.ts';
import { dayAt } from './math.ts';

interface MarketDay {
  readonly marketKey: number;
  readonly day: number;
  readonly accountKey: number;
  volumeMicros: WideSum;
  realizedMicros: WideSum;
  volumeLots: WideSum;
  tradeCount: number;
}

interface MarketDayChange {
  readonly marketKey: number;
  readonly accountKey: number;
  readonly timeMs: number;
  readonly volumeMicros: number;
  readonly realizedMicros: number;
  readonly volumeLots: number;
  readonly trades: number;
}

interface StoredDay {
  readonly volume: string;
  readonly realized: string;
  readonly lots: string;
  readonly trades: number;
}

const KEPT_DAYS = 32_768;

/** Above the key of every market. */
const MARKETS = 2 ** 20;
assert(BOUNDS.markets < MARKETS, 'every market has its own number');

export class MarketDays {
  /** Rows of the current day, by account and market. */
  readonly #cached = new Map<number, MarketDay>();
  readonly #changed = new Set<MarketDay>();
  readonly #select: Statement<[number, number, number], StoredDay>;
  readonly #put: Statement<(number | string)[]>;
  #day = -1;

  constructor(database: Database) {
    this.#select = database.prepare(
      'SELECT volume_micros AS volume, realized_micros AS realized, volume_lots AS lots, ' +
        'trade_count AS trades FROM market_days ' +
        'WHERE market_key = ? AND day = ? AND account_key = ?',
    );
    this.#put = database.prepare('REPLACE INTO market_days VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  add({ marketKey, accountKey, timeMs, ...change }: MarketDayChange): void {
    const { volumeMicros, realizedMicros, volumeLots, trades } = change;
    if (volumeMicros === 0 && realizedMicros === 0) return;
    const day = dayAt(timeMs);
    if (day !== this.#day) this.#cached.clear();
    this.#day = day;
    const row = this.#change(marketKey, day, accountKey);
    row.volumeMicros = addWide(row.volumeMicros, volumeMicros);
    row.realizedMicros = addWide(row.realizedMicros, realizedMicros);
    row.volumeLots = addWide(row.volumeLots, volumeLots);
    row.tradeCount += trades;
  }

  flush(): void {
    for (const { marketKey, day, accountKey, ...row } of this.#changed) {
      const sums = [row.volumeMicros, row.realizedMicros, row.volumeLots].map(wideText);
      this.#put.run(marketKey, day, accountKey, ...sums, row.tradeCount);
    }
    this.#changed.clear();
    if (this.#cached.size > KEPT_DAYS) this.#cached.clear();
  }

  #change(marketKey: number, day: number, accountKey: number): MarketDay {
    const key = accountKey * MARKETS + marketKey;
    const known = this.#cached.get(key);
    const row = known ?? this.#stored(marketKey, day, accountKey);
    if (known === undefined) this.#cached.set(key, row);
    this.#changed.add(row);
    return row;
  }

  #stored(marketKey: number, day: number, accountKey: number): MarketDay {
    const stored = this.#select.get(marketKey, day, accountKey);
    const sumOf = (text: string | undefined) => (text === undefined ? 0 : wideSum(text));
    return {
      marketKey,
      day,
      accountKey,
      volumeMicros: sumOf(stored?.volume),
      realizedMicros: sumOf(stored?.realized),
      volumeLots: sumOf(stored?.lots),
      tradeCount: stored?.trades ?? 0,
    };
  }
}
