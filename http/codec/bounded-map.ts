/**
 * Caches in plain maps: no result may depend on whether an entry is still there.
 *
 * Bound: the caller's limit. A full map is cleared: the cost is one lost entry for each new key, on
 * average. Deleting the oldest key instead is slow, because a Map's iterator steps over all keys
 * that were deleted before.
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
