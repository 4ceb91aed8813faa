import { Type } from 'typebox';
import { isoTime } from '../../../http/codec/index.ts';
import { OptionalText, OptionalTrueFalse } from '../../../http/parameters/index.ts';
import { defineRoute, type Services } from '../../../http/services/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { CONTENT_BOUNDS } from '../../../persistence/index.ts';
import { catalogFailure, PublicProfile } from '../index.ts';
import { authorAddress, textReply } from './content-input.ts';
import { readPictureAddress, readUserText } from './user-text.ts';

const { nameChars, bioChars } = CONTENT_BOUNDS;

/** The owner's wallet: its first account with an address other than its own. */
function walletOf(owner: string, { registry }: Pick<Services, 'registry'>): string | undefined {
  const wallet = registry.accountsOf(owner).find(({ address }) => address !== owner);
  return wallet && toChecksumAddress(wallet.address);
}

/**
 * PUT /profile: changes the caller's profile. A missing field stays, an empty one is removed. A
 * user without a name is shown by a pseudonym, two words derived from the address.
 */
export const putProfile = defineRoute({
  method: 'PUT',
  path: '/profile',
  summary: 'Change your public profile',
  auth: 'l2',
  givesWay: true,
  body: Type.Object({
    name: OptionalText(`One line of at most ${nameChars} characters`),
    bio: OptionalText(`At most ${bioChars} characters`),
    profile_image: OptionalText('URL of a picture'),
    display_username_public: OptionalTrueFalse('Whether others see the name; true by default'),
  }),
  response: PublicProfile,
  failureKeys: catalogFailure,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: async ({ body, caller, request: { nowMs }, services }) => {
    const { name, bio, profile_image: image, display_username_public } = body;
    const text = await services.exchange.catalog.write.setProfile({
      address: authorAddress(caller, services),
      proxyWallet: walletOf(caller.owner, services),
      name: name && readUserText(name, { field: 'name', least: 0, most: nameChars, lines: 'one' }),
      bio: bio && readUserText(bio, { field: 'bio', least: 0, most: bioChars, lines: 'many' }),
      profileImage: image === undefined ? undefined : readPictureAddress(image, 'profile_image'),
      displayUsernamePublic: display_username_public,
      nowIso: isoTime(nowMs),
    });
    return textReply(text, services);
  },
});
