/**
 * Writes figures of trading into the catalog, so that its lists can be sorted by them: the volume
 * in total and in the last day, week, month and year, and the collateral in resting orders.
 *
 * Invariant: figures come from the projection and the durable books, after durable commands. A
 * failed write is repeated. No command waits for a write.
 * Bound: `marketsATurn` markets every `everyMs`; it remembers the markets that changed since their
 * last write, and those that traded within a year.
 */

import { DAY_MS, HOUR_MS, MICROS_PER_UNIT } from '../../engine/model/index.ts';
import type { BookViews, MarketBook, Registry } from '../../http/views/index.ts';
import type {
  DurableCommand,
  Exchange,
  MarketFigures,
  MarketVolume,
} from '../../persistence/index.ts';
import { VOLUME_DAYS, VOLUME_WINDOWS, type VolumeWindow } from '../model/index.ts';

const PACE = {
  everyMs: 2_000,
  marketsATurn: 500,
  /** How often figures are written again while a market has a 24-hour volume, which decreases. */
  agingMs: 600_000,
  /** The same while it has only a volume of the last week, month or year. */
  slowAgingMs: HOUR_MS,
} as const;

const LONGEST_MS = VOLUME_DAYS.volume1yr * DAY_MS;

const ONE_TICKS = 10_000;

export interface CatalogFiguresParts {
  readonly exchange: Pick<Exchange, 'catalog' | 'reader'>;
  readonly registry: Pick<Registry, 'market' | 'markets'>;
  readonly books: Pick<BookViews, 'token'>;
  readonly now: () => number;
  /** Called when a write failed. It is repeated later. */
  readonly onFailure: (error: unknown) => void;
}

export class CatalogFiguresFeed {
  #parts: CatalogFiguresParts | undefined;
  readonly #changed = new Set<string>();
  /** Markets that traded within a year, each with the time when its figures are written again. */
  readonly #traded = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Consumes every durable command, also before `open`. */
  consume(commands: readonly DurableCommand[]): void {
    for (const { events } of commands) {
      for (const event of events) {
        if (event.kind === 'fill' || event.kind === 'level_changed') {
          this.#changed.add(event.conditionId);
        }
      }
    }
  }

  /** Starts writing. All markets come first: 24-hour volumes change while the exchange is down. */
  open(parts: CatalogFiguresParts): void {
    this.#parts = parts;
    for (const { conditionId } of parts.registry.markets()) this.#changed.add(conditionId);
    this.#schedule();
  }

  /** Stops after the current write. The next start writes the figures that were not written. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#parts = undefined;
    await this.#turn;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#turn = this.#write().then(() => {
        if (this.#parts !== undefined) this.#schedule();
      });
    }, PACE.everyMs);
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#age(parts.now());
    const conditionIds = [...this.#changed].slice(0, PACE.marketsATurn);
    if (conditionIds.length === 0) return;
    for (const conditionId of conditionIds) this.#changed.delete(conditionId);
    try {
      await parts.exchange.catalog.write.putFigures(await figuresOf(conditionIds, parts));
      for (const conditionId of conditionIds) this.#noteWritten(conditionId, parts);
    } catch (error) {
      for (const conditionId of conditionIds) this.#changed.add(conditionId);
      parts.onFailure(error);
    }
  }

  /** Notes that a market must be written again later, if it traded within the last year. */
  #noteWritten(conditionId: string, { registry, books, now }: CatalogFiguresParts): void {
    const [yes = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const lastMs = books.token(yes)?.book.lastTrade?.timeMs ?? 0;
    const ageMs = now() - lastMs;
    const afterMs = ageMs < DAY_MS + PACE.agingMs ? PACE.agingMs : PACE.slowAgingMs;
    if (ageMs < LONGEST_MS + afterMs) this.#traded.set(conditionId, now() + afterMs);
    else this.#traded.delete(conditionId);
  }

  #age(nowMs: number): void {
    for (const [conditionId, dueMs] of this.#traded) {
      if (nowMs < dueMs) continue;
      this.#traded.delete(conditionId);
      this.#changed.add(conditionId);
    }
  }
}

/** The figures of these markets, without those that never traded and have no resting order. */
async function figuresOf(
  conditionIds: readonly string[],
  { exchange, registry, books, now }: CatalogFiguresParts,
): Promise<MarketFigures[]> {
  const windows = await Promise.all(
    VOLUME_WINDOWS.map(async (name) => {
      const sinceMs = now() - VOLUME_DAYS[name] * DAY_MS;
      const volumes = await exchange.reader.volumes({ conditionIds, sinceMs });
      return [name, new Map(volumes.map((volume) => [volume.conditionId, volume]))] as const;
    }),
  );
  const known = windows[0]?.[1];
  return conditionIds.flatMap((conditionId) => {
    const [yes = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const book = books.token(yes)?.book;
    const volume = known?.get(conditionId);
    const liquidity = book === undefined ? 0 : restingMicros(book);
    const isTraded = (volume?.totalMicros ?? 0) > 0 || book?.version !== 0 || liquidity > 0;
    if (book === undefined || !isTraded) return [];
    return [
      {
        conditionId,
        volume: Number(volume?.totalMicros ?? 0) / MICROS_PER_UNIT,
        ...recentVolumes(conditionId, windows),
        liquidity: liquidity / MICROS_PER_UNIT,
      },
    ];
  });
}

type Window = readonly [VolumeWindow, ReadonlyMap<string, MarketVolume>];

function recentVolumes(conditionId: string, windows: readonly Window[]) {
  const volumes = windows.map(([name, known]) => {
    const micros = known.get(conditionId)?.recentMicros ?? 0;
    return [name, Number(micros) / MICROS_PER_UNIT] as const;
  });
  // Safe: there is an entry for each window.
  return Object.fromEntries(volumes) as Record<VolumeWindow, number>;
}

/** What buyers of both outcomes would pay: an ask of YES is a bid of NO at the complement. */
function restingMicros({ bids, asks }: MarketBook): number {
  let micros = 0;
  bids.levels.forEach((price, { lots }) => {
    micros += price * lots;
  });
  asks.levels.forEach((price, { lots }) => {
    micros += (ONE_TICKS - price) * lots;
  });
  return micros;
}
