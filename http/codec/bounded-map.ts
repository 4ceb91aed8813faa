/**
 * Maps that only save work: no result may depend on what they still remember.
 *
 * Bound: the limit each caller gives. A full map is emptied, which costs its owner the work of
 * filling it again, once in `limit` new keys; deleting the oldest key instead would walk over all
 * the keys deleted before it, at every new key.
 */

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
