import { createRequire } from 'node:module';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import t from 'tap';
import { bytesToHex, keccak256Text } from '../../../http/signing/hash.ts';
import {
  assertNativeSecp256k1,
  recoverAddress,
  signatureFault,
} from '../../../http/signing/recover.ts';
import { addressOf, bytes, makeSigner, signDigest } from './fixtures.ts';

const { n: GROUP_ORDER } = secp256k1.Point.CURVE();
function word(value: bigint): Uint8Array {
  return bytes(value.toString(16).padStart(64, '0'));
}
function join(r: Uint8Array, s: Uint8Array, v: number): Uint8Array {
  return new Uint8Array([...r, ...s, v]);
}

const signer = makeSigner(5);
const digest = keccak256Text('any content');
const signature = signDigest(digest, signer.privateKey);
const r = signature.subarray(0, 32);
const s = signature.subarray(32, 64);
const v = signature[64] ?? 0;

t.test('the signer is recovered', async () => {
  const anyWord = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const anyKey = anyWord.filter((key) => secp256k1.utils.isValidSecretKey(key));
  fc.assert(
    fc.property(anyKey, anyWord, (key, content) => {
      return recoverAddress(content, signDigest(content, key)) === addressOf(key);
    }),
    { numRuns: 100 },
  );
});

t.test('v is accepted as 27 and 28, as 0 and 1, and as nothing else', async (t) => {
  for (let value = 0; value <= 255; value++) {
    const signed = join(r, s, value);
    const isAccepted = [0, 1, 27, 28].includes(value);
    t.equal(signatureFault(signed) === undefined, isAccepted, String(value));
    const isSigner = recoverAddress(digest, signed) === signer.address;
    t.equal(isSigner, value === v || value === v - 27, String(value));
  }
});

t.test('a malformed signature recovers no address and has a reason', async (t) => {
  const half = GROUP_ORDER >> 1n;
  const zero = word(0n);
  const sValue = BigInt(bytesToHex(s));
  const faults = [
    [new Uint8Array(0), 'it has 0 bytes, not 65'],
    [signature.subarray(0, 64), 'it has 64 bytes, not 65'],
    [new Uint8Array([...signature, 0]), 'it has 66 bytes, not 65'],
    [join(zero, zero, 5), 'its v is 5, not 0, 1, 27 or 28'],
    [join(zero, zero, 27), 'its r is not between 1 and the group order'],
    [join(word(GROUP_ORDER), zero, 27), 'its r is not between 1 and the group order'],
    [join(word(2n ** 256n - 1n), zero, 27), 'its r is not between 1 and the group order'],
    [join(r, zero, 27), 'its s is zero'],
    [join(r, word(half + 1n), 27), 'its s is in the upper half of the group order'],
    [join(r, word(GROUP_ORDER), 27), 'its s is in the upper half of the group order'],
    // The mirror image of a good signature, which Ethereum's ecrecover would take.
    [join(r, word(GROUP_ORDER - sValue), 55 - v), 'its s is in the upper half of the group order'],
  ] as const;
  for (const [faulty, fault] of faults) {
    t.equal(signatureFault(faulty), fault);
    t.equal(recoverAddress(digest, faulty), undefined, fault);
  }
});

t.test('the largest r and s that are accepted are still accepted', async (t) => {
  t.equal(signatureFault(join(word(GROUP_ORDER - 1n), word(GROUP_ORDER >> 1n), 28)), undefined);
  t.equal(signatureFault(join(word(1n), word(1n), 27)), undefined);
});

t.test('an r that is not on the curve recovers no address', async (t) => {
  // x = 5 has no y: 5^3 + 7 is no square modulo the field's prime.
  t.equal(signatureFault(join(word(5n), s, 27)), undefined);
  t.equal(recoverAddress(digest, join(word(5n), s, 27)), undefined);
});

t.test('the native library is present, and its absence is reported', async (t) => {
  t.doesNotThrow(() => assertNativeSecp256k1());
  t.throws(() => assertNativeSecp256k1(createRequire('file:///nowhere/at/all.js')), {
    message: /native part of the package secp256k1 does not load.*npm ci/s,
    cause: { code: 'MODULE_NOT_FOUND' },
  });
});
