import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import t from 'tap';
import {
  bytesToHex,
  hexToBytes,
  keccak256,
  keccak256Text,
  writeHex,
} from '../../../http/signing/hash.ts';

t.test('keccak256 of nothing and of "abc" are the published ones', async (t) => {
  const published = [
    ['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ] as const;
  for (const [text, hash] of published) t.equal(bytesToHex(keccak256Text(text)), hash);
});

t.test('keccak256 equals the reference at every length up to five blocks', async (t) => {
  for (let length = 0; length <= 5 * 136; length++) {
    const data = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
    if (bytesToHex(keccak256(data)) !== bytesToHex(keccak_256(data))) t.fail(`length ${length}`);
  }
});

t.test('keccak256 equals the reference for any bytes', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (data) => {
      return bytesToHex(keccak256(data)) === bytesToHex(keccak_256(data));
    }),
    { numRuns: 300 },
  );
});

t.test('a hash is not changed by the next one', async (t) => {
  const first = keccak256Text('abc');
  const before = bytesToHex(first);
  keccak256Text('abd');
  t.equal(bytesToHex(first), before);
});

t.test('hex survives the round trip in both cases and without its prefix', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (data) => {
      const hex = bytesToHex(data);
      const spellings = [hex, hex.slice(2), `0x${hex.slice(2).toUpperCase()}`];
      return spellings.every((text) => bytesToHex(hexToBytes(text) ?? keccak256(data)) === hex);
    }),
  );
});

t.test('hex of a view is the hex of its own bytes only', async (t) => {
  t.equal(bytesToHex(new Uint8Array([1, 2, 3, 4]).subarray(1, 3)), '0x0203');
});

t.test('text that is not hex is refused', async (t) => {
  const faults = [
    ['an odd number of digits', '0x123'],
    ['a letter after f', '0x12g4'],
    ['a space', '0x12 4'],
    ['a sign', '-0x1234'],
    ['two prefixes', '0x0x12'],
    ['an upper-case prefix', '0X1234'],
    // Its low byte is that of the digit 0, and Buffer.write looks at no other.
    ['a letter beyond Latin-1', '0x12\u01304'],
    ['a full-width digit', '0x12\uff114'],
  ] as const;
  for (const [fault, text] of faults) t.equal(hexToBytes(text), undefined, fault);
});

t.test('writeHex requires the prefix and the exact number of digits', async (t) => {
  const target = new Uint8Array(4);
  t.equal(writeHex('0x0a0B', target, 1, 2), true);
  t.same([...target], [0, 10, 11, 0]);
  for (const text of ['0a0b', '0x0a', '0x0a0b0c', '']) {
    t.equal(writeHex(text, target, 1, 2), false, text);
  }
});
