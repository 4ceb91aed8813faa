/**
 * Messages of the floor for orders, formed as ours are: what comes in one turn of the event loop
 * leaves together at its end, and what comes while as many messages are out as may be, with the
 * next one.
 *
 * Invariant: answers come in the order of the messages. Bound: `size` and `messages`.
 */
export interface GatheringOptions<Item> {
  /** Items in one message at the most. */
  readonly size: number;
  /** Messages that are out at once. */
  readonly messages: number;
  readonly send: (items: readonly Item[]) => void;
}

export class Gathering<Item> {
  readonly #options: GatheringOptions<Item>;
  readonly #waiting: Item[] = [];
  /** Oldest first. */
  readonly #out: (readonly Item[])[] = [];
  #willSend = false;

  constructor(options: GatheringOptions<Item>) {
    this.#options = options;
  }

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#willSend) return;
    this.#willSend = true;
    setImmediate(() => {
      this.#willSend = false;
      this.#send();
    });
  }

  /** The oldest message is answered: gives what was in it, and sends what waits. */
  answered(): readonly Item[] {
    const items = this.#out.shift() ?? [];
    this.#send();
    return items;
  }

  #send(): void {
    const { size, messages, send } = this.#options;
    while (this.#waiting.length > 0 && this.#out.length < messages) {
      const items = this.#waiting.splice(0, size);
      this.#out.push(items);
      send(items);
    }
  }
}
