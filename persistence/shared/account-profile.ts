/**
 * The public profile of an account: its own, or else its owner's. An account without either has a
 * pseudonym and nothing else. The analytics and the live stream show the same.
 */
import { toChecksumAddress } from './checksum-address.ts';
import { pseudonymOf } from './pseudonym.ts';

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

/** Fields that an imported record of a profile may contain. */
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
