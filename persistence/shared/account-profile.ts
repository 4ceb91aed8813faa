/**
 * The public profile of an account: its own, or else its owner's. An account without either has a
 * pseudonym and nothing else. The analytics and the live stream show the same.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createKeccak, type IHasher } from 'hash-wasm';
import words from './pseudonym-words.json' with { type: 'json' };

/**
 * The EIP-55 checksum spelling of addresses: a letter is upper case where the hash of the
 * lower-case address has a digit of 8 or more. It is here because threads of persistence write
 * addresses into answers. Bound: CACHE_ENTRIES spellings are cached.
 */
// A full cache is cleared: finding a Map's oldest entry would step over all deleted ones.
const CACHE_ENTRIES = 16_384;
const LETTER_A = 0x61;
const TO_UPPER_CASE = 0x20;
const LOWER_ADDRESS_FORM = /^0x[0-9a-f]{40}$/;

// One hasher suffices, because each synchronous call uses it from start to end.
let keccak: IHasher | undefined;
/**
 * Resolves when addresses can be spelled. An exchange and its threads await it before they open. It
 * is no top-level await: if the process exits while a thread evaluates modules that depend on one,
 * V8 crashes, and the exit code is lost.
 */
export const checksumsReady: Promise<void> = createKeccak(256).then((hasher) => {
  keccak = hasher;
});
const spellings = new Map<string, string>();

function spell(address: string): string {
  assert(keccak !== undefined, 'checksumsReady is awaited first');
  const text = Buffer.from(address, 'latin1');
  const hash = keccak.init().update(text.subarray(2)).digest('binary');
  for (let index = 0; index < 40; index++) {
    const byte = hash[index >> 1] ?? 0;
    const digit = (index & 1) === 0 ? byte >> 4 : byte & 15;
    const letter = text[2 + index] ?? 0;
    if (digit >= 8 && letter >= LETTER_A) text[2 + index] = letter - TO_UPPER_CASE;
  }
  return text.toString('latin1');
}

/** `lowerHex`: 0x and 40 lower-case digits. */
export function toChecksumAddress(lowerHex: string): string {
  const known = spellings.get(lowerHex);
  if (known !== undefined) return known;
  assert(LOWER_ADDRESS_FORM.test(lowerHex), 'only a lower-case address has a checksum spelling');
  const spelling = spell(lowerHex);
  if (spellings.size >= CACHE_ENTRIES) spellings.clear();
  spellings.set(lowerHex, spelling);
  return spelling;
}

/**
 * The display name of a user who chose none: two words picked by the hash of the address, so that
 * it is the same on every machine. Invariant: the lists of words are never reordered. There are
 * some 16,000 names, so two users may share one: a pseudonym proves nothing.
 */
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

/** Whether the text may be the pseudonym of a user without a name. */
export function isPseudonym(text: string): boolean {
  const [manner = '', animal = '', ...more] = text.split('-');
  return words.manners.includes(manner) && words.animals.includes(animal) && more.length === 0;
}

export interface AccountProfile {
  /** EIP-55. */
  readonly address: string;
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  /** URL of its smaller form; '' for none. */
  readonly profileImageOptimized: string;
  readonly displayUsernamePublic: boolean;
  readonly xUsername: string | null;
  readonly verifiedBadge: boolean | null;
}

/** An account and its owner, in lower case. */
export interface AccountAddresses {
  readonly address: string;
  readonly owner: string;
}

export interface AccountProfileRow
  extends Pick<AccountProfile, 'name' | 'pseudonym' | 'bio' | 'profileImage'> {
  readonly isPublic: number;
  /** JSON. */
  readonly record: string;
}

/**
 * Finds a profile by `@address`, then by `@owner`; each as the profile's address or as its proxy
 * wallet. Look-ups in indexes of the catalog's table, by the name that it has in the connection.
 */
export function accountProfileSql(table: string): string {
  const wallets = ['@address', '@owner'].flatMap((name) => [
    `(SELECT wallet FROM ${table} WHERE wallet = ${name})`,
    `(SELECT wallet FROM ${table} WHERE proxy_wallet = ${name} AND proxy_wallet <> '')`,
  ]);
  return (
    'SELECT name, pseudonym, bio, profile_image AS profileImage, ' +
    `display_username_public AS isPublic, record FROM ${table} ` +
    `WHERE wallet = coalesce(${wallets.join(', ')})`
  );
}

export function accountProfile(
  address: string,
  row: AccountProfileRow | undefined,
): AccountProfile {
  const { name = '', pseudonym = '', bio = '', profileImage = '', isPublic = 1 } = row ?? {};
  return {
    address: toChecksumAddress(address),
    name,
    pseudonym: pseudonym || pseudonymOf(address),
    bio,
    profileImage,
    displayUsernamePublic: isPublic === 1,
    ...furtherFields(row?.record ?? '{}'),
  };
}

function furtherFields(record: string) {
  if (record === '{}') return { profileImageOptimized: '', xUsername: null, verifiedBadge: null };
  // Safe: a record is what JSON.stringify made of an object.
  const further = JSON.parse(record) as Readonly<Record<string, unknown>>;
  const { profileImageOptimized: image, xUsername, verifiedBadge } = further;
  const optimized =
    typeof image === 'object' && image !== null && 'imageUrlOptimized' in image
      ? image.imageUrlOptimized
      : image;
  return {
    profileImageOptimized: typeof optimized === 'string' ? optimized : '',
    xUsername: typeof xUsername === 'string' ? xUsername : null,
    verifiedBadge: typeof verifiedBadge === 'boolean' ? verifiedBadge : null,
  };
}
