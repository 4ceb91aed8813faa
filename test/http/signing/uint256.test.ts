import fc from 'fast-check';
import t from 'tap';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { isUint256, writeUint256 } from '../../../http/signing/uint256.ts';
import { times } from '../../long-set.ts';

const LARGEST = 2n ** 256n - 1n;

function encode(text: string): string | undefined {
  // Filled with junk, all of which must be overwritten.
  const target = new Uint8Array(34).fill(0xee);
  if (!writeUint256(text, target, 1)) return undefined;
  if (target[0] !== 0xee || target[33] !== 0xee) return 'wrote beyond its word';
  return bytesToHex(target.subarray(1, 33));
}
function expected(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

t.test('every limb and chunk boundary is encoded exactly', async (t) => {
  const values = [0n, 1n, 9n, 10n, LARGEST, LARGEST - 1n];
  for (let bits = 8n; bits < 256n; bits += 8n) {
    values.push(2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n);
  }
  for (let digits = 1n; digits < 78n; digits++) values.push(10n ** digits - 1n, 10n ** digits);
  for (const value of values) t.equal(encode(String(value)), expected(value), String(value));
});

t.test('any uint256 is encoded exactly, large and small', async () => {
  const anyBits = fc
    .integer({ min: 0, max: 256 })
    .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }));
  fc.assert(
    fc.property(anyBits, (value) => encode(String(value)) === expected(value)),
    { numRuns: times(300, 2_000) },
  );
});

t.test('text that is not the plain decimal of a uint256 is refused', async (t) => {
  const faults = [
    ['nothing', ''],
    ['a sign', '-1'],
    ['a plus', '+1'],
    ['a leading zero', '01'],
    ['two zeros', '00'],
    ['a fraction', '1.0'],
    ['an exponent', '1e5'],
    ['hex', '0x10'],
    ['a space before', ' 1'],
    ['a space after', '1 '],
    ['a space inside', '1234567 8'],
    ['a separator', '1_000'],
    ['the character before 0', '/'],
    ['the character after 9', ':'],
    ['a digit beyond Latin', '\u0661'],
    ['2^256', String(LARGEST + 1n)],
    ['78 nines', '9'.repeat(78)],
    ['79 digits', '1'.repeat(79)],
    ['a million digits', '1'.repeat(1_000_000)],
    ['a fault in the last of many chunks', `${'1'.repeat(70)}x`],
  ] as const;
  for (const [fault, text] of faults) {
    t.equal(encode(text), undefined, fault);
    t.equal(isUint256(text), false, fault);
  }
});

t.test('a refused value leaves the target as it was', async (t) => {
  const target = new Uint8Array(32).fill(7);
  writeUint256(String(LARGEST + 1n), target, 0);
  t.ok(target.every((byte) => byte === 7));
});

t.test('isUint256 accepts what can be written', async (t) => {
  for (const text of ['0', '7', String(LARGEST)]) t.equal(isUint256(text), true, text);
});
