/** The page finds out who signed an order, and what the receipt of a trade must be. */
import t from 'tap';
import { checkSigned, receiptOf } from '../../../../console/browser/signing/signer.ts';
import { bytesToHex } from '../../../../http/signing/hash.ts';
import { ORDER_STRUCT_TYPES } from '../../../../http/signing/order-struct.ts';
import {
  bytes,
  type OrderVector,
  toSignedOrder,
  VECTOR_ADDRESS,
  vectors,
} from '../../../http/signing/fixtures.ts';

function membersOf(type: string) {
  const list = type.slice(type.indexOf('(') + 1, -1).split(',');
  return list.map((member) => {
    const [kind = '', name = ''] = member.split(' ');
    return { name, type: kind };
  });
}

const DOMAIN = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

/** What the explorer says of an order. */
function typedDataOf({ order, domain }: OrderVector) {
  const { struct, signature: _, ...message } = toSignedOrder(order);
  const members = membersOf(ORDER_STRUCT_TYPES[struct]);
  const types = { EIP712Domain: membersOf(DOMAIN), Order: members };
  return { types, primaryType: 'Order', domain, message };
}

for (const vector of vectors.orders) {
  t.test(`${vector.label}: digest and signer are found`, async (t) => {
    const data = typedDataOf(vector);
    const found = { digest: vector.orderHash, signer: VECTOR_ADDRESS };
    t.strictSame(await checkSigned(data, vector.signature), found);
    const other = { ...data, message: { ...data.message, makerAmount: '1' } };
    const { digest, signer } = await checkSigned(other, vector.signature);
    t.not(digest, vector.orderHash, 'of another message');
    t.not(signer, VECTOR_ADDRESS);
  });
}

t.test('a signature of another form is of nobody', async (t) => {
  const [vector] = vectors.orders;
  const data = typedDataOf(vector!);
  const whole = bytes(vector!.signature);
  const changed = (place: number, value: number) => bytesToHex(whole.with(place, value));
  const v = whole[64] ?? 0;
  const signerOf = async (signature: string) => (await checkSigned(data, signature)).signer;
  t.equal(await signerOf(changed(64, v - 27)), VECTOR_ADDRESS, 'a v of 0 or 1 is one too');
  for (const signature of [
    '',
    '0x',
    '0x12',
    'x',
    changed(64, 29),
    vector!.signature.slice(0, -2),
  ]) {
    t.equal(await signerOf(signature), undefined, signature);
  }
  // With a v of 29, x is r and the order of the group, and some of these points are on the curve.
  for (let r = 1; r <= 8; r += 1) {
    const [x, s] = [r, 1].map((number) => number.toString(16).padStart(64, '0'));
    t.equal(await signerOf(`0x${x}${s}1d`), undefined, `r is ${r}`);
  }
  t.equal(await signerOf(`0x${'00'.repeat(65)}`), undefined, 'no point of the curve');
});

t.test('the receipt of http/orders/receipts.md', async (t) => {
  const makers = [{ orderId: '0xb', lots: 725 }];
  const content = {
    seq: 7,
    timeMs: 8,
    takerOrderId: '0xa',
    bucketIndex: 0,
    priceTicks: 45,
    makers,
  };
  const receipt = await receiptOf(content);
  t.strictSame(receipt.lines, ['7 8 0xa 0', '0xb 45 725']);
  t.match(receipt.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.match(receipt.transactionHash, /^0x[0-9a-f]{64}$/);
});
