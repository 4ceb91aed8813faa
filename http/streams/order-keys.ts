/**
 * The API key that each live order came with: the name of a maker in messages of trades (wire 7.1).
 *
 * Invariant: fed by durable commands alone, from the journal's first or a snapshot's last. An order
 * that was closed by the batch in hand is still there until the batch was told.
 * Bound: the engine's live orders; one entry each, whose texts the registry and the engine have.
 */
import type { EngineEvent } from '../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../../persistence/index.ts';
import type { Registry } from '../views/registry.ts';

export class OrderKeys {
  readonly #registry: Registry;
  readonly #keys = new Map<string, string>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** '' for an order that is not live. */
  keyOf(orderId: string): string {
    return this.#keys.get(orderId) ?? '';
  }

  /** Takes the keys of a snapshot's live orders, when the registry has taken it. */
  restore(orderKeys: RestoredState['orderKeys']): void {
    for (const [orderId, apiKey] of orderKeys) this.#keys.set(orderId, this.#shared(apiKey));
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
        if (event.kind === 'order_closed') this.#keys.delete(event.orderId);
      }
    }
  }

  /** The registry's text, so that many orders share one. */
  #shared(apiKey: string): string {
    return this.#registry.apiKey(apiKey)?.apiKey ?? apiKey;
  }
}

const isAcceptance = (event: EngineEvent, orderId: string): boolean =>
  event.kind === 'order_accepted' && event.orderId === orderId;
