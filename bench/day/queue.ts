/** What is to come, by when it is due: a binary heap. What is due at once comes in any order. */
export class DayQueue<Item extends { readonly dueMs: number }> {
  readonly #items: Item[] = [];

  add(item: Item): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (items[parent]!.dueMs <= item.dueMs) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** The next one, if it is due before a time. */
  takeBefore(endMs: number): Item | undefined {
    const items = this.#items;
    const first = items[0];
    if (first === undefined || first.dueMs >= endMs) return undefined;
    const last = items.pop()!;
    if (items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts an item in the place of the first one, and down from there. */
  #sink(item: Item): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= items.length) break;
      const isRight = left + 1 < items.length && items[left + 1]!.dueMs < items[left]!.dueMs;
      const child = isRight ? left + 1 : left;
      if (items[child]!.dueMs >= item.dueMs) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
