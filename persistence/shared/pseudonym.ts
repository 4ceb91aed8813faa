/**
 * The display name of a user who chose none: two words picked by the hash of the address, so that
 * it is the same on every machine. Invariant: the lists of words are never reordered. There are
 * some 16,000 names, so two users may share one: a pseudonym proves nothing.
 */
import { createHash } from 'node:crypto';
import words from './pseudonym-words.json' with { type: 'json' };

function wordAt(list: readonly string[], place: number): string {
  return list[place % list.length] ?? '';
}

/** Such as `Quiet-Otter`. The case of the address does not matter. */
export function pseudonymOf(address: string): string {
  const digest = createHash('sha256')
    .update(`outcome-exchange/pseudonym/${address.toLowerCase()}`)
    .digest();
  const { manners, animals } = words;
  return `${wordAt(manners, digest.readUInt32BE(0))}-${wordAt(animals, digest.readUInt32BE(4))}`;
}
