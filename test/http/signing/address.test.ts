import fc from 'fast-check';
import t from 'tap';
import { getAddress, getContractAddress, keccak256, pad } from 'viem';
import {
  parseAddress,
  proxyWallet,
  safeWallet,
  toChecksumAddress,
} from '../../../http/signing/address.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { VECTOR_ADDRESS } from './fixtures.ts';

// The examples of EIP-55.
const PUBLISHED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const;

const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex);

t.test('the published addresses have their published spelling', async (t) => {
  for (const address of PUBLISHED) {
    t.equal(toChecksumAddress(address.toLowerCase()), address);
    t.same(parseAddress(address), { ok: true, address: address.toLowerCase() });
    t.same(parseAddress(address.toLowerCase()), { ok: true, address: address.toLowerCase() });
  }
});

t.test('the spelling equals the reference, the first time and again', async () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      // Safe: viem wants the type `0x${string}`, and bytesToHex begins with it.
      const reference = getAddress(address as `0x${string}`);
      return toChecksumAddress(address) === reference && toChecksumAddress(address) === reference;
    }),
    { numRuns: 300 },
  );
});

t.test('any one letter in the wrong case is refused', async () => {
  fc.assert(
    fc.property(anyAddress, fc.nat(39), (lower, start) => {
      const text = toChecksumAddress(lower);
      const letters = [...Array(42).keys()].filter((index) => /[a-f]/i.test(text[index] ?? ''));
      const index = letters.filter((at) => at >= 2 + start)[0];
      if (index === undefined) return true;
      const letter = text[index] ?? '';
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const wrong = text.slice(0, index) + flipped + text.slice(index + 1);
      const parsed = parseAddress(wrong);
      return wrong === lower ? parsed.ok : !parsed.ok && parsed.fault === 'checksum';
    }),
  );
});

t.test('an invalid address is refused with its fault', async (t) => {
  const lower = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
  const faults = [
    ['', 'malformed'],
    ['0x', 'malformed'],
    [lower.slice(2), 'malformed'],
    [lower.slice(0, -1), 'malformed'],
    [`${lower}0`, 'malformed'],
    [`${lower}\n`, 'malformed'],
    [` ${lower}`, 'malformed'],
    [lower.replace('0x', '0X'), 'malformed'],
    [lower.replace('d', 'g'), 'malformed'],
    [`0x${lower.slice(2).toUpperCase()}`, 'checksum'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'checksum'],
  ] as const;
  for (const [text, fault] of faults) {
    t.same(parseAddress(text), { ok: false, fault }, JSON.stringify(text));
  }
});

t.test('only a lower-case address gets a checksum', async (t) => {
  t.throws(() => toChecksumAddress('0x12'), { message: /lower-case address/ });
  t.throws(() => toChecksumAddress(PUBLISHED[0]), { message: /lower-case address/ });
});

t.test('the wallets of the well-known owner are the published ones', async (t) => {
  t.equal(proxyWallet(VECTOR_ADDRESS), '0x34c9fc98c31094271ecc6ba403d7476a8c131064');
  t.equal(safeWallet(VECTOR_ADDRESS), '0x4a43509c513cd037d203f8cce37b3ee6c4473f39');
});

t.test('the wallets of any owner equal the reference derivation', async () => {
  fc.assert(
    fc.property(anyAddress, (text) => {
      // Safe: as above.
      const owner = text as `0x${string}`;
      const proxy = getContractAddress({
        opcode: 'CREATE2',
        from: '0xFe30Ff32E8fcB617E4665c5c94749ECc0808A6C9',
        salt: keccak256(owner),
        bytecodeHash: '0x1f566e4d6fc92316ca3a8303965679f5ca265da52fec11f520dfd90ee773226f',
      });
      const safe = getContractAddress({
        opcode: 'CREATE2',
        from: '0xA28927f4a23F52d0b7253c5E3d09a1fDb22977C4',
        salt: keccak256(pad(owner)),
        bytecodeHash: '0x61e47bf36784271f639db33bb53fdc7fc843765357f63277759b9bb2ffdadaff',
      });
      return proxyWallet(owner) === proxy.toLowerCase() && safeWallet(owner) === safe.toLowerCase();
    }),
    { numRuns: 100 },
  );
});

t.test('a wallet is derived from an address only', async (t) => {
  t.throws(() => proxyWallet('0x12'));
  t.throws(() => safeWallet('0x12'));
});
