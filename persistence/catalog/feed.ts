/**
 * Carries into the catalog what the engine says of markets: which there are, and which have ended.
 *
 * Invariant: fed by durable commands alone, in seq order, or first by a snapshot of them; the
 * engine is the truth, so a start writes what a crash kept from being written. Live, nothing is
 * written on a command's way: ends are sent to the catalog's thread in a later turn of the event
 * loop, one part at a time, and a write that fails is tried again.
 * Bound: the engine's markets at a start; live, `STORE_BOUNDS.endsAWrite` markets a transaction.
 */
import type { EngineEvent, TradingTerms } from '../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../shared/index.ts';
import { STORE_BOUNDS, STORE_PACE } from '../shared/index.ts';
import { type CatalogWrites, type KnownMarket, utcText } from './model/index.ts';

export interface CatalogFeedOptions {
  /** A write failed, and is tried again in a while. */
  readonly onFailure: (error: unknown) => void;
}

/** What it asks of the catalog. */
export type CatalogWriting = Pick<CatalogWrites, 'agreeWith' | 'noteEnds'>;

export class CatalogFeed {
  readonly #options: CatalogFeedOptions;
  /** Until the catalog is there; nothing afterwards. */
  readonly #markets = new Map<string, KnownMarket>();
  /** What is not written yet: when each ended, by condition id. */
  readonly #ends = new Map<string, string>();
  #catalog: CatalogWriting | undefined;
  #turn: NodeJS.Immediate | undefined;
  /** The write that is on its way: whether it was done. */
  #writing: Promise<boolean> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: CatalogFeedOptions) {
    this.#options = options;
  }

  /** Takes what a snapshot says of all commands before, at the start. */
  restore({ markets }: RestoredState): void {
    for (const market of markets) {
      const { conditionId, tokenIds, tickTicks, minimumLots, negRisk, eventId, endedMs } = market;
      // Not all of it: that would keep its levels too.
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

  /** Everything of the journal was consumed: brings the catalog up to it. */
  async open(catalog: CatalogWriting): Promise<void> {
    await catalog.agreeWith({ markets: [...this.#markets.values()], ends: this.#ends });
    this.#markets.clear();
    this.#ends.clear();
    this.#catalog = catalog;
  }

  /** Writes what is left; what can't be written now is found by the next start. */
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
        if (this.#catalog === undefined && command.kind === 'create_market') {
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
        // Nothing else is said in the catalog.
        break;
    }
  }

  /** A market that is stood in for is told with the terms in force. */
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

  /** Whether the next of the ends were written. */
  async #write(): Promise<boolean> {
    const part = new Map([...this.#ends].slice(0, STORE_BOUNDS.endsAWrite));
    try {
      await this.#catalog?.noteEnds(part);
    } catch (error) {
      // Lists of the catalog filter by what they were told last; trading goes by the engine.
      this.#options.onFailure(error);
      return false;
    }
    for (const conditionId of part.keys()) this.#ends.delete(conditionId);
    return true;
  }
}
