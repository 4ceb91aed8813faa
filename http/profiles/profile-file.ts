/**
 * Reads a file that changes some keys of a profile:
 *
 *     {"from": "open", "name": "mine", "gtdLeadSeconds": 5}
 *
 * Invariant: an unknown key, a wrong value, or keys that contradict each other are refused with
 * their place in the file.
 */
import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { firstFault, listAt, objectAt, onlyKnown, refuseAt } from '../errors/index.ts';
import { AmountDecimals, MOST_TIERS, SignerTier, VenueProfile } from './profile-schema.ts';

/** Clients round the derived amount of a market order, which may miss its tick by 0.001. */
const MARKET_DECIMALS = 3;

function refuseTiers(tiers: readonly SignerTier[]): void {
  const { ordersPerRequest: batch } = HTTP_BOUNDS;
  for (const [index, { tier, leastVolume, orderBurst }] of tiers.entries()) {
    const place = `signerTiers.${index}`;
    const before = tiers[index - 1];
    if (before === undefined && leastVolume > 0) {
      refuseAt(`${place}.leastVolume`, leastVolume, '0: each signer has a tier');
    }
    if (before !== undefined && leastVolume <= before.leastVolume) {
      const must = `above ${before.leastVolume}, that of the tier before it`;
      refuseAt(`${place}.leastVolume`, leastVolume, must);
    }
    if (tiers.findIndex((other) => other.tier === tier) < index) {
      refuseAt(`${place}.tier`, tier, 'another name than those of the tiers before it');
    }
    if (orderBurst < batch) {
      refuseAt(`${place}.orderBurst`, orderBurst, `at least ${batch}, the orders of one batch`);
    }
  }
}

/** Throws an `Error` with the first key that contradicts another, and what it must be. */
function refuseContradictions(profile: VenueProfile): void {
  const { gtdLeadSeconds: lead, gtdEarlyEndSeconds: early, signerTiers, decimals } = profile;
  if (early > 0 && early >= lead) {
    refuseAt('gtdEarlyEndSeconds', early, `0 or below gtdLeadSeconds, which is ${lead}`);
  }
  refuseTiers(signerTiers ?? []);
  if (decimals === null) return;
  const { limitTokens, limitCashBeyondTick } = decimals;
  if (limitCashBeyondTick < limitTokens) {
    const must = `at least decimals.limitTokens, which is ${limitTokens}`;
    refuseAt('decimals.limitCashBeyondTick', limitCashBeyondTick, must);
  }
  for (const key of ['marketBuyTokens', 'marketSellCash'] as const) {
    const must = `at least ${MARKET_DECIMALS}: with fewer, most market orders miss every tick`;
    if (decimals[key] < MARKET_DECIMALS) refuseAt(`decimals.${key}`, decimals[key], must);
  }
}

/** The value, if the schema takes it. Throws an `Error` with the place of its first fault. */
export function checkedBy<Schema extends TSchema>(
  place: string,
  schema: Schema,
  value: unknown,
): Static<Schema> {
  const compiled = Compile(schema);
  if (compiled.Check(value)) return value;
  const { isMissing, details } = firstFault(schema, value, compiled.Errors(value));
  const { field, actual, limit, reason } = details;
  return refuseAt(`${place}${field}`, actual, isMissing ? 'given' : String(limit ?? reason));
}

/** What the file says at a place, over what is there without it. */
function changed(place: string, schema: TObject, base: object | null, changes: unknown): unknown {
  const entries = objectAt(place, changes);
  onlyKnown(place, entries, Object.keys(schema.properties));
  return checkedBy(`${place}.`, schema, { ...base, ...entries });
}

/** The decimals with those that the file changes; null takes them away. */
function decimalsOf(base: AmountDecimals | null, changes: unknown): unknown {
  if (changes === undefined) return base;
  return changes === null ? null : changed('decimals', AmountDecimals, base, changes);
}

/** The file's tiers in place of all others; null takes them away. */
function tiersOf(base: readonly SignerTier[] | null, changes: unknown): unknown {
  if (changes === undefined) return base;
  if (changes === null) return null;
  const tiers = listAt('signerTiers', changes, MOST_TIERS);
  return tiers.map((tier, index) => changed(`signerTiers.${index}`, SignerTier, null, tier));
}

/** Reads a file that changes one of `profiles`. Throws an `Error` with the place of a fault. */
export function parseProfile(json: unknown, profiles: readonly VenueProfile[]): VenueProfile {
  const { from = profiles[0]?.name, ...changes } = objectAt('the file', json);
  const base = profiles.find(({ name }) => name === from);
  if (base === undefined) {
    return refuseAt('from', from, `one of ${profiles.map(({ name }) => name).join(', ')}`);
  }
  onlyKnown('the file', changes, Object.keys(VenueProfile.properties));
  const profile = checkedBy('', VenueProfile, {
    ...base,
    name: `${base.name}, changed`,
    ...changes,
    decimals: decimalsOf(base.decimals, changes.decimals),
    signerTiers: tiersOf(base.signerTiers, changes.signerTiers),
  });
  const isTaken = profiles.some(({ name }) => name === profile.name);
  if (isTaken) refuseAt('name', profile.name, 'another name than that of a built-in profile');
  refuseContradictions(profile);
  return profile;
}
