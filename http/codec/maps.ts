/**
 * A map by hex texts, made of many small maps. A single Map that grows or shrinks moves all its
 * entries at once, which takes 20 ms with 300,000 of them; here only those of one part move.
 *
 * Bound: the caller's.
 */

// Caches in plain maps: no result may depend on whether an entry is still there.
//
// Bound: the caller's limit. A full map is cleared: the cost is one lost entry for each new key, on
// average. Deleting the oldest key instead is slow, because a Map's iterator steps over all keys
// that were deleted before.

/** Puts an entry into a map that holds `limit` entries at most. */
export function remember<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  limit: number,
): void {
  if (map.size >= limit && !map.has(key)) map.clear();
  map.set(key, value);
}

const PARTS = 256;

export class HexMap<Value> {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<string, Value>());

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  get(key: string): Value | undefined {
    return this.#partOf(key).get(key);
  }

  has(key: string): boolean {
    return this.#partOf(key).has(key);
  }

  set(key: string, value: Value): void {
    this.#partOf(key).set(key, value);
  }

  delete(key: string): boolean {
    return this.#partOf(key).delete(key);
  }

  /** The last two digits choose the part: in addresses and ids they are evenly distributed. */
  #partOf(key: string): Map<string, Value> {
    const part = digitAt(key, key.length - 2) * 16 + digitAt(key, key.length - 1);
    return this.#parts[part]!;
  }
}

/** A number below 16 for every character: the value of a hex digit. */
function digitAt(key: string, index: number): number {
  const code = key.charCodeAt(index);
  return (code + 9 * (code >> 6)) & 15;
}
