/** HMAC-SHA256, compared with Node's and with the test cases of RFC 4231. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { hmacSha256 } from '../../../http/signing/auth-headers.ts';
import { times } from '../../long-set.ts';

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** Cases 1 to 4 and 6 of RFC 4231. */
const CASES: readonly (readonly [key: Buffer, data: Buffer, mac: string])[] = [
  [
    bytes('0b'.repeat(20)),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    Buffer.from('Jefe'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    bytes('aa'.repeat(20)),
    bytes('dd'.repeat(50)),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    bytes('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    bytes('cd'.repeat(50)),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    bytes('aa'.repeat(131)),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
];

t.test('the HMACs equal those of RFC 4231', async (t) => {
  for (const [key, data, mac] of CASES) {
    t.equal(hmacSha256(key, '', data).toString('hex'), mac);
  }
});

t.test("any key, text and bytes have the same HMAC as Node's", async () => {
  const sizes = fc.oneof(fc.nat(200), fc.integer({ min: 16_200, max: 16_600 }));
  const anyKey = fc.uint8Array({ maxLength: 140 });
  fc.assert(
    fc.property(
      anyKey,
      fc.string({ unit: 'binary' }),
      sizes,
      fc.nat(255),
      (key, head, size, byte) => {
        const body = Buffer.alloc(size, byte);
        const expected = createHmac('sha256', key).update(head).update(body).digest('hex');
        return hmacSha256(key, head, body).toString('hex') === expected;
      },
    ),
    { numRuns: times(200, 1_000) },
  );
});
