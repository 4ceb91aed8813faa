/**
 * Markets whose books stand still because of a fault, on /ws/market, in the price routes, or both.
 *
 * Invariant: a copy is made before the views take the change that it hides; orders are matched
 * against the true book all the while. Bound: one copy of each book, which shares its levels.
 */

import type { EngineEvent } from '../../engine/index.ts';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Streams } from '../../http/streams/index.ts';
import type { BookViews, TokenBooks } from '../../http/views/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { NO_REQUEST } from '../faults/match.ts';
import type { FaultRegistry } from '../faults/registry.ts';
import { STALE_BOOK } from '../faults/stream-kinds.ts';

interface StaleBook {
  readonly faultId: string;
  readonly books: TokenBooks;
  /** By the clock of faults. */
  readonly untilMs: number;
}

interface StaleParts {
  readonly faults: FaultRegistry;
  readonly views: BookViews;
  readonly streams: () => Pick<Streams, 'freezeMarket' | 'thawMarket'>;
}

export class StaleBooks {
  readonly #parts: StaleParts;
  /** By condition id. */
  readonly #stale = new Map<string, StaleBook>();

  constructor(parts: StaleParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#stale.size === 0;
  }

  /** Called before the views take a durable batch. Each market that it changes counts once. */
  beforeBatch(commands: readonly DurableCommand[]): void {
    if (!this.#parts.faults.sites.stream.isArmed) return;
    const changed = new Set<string>();
    for (const { events } of commands) {
      for (const event of events) {
        if (changesBook(event)) changed.add(event.conditionId);
      }
    }
    for (const conditionId of changed) {
      if (!this.#stale.has(conditionId)) this.#freezeIfFired(conditionId);
    }
  }

  /** Ends what is due. */
  sweep(nowMs: number): void {
    for (const [conditionId, stale] of this.#stale) {
      if (nowMs >= stale.untilMs) this.#thaw(conditionId, stale);
    }
  }

  /** Ends what a removed fault holds back. */
  end(faultId: string): void {
    for (const [conditionId, stale] of this.#stale) {
      if (stale.faultId === faultId) this.#thaw(conditionId, stale);
    }
  }

  #freezeIfFired(conditionId: string): void {
    const { faults, views, streams } = this.#parts;
    // A market that the batch itself creates has no book to stand still.
    const books = views.copy(conditionId);
    if (books === undefined) return;
    const firing = faults.sites.stream.fire(STALE_BOOK, {
      ...NO_REQUEST,
      apiKey: '',
      owner: '',
      accounts: [],
      markets: [conditionId],
    });
    if (firing === undefined) return;
    const { seconds, where } = firing.parameters;
    const untilMs = faults.nowMs + seconds * SECOND_MS;
    this.#stale.set(conditionId, { faultId: firing.fault.id, books, untilMs });
    if (where !== 'stream') views.freeze(books);
    if (where !== 'rest') streams().freezeMarket(books);
    firing.note(`the book stands still for ${seconds} s (${where})`);
  }

  #thaw(conditionId: string, { books }: StaleBook): void {
    this.#stale.delete(conditionId);
    this.#parts.views.thaw(books);
    this.#parts.streams().thawMarket(conditionId);
  }
}

type BookChange = Extract<EngineEvent, { kind: 'level_changed' | 'fill' | 'market_changed' }>;

function changesBook(event: EngineEvent): event is BookChange {
  const { kind } = event;
  return kind === 'level_changed' || kind === 'fill' || kind === 'market_changed';
}
