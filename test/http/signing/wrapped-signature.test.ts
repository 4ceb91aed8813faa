import t from 'tap';
import { bytesToHex, keccak256Text } from '../../../http/signing/hash.ts';
import { ORDER_STRUCT_TYPES } from '../../../http/signing/order-struct.ts';
import { recoverAddress } from '../../../http/signing/recover.ts';
import { typedDataDigest } from '../../../http/signing/typed-data.ts';
import {
  parseWrappedSignature,
  TYPED_DATA_SIGN_TYPE,
  typedDataSignHash,
  WRAPPED_BYTES,
} from '../../../http/signing/wrapped-signature.ts';
import { bytes, toSignedOrder, vectors } from './fixtures.ts';

const wrappedOrders = vectors.orders.filter(({ wrapped }) => wrapped !== undefined);

t.test('there are wrapped orders to check', async (t) => {
  t.equal(wrappedOrders.length, 3);
});

t.test('the nested type and its hash are the published ones', async (t) => {
  const { typeString, typeHash } = vectors.typeHashes.typedDataSign;
  t.equal(TYPED_DATA_SIGN_TYPE, typeString);
  t.equal(bytesToHex(keccak256Text(TYPED_DATA_SIGN_TYPE)), typeHash);
});

for (const { label, order, domain, wrapped, recovered, signature } of wrappedOrders) {
  if (wrapped === undefined) continue;

  t.test(`"${label}" is split into its parts`, async (t) => {
    const parts = parseWrappedSignature(signature);
    t.equal(bytesToHex(parts?.inner ?? new Uint8Array()), wrapped.innerSignature);
    t.equal(parts?.separator, wrapped.appDomainSeparator);
    t.equal(parts?.contentsHash, wrapped.contentsHash);
    t.equal(wrapped.contentsType, ORDER_STRUCT_TYPES.order11);
    t.equal(wrapped.contentsTypeLength, ORDER_STRUCT_TYPES.order11.length);
    t.equal(wrapped.totalBytes, WRAPPED_BYTES);
  });

  t.test(`the owner of "${label}" signed its nested digest`, async (t) => {
    const { signer } = toSignedOrder(order);
    const hash = typedDataSignHash(bytes(wrapped.contentsHash), domain.chainId, signer);
    t.equal(bytesToHex(hash), wrapped.typedDataSignStructHash);
    const digest = typedDataDigest(bytes(wrapped.appDomainSeparator), hash);
    t.equal(bytesToHex(digest), wrapped.innerDigest);
    t.equal(recoverAddress(digest, bytes(wrapped.innerSignature)), recovered.toLowerCase());
  });
}

const good = wrappedOrders[0]?.signature ?? '';

t.test('the wrapped form is accepted without its prefix', async (t) => {
  t.same(parseWrappedSignature(good.slice(2)), parseWrappedSignature(good));
});

t.test('another form than the wrapped one is refused', async (t) => {
  const typeStart = 2 + 2 * (65 + 64);
  const faults = [
    ['nothing', ''],
    ['a plain signature', good.slice(0, 2 + 2 * 65)],
    ['a byte too few', good.slice(0, -2)],
    ['a byte too many', `${good}00`],
    ['no hex', `${good.slice(0, 10)}xy${good.slice(12)}`],
    ['another length of the type', `${good.slice(0, -1)}b`],
    ['another type', `${good.slice(0, typeStart)}50${good.slice(typeStart + 2)}`],
  ] as const;
  for (const [fault, text] of faults) t.equal(parseWrappedSignature(text), undefined, fault);
});

t.test("an invalid chain or wallet can't be signed for", async (t) => {
  const hash = new Uint8Array(32);
  const wallet = `0x${'1'.repeat(40)}`;
  t.throws(() => typedDataSignHash(hash, -1, wallet), { message: /no chain and wallet/ });
  t.throws(() => typedDataSignHash(hash, 1, '0x12'), { message: /no chain and wallet/ });
});
