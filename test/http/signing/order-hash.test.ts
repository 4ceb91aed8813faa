import fc from 'fast-check';
import t from 'tap';
import { hashStruct } from 'viem';
import { bytesToHex, keccak256Text } from '../../../http/signing/hash.ts';
import { structHash } from '../../../http/signing/order-hash.ts';
import { ORDER_STRUCT_TYPES, type SignedOrder } from '../../../http/signing/order-struct.ts';
import { typedDataDigest } from '../../../http/signing/typed-data.ts';
import { bytes, toSignedOrder, vectors } from './fixtures.ts';

function hashOf(order: SignedOrder): string {
  const contents = structHash(order);
  return contents.ok ? bytesToHex(contents.hash) : `${contents.field} is ${contents.actual}`;
}

for (const struct of ['order11', 'order12'] as const) {
  t.test(`the type of ${struct} and its hash are the published ones`, async (t) => {
    const { typeString, length, typeHash } = vectors.typeHashes[struct];
    t.equal(ORDER_STRUCT_TYPES[struct], typeString);
    t.equal(ORDER_STRUCT_TYPES[struct].length, length);
    t.equal(bytesToHex(keccak256Text(ORDER_STRUCT_TYPES[struct])), typeHash);
  });
}

for (const vector of vectors.orders) {
  t.test(`"${vector.label}" has its struct hash and its id`, async (t) => {
    const order = toSignedOrder(vector.order);
    t.equal(hashOf(order), vector.structHash);
    const digest = typedDataDigest(bytes(vector.domainSeparator), bytes(hashOf(order)));
    t.equal(bytesToHex(digest), vector.orderHash);
  });
}

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
function hex(length: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex);
}
const base = {
  salt: uint256,
  maker: hex(20),
  signer: hex(20),
  tokenId: uint256,
  makerAmount: uint256,
  takerAmount: uint256,
  side: fc.constantFrom(0, 1),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  signature: fc.constant('0x'),
} as const;
const anyOrder: fc.Arbitrary<SignedOrder> = fc.oneof(
  fc.record({
    ...base,
    struct: fc.constant('order11' as const),
    timestamp: uint256,
    metadata: hex(32),
    builder: hex(32),
  }),
  fc.record({
    ...base,
    struct: fc.constant('order12' as const),
    taker: hex(20),
    expiration: uint256,
    nonce: uint256,
    feeRateBps: uint256,
  }),
);

/** "Order(uint256 salt,...)" as the reference wants it. */
function referenceType(typeString: string): { type: string; name: string }[] {
  return typeString
    .slice('Order('.length, -1)
    .split(',')
    .map((member) => {
      const [type = '', name = ''] = member.split(' ');
      return { type, name };
    });
}

t.test('any order of either struct hashes as the reference hashes it', async () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const reference = hashStruct({
        data: { ...order },
        primaryType: 'Order',
        types: { Order: referenceType(vectors.typeHashes[order.struct].typeString) },
      });
      return hashOf(order) === reference;
    }),
    { numRuns: 300 },
  );
});

const [order12, order11] = [0, 3].map((index) => toSignedOrder(vectors.orders[index]?.order ?? {}));

t.test('a value that is not of its type is named', async (t) => {
  const decimal = 'a plain decimal from 0 to 2^256 - 1';
  const address = '0x and 40 hex digits';
  const word = '0x and 64 hex digits';
  const faults = [
    [order11, 'salt', '-1', decimal],
    [order11, 'maker', '0x12', address],
    [order11, 'signer', `${order11?.signer}00`, address],
    [order11, 'tokenId', '0x12', decimal],
    [order11, 'makerAmount', '1.5', decimal],
    [order11, 'takerAmount', '', decimal],
    [order11, 'side', 256, 'a whole number from 0 to 255'],
    [order11, 'side', 0.5, 'a whole number from 0 to 255'],
    [order11, 'side', '0', 'a whole number from 0 to 255'],
    [order11, 'signatureType', -1, 'a whole number from 0 to 255'],
    [order11, 'timestamp', 'now', decimal],
    [order11, 'timestamp', 1780449126930, decimal],
    [order11, 'metadata', '0x', word],
    [order11, 'builder', '0'.repeat(66), word],
    [order12, 'taker', '0x0', address],
    [order12, 'expiration', '00', decimal],
    [order12, 'nonce', undefined, decimal],
    [order12, 'feeRateBps', '1e2', decimal],
  ] as const;
  for (const [order, field, actual, expected] of faults) {
    // Safe: the fault is the point; at run time the order may come from anywhere.
    const faulty = { ...order, [field]: actual } as SignedOrder;
    t.same(structHash(faulty), { ok: false, field, actual: String(actual), expected });
  }
});

t.test('a refused order does not change the hash of the next', async (t) => {
  for (const vector of vectors.orders) {
    structHash({ ...toSignedOrder(vector.order), salt: String(2n ** 256n - 1n), takerAmount: 'x' });
    t.equal(hashOf(toSignedOrder(vector.order)), vector.structHash);
  }
});
