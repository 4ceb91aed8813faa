/** The cached JSON of events and markets. Both are out of date when their event changes. */
import type { JsonFragment } from '../json/json-writer.ts';
import { VersionedCache } from './versioned-cache.ts';

export interface EventJson {
  /** The event whose version tells whether the fragment is current. */
  readonly eventId: number;
  readonly fragment: JsonFragment;
}

export function eventJsonCache(maxBytes: number): VersionedCache<number, EventJson> {
  return new VersionedCache({
    maxBytes,
    bytesOf: ({ fragment: { bytes, keys, slots } }) =>
      bytes.length + keys.length + slots.byteLength,
  });
}
