/**
 * Writes figures of trading into the catalog, so that its lists can be sorted by them: the volume
 * in total and in the last 24 hours, and the collateral in resting orders.
 *
 * Invariant: figures come from the projection and the durable books, after durable commands. A
 * failed write is repeated. No command waits for a write.
 * Bound: `marketsATurn` markets every `everyMs`; it remembers the markets that changed since their
 * last write, and those that traded within 24 hours.
 */

import { DAY_MS, MICROS_PER_UNIT } from '../../engine/model/index.ts';
import type { BookViews, MarketBook, Registry } from '../../http/views/index.ts';
import type { DurableCommand, Exchange, MarketFigures } from '../../persistence/index.ts';

const PACE = {
  everyMs: 2_000,
  marketsATurn: 500,
  /** How often figures are written again while a market has a 24-hour volume, which decreases. */
  agingMs: 600_000,
} as const;

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
  /** Condition ids of markets whose figures changed. */
  readonly #changed = new Set<string>();
  /** Markets that traded within 24 hours, each with the time when its figures were last written. */
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

  /** Notes that a market must be written again later, if it traded within the last day. */
  #noteWritten(conditionId: string, { registry, books, now }: CatalogFiguresParts): void {
    const [yes = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const lastMs = books.token(yes)?.book.lastTrade?.timeMs ?? 0;
    if (now() - lastMs < DAY_MS + PACE.agingMs) this.#traded.set(conditionId, now());
    else this.#traded.delete(conditionId);
  }

  #age(nowMs: number): void {
    for (const [conditionId, writtenMs] of this.#traded) {
      if (nowMs - writtenMs < PACE.agingMs) continue;
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
  const volumes = await exchange.reader.volumes({ conditionIds, sinceMs: now() - DAY_MS });
  const known = new Map(volumes.map((volume) => [volume.conditionId, volume]));
  return conditionIds.flatMap((conditionId) => {
    const [yes = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const book = books.token(yes)?.book;
    const volume = known.get(conditionId);
    const liquidity = book === undefined ? 0 : restingMicros(book);
    const isTraded = (volume?.totalMicros ?? 0) > 0 || book?.version !== 0 || liquidity > 0;
    if (book === undefined || !isTraded) return [];
    return [
      {
        conditionId,
        volume: Number(volume?.totalMicros ?? 0) / MICROS_PER_UNIT,
        volume24hr: Number(volume?.recentMicros ?? 0) / MICROS_PER_UNIT,
        liquidity: liquidity / MICROS_PER_UNIT,
      },
    ];
  });
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
