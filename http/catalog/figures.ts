/**
 * Tells the catalog what trading says of markets: volume, that of the last 24 hours, and what rests
 * in their orders, so that its lists sort by them.
 *
 * Invariant: only durable commands say that a market changed, and what is told is read from the
 * projection and the durable books; what could not be told is told later. Nothing waits for it.
 * Bound: `marketsATurn` markets a turn, a turn every `everyMs`; a set of the markets that changed
 * since, and one entry for each that traded within 24 hours.
 */
import type { DurableCommand, Exchange, MarketFigures } from '../../persistence/index.ts';
import type { BookViews, MarketBook, Registry } from '../views/index.ts';

const PACE = {
  everyMs: 2_000,
  marketsATurn: 500,
  /** After this a market that traded lately is looked at again, for its volume ages. */
  agingMs: 600_000,
} as const;

const DAY_MS = 86_400_000;
const MICROS_PER_UNIT = 1_000_000;
const ONE_TICKS = 10_000;

export interface CatalogFiguresParts {
  readonly exchange: Pick<Exchange, 'catalog' | 'reader'>;
  readonly registry: Pick<Registry, 'market' | 'markets'>;
  readonly books: Pick<BookViews, 'token'>;
  readonly now: () => number;
  /** They could not be told: it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export class CatalogFiguresFeed {
  #parts: CatalogFiguresParts | undefined;
  /** Condition ids. */
  readonly #changed = new Set<string>();
  /** When those that traded within 24 hours were told last. */
  readonly #traded = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** From the first durable command on; what comes before it opens is told when it does. */
  consume(commands: readonly DurableCommand[]): void {
    for (const { events } of commands) {
      for (const event of events) {
        if (event.kind === 'fill' || event.kind === 'level_changed') {
          this.#changed.add(event.conditionId);
        }
      }
    }
  }

  /** Begins to tell; at first of all markets, for volumes aged while the exchange was not there. */
  open(parts: CatalogFiguresParts): void {
    this.#parts = parts;
    for (const { conditionId } of parts.registry.markets()) this.#changed.add(conditionId);
    this.#later();
  }

  /** What was not told is told by the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#parts = undefined;
    await this.#turn;
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#turn = this.#tell().then(() => {
        if (this.#parts !== undefined) this.#later();
      });
    }, PACE.everyMs);
    this.#timer.unref();
  }

  async #tell(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#age(parts.now());
    const conditionIds = [...this.#changed].slice(0, PACE.marketsATurn);
    if (conditionIds.length === 0) return;
    for (const conditionId of conditionIds) this.#changed.delete(conditionId);
    try {
      await parts.exchange.catalog.write.putFigures(await figuresOf(conditionIds, parts));
      for (const conditionId of conditionIds) this.#noteTold(conditionId, parts);
    } catch (error) {
      for (const conditionId of conditionIds) this.#changed.add(conditionId);
      parts.onFailure(error);
    }
  }

  /** One that trades now and then is looked at until a day after it did last. */
  #noteTold(conditionId: string, { registry, books, now }: CatalogFiguresParts): void {
    const [yes = ''] = registry.market(conditionId)?.tokenIds ?? [];
    const lastMs = books.token(yes)?.book.lastTrade?.timeMs ?? 0;
    if (now() - lastMs < DAY_MS + PACE.agingMs) this.#traded.set(conditionId, now());
    else this.#traded.delete(conditionId);
  }

  #age(nowMs: number): void {
    for (const [conditionId, toldMs] of this.#traded) {
      if (nowMs - toldMs < PACE.agingMs) continue;
      this.#traded.delete(conditionId);
      this.#changed.add(conditionId);
    }
  }
}

/** Of markets that never traded and in which nothing rests there is nothing to tell. */
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
        volume: (volume?.totalMicros ?? 0) / MICROS_PER_UNIT,
        volume24hr: (volume?.recentMicros ?? 0) / MICROS_PER_UNIT,
        liquidity: liquidity / MICROS_PER_UNIT,
      },
    ];
  });
}

/** What buyers of either outcome would pay: an ask of YES is a bid of NO at the complement. */
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
