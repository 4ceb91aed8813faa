/** The settings of an exchange that is started without options. */
import { DEFAULT_RULES } from '../http/admission/limit-table.ts';
import type { VenueProfile } from '../http/profiles/profile-schema.ts';
import { DEFAULT_PROFILE, PROFILES } from '../http/profiles/profiles.ts';
import { DEFAULT_SETTINGS } from '../http/settings/defaults.ts';
import type { Settings } from '../http/settings/settings.ts';
import { DEFAULT_DOMAINS } from '../http/signing/domains.ts';
import { DEFAULT_WALLETS } from '../http/signing/wallets.ts';

export const TEST_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  domains: DEFAULT_DOMAINS,
  wallets: DEFAULT_WALLETS,
  rateLimits: DEFAULT_RULES,
};

function profile(wanted: string): VenueProfile {
  const found = PROFILES.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no profile ${wanted}`);
  return found;
}

/** Takes amounts of any decimals, and a GTD order that expires a minute later. */
export const EARLIER = profile('polymarket-2026-03');
export const KUEST = profile('kuest');
/** Answers at once to a delayed order: tests that move the clock themselves would wait for it. */
export const ANSWERS_AT_ONCE: VenueProfile = { ...DEFAULT_PROFILE, heldAnswerSeconds: 0 };
/** Takes whatever can be carried out. */
export const OPEN = profile('open');
