/** Profiles as GET /public-profile returns them (wire 8.4). */
import { pseudonymOf } from '../../persistence/shared/index.ts';
import type { SlottedJson } from '../model/index.ts';
import { furtherMembers, plainJson } from './json-writer.ts';

export interface ProfileColumns {
  readonly wallet: string;
  readonly proxyWallet: string;
  readonly name: string;
  readonly pseudonym: string;
  readonly bio: string;
  readonly profileImage: string;
  readonly displayUsernamePublic: number;
  readonly isMod: number;
  readonly isCreator: number;
  readonly createdAt: string | null;
  readonly record: string;
}

/** The caller appends a condition on `p`. */
export const SELECT_PROFILES = `
SELECT p.wallet, p.proxy_wallet AS proxyWallet, p.name, p.pseudonym, p.bio,
  p.profile_image AS profileImage, p.display_username_public AS displayUsernamePublic,
  p.is_mod AS isMod, p.created_at AS createdAt, p.record,
  EXISTS (SELECT 1 FROM creators WHERE creators.wallet = p.wallet AND creators.wallet <> '')
    AS isCreator
FROM profiles p`;

export function profileText(profile: ProfileColumns): SlottedJson {
  const { wallet, proxyWallet, displayUsernamePublic, isMod, isCreator } = profile;
  const { createdAt, profileImage, bio, name, pseudonym } = profile;
  const { xUsername = null, verifiedBadge = null, ...further } = recordOf(profile);
  const text = JSON.stringify({
    createdAt,
    proxyWallet: proxyWallet || wallet,
    baseAddress: wallet,
    profileImage,
    displayUsernamePublic: displayUsernamePublic === 1,
    bio,
    pseudonym: pseudonym || pseudonymOf(wallet),
    name,
    users: [{ id: wallet, creator: isCreator === 1, mod: isMod === 1 }],
    xUsername,
    verifiedBadge,
  });
  const members = furtherMembers(JSON.stringify(further));
  return plainJson(`${text.slice(0, -1)}${members}}`);
}

function recordOf({ record }: ProfileColumns): Readonly<Record<string, unknown>> {
  return JSON.parse(record);
}

/** The profile of an address that never set one, as EIP-55; `owner` is whose account it is. */
export function unnamedProfile(address: string, owner: string = address): ProfileColumns {
  return {
    wallet: owner,
    proxyWallet: address,
    name: '',
    pseudonym: pseudonymOf(address),
    bio: '',
    profileImage: '',
    displayUsernamePublic: 1,
    isMod: 0,
    isCreator: 0,
    createdAt: null,
    record: '{}',
  };
}
