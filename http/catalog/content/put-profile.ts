import { Type } from 'typebox';
import { CONTENT_BOUNDS } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import type { Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/index.ts';
import { catalogFailure, PublicProfile } from '../index.ts';
import { speakerOf, textReply } from './word-input.ts';
import { pictureIn, wordsIn } from './words-in.ts';

const { nameChars, bioChars } = CONTENT_BOUNDS;

/** The wallet that trades for an owner: the first account that is not its own address. */
function walletOf(owner: string, { registry }: Pick<Services, 'registry'>): string | undefined {
  const wallet = registry.accountsOf(owner).find(({ address }) => address !== owner);
  return wallet && toChecksumAddress(wallet.address);
}

function optional(description: string) {
  return Type.Optional(Type.String({ description }));
}

/**
 * PUT /profile: what the caller says of itself; what is left out stays, what is empty goes.
 * Without a name people see the pseudonym, two words that the address is given for good.
 */
export const putProfile = defineRoute({
  method: 'PUT',
  path: '/profile',
  summary: 'Say who you are: name, picture and a few words',
  auth: 'l2',
  givesWay: true,
  body: Type.Object({
    name: optional(`One line of at most ${nameChars} characters`),
    bio: optional(`At most ${bioChars} characters`),
    profile_image: optional('Address of a picture'),
    display_username_public: Type.Optional(
      Type.Boolean({ description: 'Whether others are to see the name; true at first' }),
    ),
  }),
  response: PublicProfile,
  failureKeys: catalogFailure,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: async ({ body, caller, request: { nowMs }, services }) => {
    const { name, bio, profile_image: image, display_username_public } = body;
    const text = await services.exchange.catalog.write.setProfile({
      address: speakerOf(caller, services),
      proxyWallet: walletOf(caller.owner, services),
      name: name && wordsIn(name, { field: 'name', least: 0, most: nameChars, lines: 'one' }),
      bio: bio && wordsIn(bio, { field: 'bio', least: 0, most: bioChars, lines: 'many' }),
      profileImage: image === undefined ? undefined : pictureIn(image, 'profile_image'),
      displayUsernamePublic: display_username_public,
      nowIso: isoTime(nowMs),
    });
    return textReply(text, services);
  },
});
