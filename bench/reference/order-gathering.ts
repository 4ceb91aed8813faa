/**
 * Forms messages to the threads of the floor as the exchange forms its own: the items of one turn
 * of the event loop leave together at its end. While `messages` are out, further items wait for the
 * next message.
 *
 * Invariant: answers come in the order of the messages. Bound: `size` and `messages`.
 */
export interface GatheringOptions<Item> {
  /** The most items of one message. */
  readonly size: number;
  /** The most messages without an answer. */
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

  /** Returns the items of the oldest message, which is answered, and sends what waits. */
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
