import t from 'tap';
import { parseAddress, toChecksumAddress } from '../../../http/signing/address.ts';
import { DEFAULT_DOMAINS, MAX_DOMAINS, parseDomains } from '../../../http/signing/domains.ts';

const KUEST = ['CTF Exchange', '2', 'order11'] as const;
const KUEST_PY_1 = ['CTF Exchange', '1', 'order12'] as const;
const KUEST_GO_1 = ['Kuest CTF Exchange', '1', 'order12'] as const;
const POLYMARKET_1 = ['Polymarket CTF Exchange', '1', 'order12'] as const;
const POLYMARKET_2 = ['Polymarket CTF Exchange', '2', 'order11'] as const;
const POLYMARKET_3 = ['Polymarket CTF Exchange', '3', 'order11'] as const;

// Wire 3.2: system, plain contract, neg-risk contract, chains.
const ROWS = [
  [
    KUEST,
    '0xaCd95F4F42322c7bE215C170362EEc57Ef4E78c2',
    '0x961d3230B3BBdb2592D20fa34dBD12Fa19240603',
    [137, 80002],
  ],
  [
    KUEST,
    '0xaa1b8dE834E16eC69C044F5300041673C968c9eF',
    '0xe7FA09cA716FDf498d74AFF618d32AFeacc310aB',
    [137, 80002],
  ],
  [
    KUEST,
    '0x4bB1871fdaE80331ce5fF87547b8ff886D1695a5',
    '0xdb1E374a05130d7DE3F16677066553F225D2eE53',
    [137, 80002],
  ],
  [
    KUEST_PY_1,
    '0xaCd95F4F42322c7bE215C170362EEc57Ef4E78c2',
    '0x961d3230B3BBdb2592D20fa34dBD12Fa19240603',
    [137, 80002],
  ],
  [
    KUEST_GO_1,
    '0xE79717fE8456C620cFde6156b6AeAd79C4875Ca2',
    '0xccBe425A0Aa24DCEf81f2e6edE3568a1683e7cbe',
    [137, 80002],
  ],
  [
    POLYMARKET_1,
    '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E',
    '0xC5d563A36AE78145C45a50134d48A1215220f80a',
    [137],
  ],
  [
    POLYMARKET_1,
    '0xdFE02Eb6733538f8Ea35D585af8DE5958AD99E40',
    '0xC5d563A36AE78145C45a50134d48A1215220f80a',
    [80002],
  ],
  [
    POLYMARKET_2,
    '0xE111180000d2663C0091e4f400237545B87B996B',
    '0xe2222d279d744050d28e00520010520000310F59',
    [137, 80002],
  ],
  [POLYMARKET_3, '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa', 'same', [137]],
  [POLYMARKET_3, '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D', 'same', [80002]],
] as const;

t.test(
  'the default domains are the rows of the published table, no more and no less',
  async (t) => {
    const key = (...parts: readonly unknown[]): string => parts.join(' ');
    const published = ROWS.flatMap(([[name, version, struct], plain, negRisk, chains]) =>
      chains.flatMap((chain) => {
        const row = key(name, version, struct, chain);
        if (negRisk === 'same') return [key(row, plain, null)];
        return [key(row, plain, false), key(row, negRisk, true)];
      }),
    );
    const ours = DEFAULT_DOMAINS.map(({ name, version, struct, chainId, contract, negRisk }) =>
      key(name, version, struct, chainId, toChecksumAddress(contract), negRisk),
    );
    t.same(ours.toSorted(), published.toSorted());
  },
);

t.test('every default contract is a lower-case address', async (t) => {
  for (const { contract } of DEFAULT_DOMAINS) {
    t.same(parseAddress(contract), { ok: true, address: contract });
  }
});

const LOCAL = {
  name: 'CTF Exchange',
  version: '2',
  chainId: 31337,
  contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  negRisk: false,
  struct: 'order11',
} as const;
const lower = LOCAL.contract.toLowerCase();

t.test('a list is read with its contracts in lower case', async (t) => {
  t.same(parseDomains([LOCAL]), [{ ...LOCAL, contract: lower }]);
});

t.test('a domain without negRisk is for both kinds of market', async (t) => {
  const { negRisk: _, ...withoutKind } = LOCAL;
  t.equal(parseDomains([withoutKind])[0]?.negRisk, null);
  t.equal(parseDomains([{ ...LOCAL, negRisk: null }])[0]?.negRisk, null);
});

t.test('the default domains, written to a file, are read as they were', async (t) => {
  t.same(parseDomains(JSON.parse(JSON.stringify(DEFAULT_DOMAINS))), DEFAULT_DOMAINS);
});

t.test('each fault of a list is named with index, field and value', async (t) => {
  const faults: readonly (readonly [unknown, string | RegExp])[] = [
    [undefined, 'the signing domains must be an array of objects'],
    [{ domains: [] }, 'the signing domains must be an array of objects'],
    [[], 'there are 0 signing domains; there must be 1 to 64'],
    [new Array(MAX_DOMAINS + 1).fill(LOCAL), 'there are 65 signing domains; there must be 1 to 64'],
    [[LOCAL, null], 'domains[1] is null; it must be an object'],
    [[LOCAL, 'CTF Exchange'], 'domains[1] is "CTF Exchange"; it must be an object'],
    [[[]], 'domains[0] is []; it must be an object'],
    [
      [{ ...LOCAL, chainID: 1 }],
      /^domains\[0\]\.chainID is 1, which is not a known field; the fields are name, version, /,
    ],
    [[{ ...LOCAL, name: '' }], 'domains[0].name is ""; it must be a text of 1 to 128 characters'],
    [[{ ...LOCAL, name: 'x'.repeat(129) }], /^domains\[0\]\.name is "x+"; it must be a text/],
    [[{ ...LOCAL, version: 2 }], /^domains\[0\]\.version is 2; it must be a text/],
    [
      [{ ...LOCAL, chainId: '137' }],
      'domains[0].chainId is "137"; it must be a whole number from 1',
    ],
    [[{ ...LOCAL, chainId: 0 }], 'domains[0].chainId is 0; it must be a whole number from 1'],
    [[{ ...LOCAL, chainId: 1.5 }], 'domains[0].chainId is 1.5; it must be a whole number from 1'],
    [[{ ...LOCAL, chainId: 2 ** 53 }], /^domains\[0\]\.chainId is 9007199254740992; it must be/],
    [[{ ...LOCAL, contract: '0x12' }], /^domains\[0\]\.contract is "0x12"; it must be an address/],
    [[{ ...LOCAL, contract: lower.replace('a', 'A') }], /^domains\[0\]\.contract is .*EIP-55/],
    [[{ ...LOCAL, contract: 5 }], /^domains\[0\]\.contract is 5; it must be an address/],
    [[{ ...LOCAL, negRisk: 'no' }], /^domains\[0\]\.negRisk is "no"; it must be true, false or/],
    [[{ ...LOCAL, struct: 'order' }], /^domains\[0\]\.struct is "order"; it must be "order11" or/],
    [[{ ...LOCAL, struct: undefined }], /^domains\[0\]\.struct is undefined; it must be/],
    [[LOCAL, LOCAL], /^domains\[1\] has the name, .* of domains\[0\]: .*31337.*negRisk to null$/],
    [[LOCAL, { ...LOCAL, contract: lower, negRisk: true }], /^domains\[1\] has the name/],
  ];
  for (const [json, message] of faults) t.throws(() => parseDomains(json), { message });
});

t.test('one contract may take both structs', async (t) => {
  t.equal(parseDomains([LOCAL, { ...LOCAL, struct: 'order12' }]).length, 2);
});
