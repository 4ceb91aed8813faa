/**
 * The API key that each live order came with: the name of a maker in messages of trades (wire 7.1).
 *
 * Invariant: fed by durable commands alone, from the journal's first or a snapshot's last. An order
 * that was closed by the batch in hand is still there until the batch was told.
 * Bound: the engine's live orders; one entry each, whose texts the registry and the engine have.
 */
import type { EngineEvent } from '../../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../../../persistence/index.ts';
import type { Registry } from '../../views/index.ts';

/** Some milliseconds. */
const TURN = 2_000;

type OrderKey = readonly [orderId: string, apiKey: string];

export class OrderKeys {
  readonly #registry: Registry;
  readonly #keys = new Map<string, string>();
  /** Of a snapshot, what was not taken yet. */
  #rest: Iterator<OrderKey> | undefined;
  /** Ids of those that were closed before they were taken. */
  readonly #closedBefore = new Set<string>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** '' for an order that is not live. */
  keyOf(orderId: string): string {
    while (this.#rest !== undefined && !this.#keys.has(orderId)) this.#takeTurn();
    return this.#keys.get(orderId) ?? '';
  }

  /** Takes the keys of a snapshot's live orders, when the registry has taken it. */
  restore(orderKeys: RestoredState['orderKeys']): void {
    this.#rest = orderKeys[Symbol.iterator]();
    this.#takeInTurns();
  }

  /** Before a batch is told. */
  addAll(commands: readonly DurableCommand[]): void {
    for (const { command, events } of commands) {
      if (command.kind !== 'place_order') continue;
      const { orderId, apiKey } = command;
      // A refused one is journaled too, where something was due before it.
      if (!events.some((event) => isAcceptance(event, orderId))) continue;
      this.#keys.set(orderId, this.#shared(apiKey));
    }
  }

  /** When the batch was told. */
  dropClosed(commands: readonly DurableCommand[]): void {
    for (const { events } of commands) {
      for (const event of events) {
        if (event.kind !== 'order_closed' || this.#keys.delete(event.orderId)) continue;
        if (this.#rest !== undefined) this.#closedBefore.add(event.orderId);
      }
    }
  }

  #takeInTurns(): void {
    if (this.#rest === undefined) return;
    this.#takeTurn();
    // It keeps no process from its end.
    setImmediate(() => this.#takeInTurns()).unref();
  }

  #takeTurn(): void {
    for (let taken = 0; taken < TURN; taken += 1) {
      const next = this.#rest?.next();
      if (next === undefined || next.done === true) {
        this.#rest = undefined;
        return;
      }
      const [orderId, apiKey] = next.value;
      if (this.#closedBefore.delete(orderId)) continue;
      this.#keys.set(orderId, this.#shared(apiKey));
    }
  }

  /** The registry's text, so that many orders share one. */
  #shared(apiKey: string): string {
    return this.#registry.apiKey(apiKey)?.apiKey ?? apiKey;
  }
}

function isAcceptance(event: EngineEvent, orderId: string): boolean {
  return event.kind === 'order_accepted' && event.orderId === orderId;
}
