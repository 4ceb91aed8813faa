/**
 * The API key that placed each live order, which names makers in messages of trades (wire 7.1).
 *
 * Invariant: fed by the state of a start and by the durable commands after it. An order
 * that a batch closes stays until the batch is published. Bound: one entry for each live order of
 * the engine; orders share the registry's texts of keys.
 */
import type { EngineEvent } from '../../../engine/index.ts';
import type { DurableCommand, RestoredState } from '../../../persistence/index.ts';
import { HexMap } from '../../codec/index.ts';
import type { Registry } from '../../views/index.ts';

/** Keys read in one turn of the event loop, which takes a few milliseconds. */
const KEYS_PER_TURN = 2_000;

type OrderKey = readonly [orderId: string, apiKey: string];

export class OrderKeys {
  readonly #registry: Registry;
  readonly #keys = new HexMap<string>();
  /** The keys of the start's live orders that are not read yet. */
  #unread: Iterator<OrderKey> | undefined;
  /** Orders that were closed before their keys were read. */
  readonly #closedUnread = new Set<string>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  keyOf(orderId: string): string {
    while (this.#unread !== undefined && !this.#keys.has(orderId)) this.#readSome();
    return this.#keys.get(orderId) ?? '';
  }

  /** Starts to read the keys of a start's live orders. The registry has taken its state before. */
  restore(orderKeys: RestoredState['orderKeys']): void {
    this.#unread = orderKeys[Symbol.iterator]();
    this.#readInTurns();
  }

  /** Adds the orders that a batch placed. Called before the batch is published. */
  addAll(commands: readonly DurableCommand[]): void {
    for (const { command, events } of commands) {
      if (command.kind !== 'place_order') continue;
      const { orderId, apiKey } = command;
      // The command of a refused order is journaled too, if due events came before it.
      if (!events.some((event) => isAcceptance(event, orderId))) continue;
      this.#keys.set(orderId, this.#shared(apiKey));
    }
  }

  dropClosed(commands: readonly DurableCommand[]): void {
    for (const { events } of commands) {
      for (const event of events) {
        if (event.kind !== 'order_closed' || this.#keys.delete(event.orderId)) continue;
        if (this.#unread !== undefined) this.#closedUnread.add(event.orderId);
      }
    }
  }

  #readInTurns(): void {
    if (this.#unread === undefined) return;
    this.#readSome();
    // `unref`: reading must not keep the process alive.
    setImmediate(() => this.#readInTurns()).unref();
  }

  #readSome(): void {
    for (let taken = 0; taken < KEYS_PER_TURN; taken += 1) {
      const next = this.#unread?.next();
      if (next === undefined || next.done === true) {
        this.#unread = undefined;
        return;
      }
      const [orderId, apiKey] = next.value;
      if (this.#closedUnread.delete(orderId)) continue;
      this.#keys.set(orderId, this.#shared(apiKey));
    }
  }

  /** The registry's text of the key, so that orders share one text. */
  #shared(apiKey: string): string {
    return this.#registry.apiKey(apiKey)?.apiKey ?? apiKey;
  }
}

function isAcceptance(event: EngineEvent, orderId: string): boolean {
  return event.kind === 'order_accepted' && event.orderId === orderId;
}
