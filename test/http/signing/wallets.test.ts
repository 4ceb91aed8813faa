import fc from 'fast-check';
import t from 'tap';
import { getContractAddress, keccak256, pad } from 'viem';
import { bytesToHex } from '../../../http/signing/hash.ts';
import {
  DEFAULT_WALLETS,
  derivedKind,
  MAX_WALLETS,
  parseWallets,
  walletFrom,
  walletsOf,
} from '../../../http/signing/wallets.ts';

const ANVIL = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ONE = `0x${'1'.padStart(40, '0')}`;

// The addresses that tests of the published clients expect: the public venue's Rust client and its
// relayer's client, then Kuest's.
const PUBLISHED: readonly (readonly [row: number, owner: string, address: string])[] = [
  [0, ONE, '0x94bf330955a0b957662feaf878de77bf25f76cd9'],
  [1, ONE, '0x57ffbc34de23124faeb8387fcd689d314e57accd'],
  [2, ANVIL, '0x365f0ca36ae1f641e02fe3b7743673da42a13a70'],
  [3, ANVIL, '0xd93b25cb943d14d0d34fbaf01fc93a0f8b5f6e47'],
  [4, ANVIL, '0xf3ab66d34f0b14c9a4f8564ec8baabbf51ad0fd6'],
  [5, ANVIL, '0x34c9fc98c31094271ecc6ba403d7476a8c131064'],
  [6, ANVIL, '0x4a43509c513cd037d203f8cce37b3ee6c4473f39'],
];

t.test('each factory gives the address that published clients expect', async (t) => {
  t.equal(PUBLISHED.length, DEFAULT_WALLETS.length, 'each row has a vector');
  for (const [index, owner, address] of PUBLISHED) {
    const row = DEFAULT_WALLETS[index];
    if (row === undefined) throw new Error(`there is no row ${index}`);
    t.equal(walletFrom(row, owner), address, `${row.kind} of ${row.factory}`);
    t.equal(derivedKind(DEFAULT_WALLETS, address, owner), row.kind);
    t.equal(derivedKind(DEFAULT_WALLETS, address, `0x${'7'.repeat(40)}`), undefined);
  }
  t.equal(derivedKind(DEFAULT_WALLETS, ONE, ONE), 'eoa');
  t.same(walletsOf(DEFAULT_WALLETS, 'safe', ANVIL), [PUBLISHED[3]?.[2], PUBLISHED[6]?.[2]]);
});

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((one) => bytesToHex(one) as `0x${string}`);

t.test('any factory and owner give what a reference derives', async () => {
  fc.assert(
    fc.property(hexOf(20), hexOf(20), hexOf(32), fc.boolean(), (owner, from, initHash, isWord) => {
      const salt = isWord ? 'owner_word' : 'owner';
      const [row] = parseWallets([{ kind: 'safe', factory: from, salt, initHash }]);
      const expected = getContractAddress({
        opcode: 'CREATE2',
        from,
        salt: keccak256(isWord ? pad(owner) : owner),
        bytecodeHash: initHash,
      });
      return row !== undefined && walletFrom(row, owner) === expected.toLowerCase();
    }),
    { numRuns: 100 },
  );
});

t.test('a wallet is derived from an address only', async (t) => {
  for (const row of DEFAULT_WALLETS) t.throws(() => walletFrom(row, '0x12'));
});

t.test('the default list, written to a file, is read as it was', async (t) => {
  t.same(parseWallets(JSON.parse(JSON.stringify(DEFAULT_WALLETS))), DEFAULT_WALLETS);
});

t.test('each fault of a list is named with index, field and value', async (t) => {
  const good = { kind: 'safe', factory: ANVIL, salt: 'owner', beacon: ONE };
  const hash = `0x${'ab'.repeat(32)}`;
  const rows: readonly (readonly [json: unknown, message: string | RegExp])[] = [
    [undefined, 'the wallet factories must be an array of objects'],
    [[], `there are 0 wallet factories; there must be 1 to ${MAX_WALLETS}`],
    [Array(MAX_WALLETS + 1).fill(good), /^there are 17 wallet factories/],
    [[good, 1], 'wallets[1] is 1; it must be an object'],
    [[{ ...good, name: 'x' }], /^wallets\[0\]\.name is "x", which is not a known field/],
    [[{ ...good, kind: 'eoa' }], /^wallets\[0\]\.kind is "eoa"; it must be "proxy" or "safe" or/],
    [[{ ...good, factory: '0x1' }], /^wallets\[0\]\.factory is "0x1"; it must be an address/],
    [[{ ...good, salt: 'none' }], /^wallets\[0\]\.salt is "none"; it must be "owner" or/],
    [[{ ...good, initHash: ONE }], /^wallets\[0\]\.initHash is ".*"; it must be null or 0x and 64/],
    [[{ ...good, beacon: hash }], /^wallets\[0\]\.beacon is ".*"; it must be null or an address/],
    [[{ ...good, beacon: null }], /^wallets\[0\] has 0 of initHash, beacon and implementation/],
    [[{ ...good, initHash: hash }], /^wallets\[0\] has 2 of initHash/],
    [[{ ...good, implementation: 5 }], /^wallets\[0\]\.implementation is 5; it must be null or/],
  ];
  for (const [json, message] of rows) t.throws(() => parseWallets(json), { message });
});
