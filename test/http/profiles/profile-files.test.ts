// What the file of a profile may say, and with which words it is refused.
import t from 'tap';
import { parseProfile } from '../../../http/profiles/profile-file.ts';
import { PROFILES } from '../../../http/profiles/profiles.ts';

const read = (file: unknown) => parseProfile(file, PROFILES);

const LOWEST = {
  tier: 'A',
  leastVolume: 0,
  orderRate: 1,
  orderBurst: 15,
  cancelRate: 1,
  cancelBurst: 1,
  overdraws: true,
};
const NEXT = { ...LOWEST, tier: 'B', leastVolume: 1 };

/** The row of a file with two tiers, the second one changed. */
function tierRows(changes: object, message: string): (readonly [object, string])[] {
  return [[{ signerTiers: [LOWEST, { ...NEXT, ...changes }] }, `signerTiers.1.${message}`]];
}

function messageOf(file: unknown): string {
  try {
    read(file);
    return 'it is taken';
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

t.test('a file changes keys of the profile that it names, or of the default', async (t) => {
  t.strictSame(read({ from: 'open' }), { ...PROFILES[3], name: 'open, changed' });
  t.match(read({ name: 'mine', decimals: { limitTokens: 1 } }), {
    name: 'mine',
    dialect: 'polymarket',
    decimals: { ...PROFILES[0]?.decimals, limitTokens: 1 },
  });
  t.match(read({ decimals: null, signerTiers: null }), { decimals: null, signerTiers: null });
  t.match(read({ from: 'open', signerTiers: [LOWEST] }), { signerTiers: [LOWEST] });
  for (const { name } of PROFILES) t.equal(read({ from: name }).name, `${name}, changed`);
});

t.test(
  'a file with a wrong or contradictory key is refused with the key and what it must be',
  async (t) => {
    const rows: readonly (readonly [file: unknown, message: string])[] = [
      [[], 'the file is "a list of 0"; it must be an object'],
      [
        { from: 'kusst' },
        'from is "kusst"; it must be one of polymarket-2026-10, polymarket-2026-03, kuest, open',
      ],
      [{ gtdLead: 5 }, 'the file has an unknown key "gtdLead"; the nearest is "gtdLeadSeconds"'],
      [{ gtdLeadSeconds: -1 }, 'gtdLeadSeconds is -1; it must be 0..86400'],
      [{ gtdLeadSeconds: 86_401 }, 'gtdLeadSeconds is 86401; it must be 0..86400'],
      [{ gtdEarlyEndSeconds: 3_601 }, 'gtdEarlyEndSeconds is 3601; it must be 0..3600'],
      [
        { gtdEarlyEndSeconds: 180 },
        'gtdEarlyEndSeconds is 180; it must be 0 or below gtdLeadSeconds, which is 180',
      ],
      [
        { gtdLeadSeconds: 0 },
        'gtdEarlyEndSeconds is 60; it must be 0 or below gtdLeadSeconds, which is 0',
      ],
      [{ name: 'open' }, 'name is "open"; it must be another name than that of a built-in profile'],
      [{ date: '2026' }, 'date is'],
      [{ signerTiers: {} }, 'signerTiers is "an object"; it must be a list of 1 to 32'],
      [{ signerTiers: [] }, 'signerTiers is "a list of 0"; it must be a list of 1 to 32'],
      [
        { signerTiers: Array.from({ length: 33 }, () => LOWEST) },
        'signerTiers is "a list of 33"; it must be a list of 1 to 32',
      ],
      [{ signerTiers: [null] }, 'signerTiers.0 is null; it must be an object'],
      [{ signerTiers: [{ tier: 'A' }] }, 'signerTiers.0.leastVolume is missing; it must be given'],
      [
        { signerTiers: [LOWEST, { ...NEXT, rate: 1 }] },
        'signerTiers.1 has an unknown key "rate"; the nearest is "tier"',
      ],
      ...tierRows({ orderRate: 0 }, 'orderRate is 0; it must be 1..1000000'),
      ...tierRows({ cancelBurst: 1_000_001 }, 'cancelBurst is 1000001; it must be 1..1000000'),
      ...tierRows({ tier: 'a\nb' }, 'tier is "a\\nb"; it must be ^[\\w-]{1,64}$'),
      ...tierRows({ tier: '' }, 'tier is ""; it must be ^'),
      ...tierRows({ tier: 'x'.repeat(65) }, `tier is "${'x'.repeat(65)}"; it must be ^`),
      ...tierRows({ tier: LOWEST.tier }, 'tier is "A"; it must be another name than those of the'),
      ...tierRows({ leastVolume: -1 }, 'leastVolume is -1; it must be 0..1000000000000'),
      ...tierRows({ leastVolume: 0.5 }, 'leastVolume is 0.5; it must be integer'),
      ...tierRows({ leastVolume: 0 }, 'leastVolume is 0; it must be above 0, that of the tier'),
      ...tierRows({ overdraws: 1 }, 'overdraws is 1; it must be boolean'),
      ...tierRows({ orderBurst: 14 }, 'orderBurst is 14; it must be at least 15, the orders of'),
      [
        { signerTiers: [{ ...LOWEST, leastVolume: 1 }] },
        'signerTiers.0.leastVolume is 1; it must be 0: each signer has a tier',
      ],
      [{ decimals: 2 }, 'decimals is 2; it must be an object'],
      [{ decimals: { limitTokens: 7 } }, 'decimals.limitTokens is 7; it must be 0..6'],
      [{ decimals: { limitTokens: -1 } }, 'decimals.limitTokens is -1; it must be 0..6'],
      [{ decimals: { limitTokens: 0.5 } }, 'decimals.limitTokens is 0.5; it must be integer'],
      [
        { decimals: { limitToken: 2 } },
        'decimals has an unknown key "limitToken"; the nearest is "limitTokens"',
      ],
      [
        { decimals: { limitTokens: 3 } },
        'decimals.limitCashBeyondTick is 2; it must be at least decimals.limitTokens, which is 3',
      ],
      [
        { decimals: { marketBuyTokens: 2 } },
        'decimals.marketBuyTokens is 2; it must be at least 3: with fewer, most market orders miss',
      ],
      [{ decimals: { marketSellCash: 2 } }, 'decimals.marketSellCash is 2; it must be at least 3'],
    ];
    for (const [file, message] of rows) {
      t.ok(messageOf(file).startsWith(message), `${messageOf(file)}: ${message}`);
    }
  },
);
