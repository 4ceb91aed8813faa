/**
 * Brings the engine's markets into the catalog: which exist, and which have ended.
 *
 * Invariant: it consumes the state of a start, and then durable commands in seq order. The
 * engine decides, so a start writes the ends that a crash lost. In a cluster the core alone writes
 * ends, and its catalog has a history in which they are; a node that takes over writes those that
 * the old core did not. No command waits for the catalog:
 * ends are sent to the writer thread in a later turn of the event loop, one batch at a time, and a
 * failed write is repeated. Bound: the engine's markets at a start; later `STORE_BOUNDS.endsAWrite`
 * markets a transaction. A node that follows a core keeps the ends of the engine's markets.
 */
import type { EngineEvent, TradingTerms } from '../engine/index.ts';
import type { DurableCommand, RestoredState } from '../persistence/shared/index.ts';
import { STORE_BOUNDS, STORE_PACE } from '../persistence/shared/index.ts';
import { type CatalogWrites, type KnownMarket, type MarketEnds, utcText } from './model/index.ts';

export interface EngineMarketsOptions {
  /** A write failed. It is repeated later. */
  readonly onFailure: (error: unknown) => void;
}

export type MarketWrites = Pick<CatalogWrites, 'reconcile' | 'markEnded'>;

export interface LedCatalog extends Pick<CatalogWrites, 'markEnded'> {
  /** Those of these ends that the catalog does not have. */
  readonly missingEnds: (ends: MarketEnds) => Promise<MarketEnds>;
}

export class EngineMarkets {
  readonly #options: EngineMarketsOptions;
  readonly #markets = new Map<string, KnownMarket>();
  /** Ends that are not written yet: the time of each by condition id. */
  #ends = new Map<string, string>();
  #catalog: Pick<MarketWrites, 'markEnded'> | undefined;
  #isFollowing = false;
  #turn: NodeJS.Immediate | undefined;
  /** The write in progress. Resolves to whether it succeeded. */
  #writing: Promise<boolean> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: EngineMarketsOptions) {
    this.#options = options;
  }

  /** Consumes the state of a start, before the commands after it. */
  restore({ markets }: RestoredState): void {
    for (const market of markets) {
      const { conditionId, tokenIds, tickTicks, minimumLots, negRisk, eventId, endedMs } = market;
      // Copies these fields only: `market` would keep its whole order book in memory.
      const known = { conditionId, tokenIds, tickTicks, minimumLots, negRisk, eventId };
      this.#markets.set(conditionId, known);
      if (endedMs !== 0) this.#ends.set(conditionId, utcText(endedMs));
    }
  }

  consume(commands: readonly DurableCommand[]): void {
    for (const command of commands) {
      for (const event of command.events) this.#take(event, command);
    }
    if (this.#ends.size > 0) this.#writeSoon();
  }

  /** Call it when the whole journal is consumed: reconciles the catalog with the engine. */
  async open(catalog: MarketWrites): Promise<void> {
    await catalog.reconcile({ markets: [...this.#markets.values()], ends: this.#ends });
    this.#markets.clear();
    this.#ends.clear();
    this.#catalog = catalog;
  }

  /** The same at a node of a cluster whose catalog has a history: it writes nothing. */
  follow(): void {
    this.#markets.clear();
    this.#isFollowing = true;
  }

  /** The node is the core from now on: writes the ends that its catalog lacks, and later ones. */
  async lead(catalog: LedCatalog): Promise<void> {
    if (!this.#isFollowing) return;
    // Ends that come meanwhile are in the new map.
    const known = this.#ends;
    this.#ends = new Map();
    const missing = await catalog.missingEnds(known);
    this.#ends = new Map([...missing, ...this.#ends]);
    this.#catalog = catalog;
    this.#isFollowing = false;
    if (this.#ends.size > 0) this.#writeSoon();
  }

  /** Writes the remaining ends. The next start writes those that fail. */
  async close(): Promise<void> {
    clearImmediate(this.#turn);
    clearTimeout(this.#retry);
    await this.#writing;
    while (this.#catalog !== undefined && this.#ends.size > 0 && (await this.#write()));
    this.#catalog = undefined;
  }

  #take(event: EngineEvent, { command, timeMs }: DurableCommand): void {
    switch (event.kind) {
      case 'market_created':
        if (this.#isCollecting && command.kind === 'create_market') {
          this.#markets.set(event.conditionId, command);
        }
        break;
      case 'market_changed':
        this.#changeTerms(event.conditionId, event);
        break;
      case 'market_closed':
      case 'market_resolved':
        if (!this.#ends.has(event.conditionId)) {
          this.#ends.set(event.conditionId, utcText(timeMs));
        }
        break;
      default:
        // The catalog needs no other event.
        break;
    }
  }

  get #isCollecting(): boolean {
    return this.#catalog === undefined && !this.#isFollowing;
  }

  /** Keeps the current terms: a placeholder needs them. */
  #changeTerms(conditionId: string, { tickTicks, minimumLots }: TradingTerms): void {
    const market = this.#markets.get(conditionId);
    if (market !== undefined) {
      this.#markets.set(conditionId, { ...market, tickTicks, minimumLots });
    }
  }

  #writeSoon(): void {
    const isComing = this.#turn !== undefined || this.#retry !== undefined;
    if (this.#catalog === undefined || isComing || this.#writing !== undefined) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#writing = this.#write();
      this.#writing.then((isDone) => {
        this.#writing = undefined;
        if (isDone && this.#ends.size > 0) this.#writeSoon();
        if (!isDone) this.#writeLater();
      });
    });
  }

  #writeLater(): void {
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#writeSoon();
    }, STORE_PACE.catalogRetryMs).unref();
  }

  /** Writes the next batch. Returns whether it succeeded. */
  async #write(): Promise<boolean> {
    const batch = new Map([...this.#ends].slice(0, STORE_BOUNDS.endsAWrite));
    try {
      await this.#catalog?.markEnded(batch);
    } catch (error) {
      // Only lists of the catalog are out of date: trading depends on the engine.
      this.#options.onFailure(error);
      return false;
    }
    for (const conditionId of batch.keys()) this.#ends.delete(conditionId);
    return true;
  }
}
