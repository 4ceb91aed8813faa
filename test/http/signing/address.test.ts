import fc from 'fast-check';
import t from 'tap';
import { getAddress } from 'viem';
import { parseAddress, toChecksumAddress } from '../../../http/signing/address.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';

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
