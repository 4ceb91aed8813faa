import fc from 'fast-check';
import t from 'tap';
import { privateKeyToAccount } from 'viem/accounts';
import { keySigner, SigningError } from '../../../../console/browser/signing/signer.ts';
import { PRIVATE_KEY } from './published-signer.ts';

/** The order of the curve's group (SEC 2). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function keyText(number: bigint): `0x${string}` {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

t.test('addresses and signatures are those of viem', async (t) => {
  const types = {
    Note: [
      { name: 'text', type: 'string' },
      { name: 'number', type: 'uint256' },
      { name: 'small', type: 'uint8' },
      { name: 'word', type: 'bytes32' },
      { name: 'who', type: 'address' },
    ],
  } as const;
  const domainFields = [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ];
  const words = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 1n, max: ORDER - 1n }),
      fc.record({ text: fc.string({ unit: 'grapheme' }), number: words, word: words }),
      fc.nat(255),
      async (key, { text, number, word }, small) => {
        const account = privateKeyToAccount(keyText(key));
        const signer = await keySigner(keyText(key));
        t.equal(signer.address, account.address.toLowerCase());
        const who = account.address;
        const domain = { name: text, chainId: small + 1 };
        const message = { text, small, word: keyText(word), who };
        const expected = await account.signTypedData({
          domain,
          types,
          primaryType: 'Note',
          message: { ...message, number },
        });
        const mine = await signer.signTypedData({
          primaryType: 'Note',
          types: { ...types, EIP712Domain: domainFields },
          domain,
          message: { ...message, number: String(number) },
        });
        t.equal(mine, expected);
      },
    ),
    { numRuns: 30 },
  );
});

t.test(
  'the first and the last key of the range can sign, and spaces around a key are ignored',
  async (t) => {
    for (const key of [1n, ORDER - 1n]) {
      const { address } = await keySigner(` ${keyText(key)}\n`);
      t.equal(address, privateKeyToAccount(keyText(key)).address.toLowerCase());
    }
  },
);

t.test(
  'a text that is no private key is refused with the reason, and is not repeated',
  async (t) => {
    const rows = [
      ['', /The private key is empty\. It must be 0x and 64 hex digits\./],
      [PRIVATE_KEY.slice(2), /does not begin with 0x/],
      [`0X${PRIVATE_KEY.slice(2)}`, /does not begin with 0x/],
      [PRIVATE_KEY.replace('a', 'g'), /a character that is not a hex digit/],
      [PRIVATE_KEY.slice(0, -1), /has 63 hex digits after 0x\. It must have 64\./],
      [`${PRIVATE_KEY}0`, /has 65 hex digits/],
      [keyText(0n), /is out of range/],
      [keyText(ORDER), /is out of range/],
      [keyText(2n ** 256n - 1n), /is out of range/],
    ] as const;
    for (const [text, message] of rows) {
      const failure = await keySigner(text).catch((one: unknown) => one);
      t.ok(failure instanceof SigningError);
      t.match(failure, { code: 'malformed_key', message });
      const shown = String(failure);
      t.notOk(text.length > 9 && shown.includes(text.slice(2, 10)), 'no part of the key is shown');
    }
  },
);

t.test('nothing of a signer has its key', async (t) => {
  const signer = await keySigner(PRIVATE_KEY);
  t.strictSame(Object.keys(signer).sort(), ['address', 'kind', 'signTypedData']);
  t.notMatch(JSON.stringify(signer) + String(signer.signTypedData), PRIVATE_KEY.slice(2));
});

t.test('values that do not fit their type are not signed', async (t) => {
  const signer = await keySigner(PRIVATE_KEY);
  const rows = [
    ['uint8', '256', /256 does not fit in 8 bits/],
    ['uint256', '-1', /-1 does not fit in 256 bits/],
    ['address', '0x12', /must be 0x and 40 hex digits/],
    ['bytes32', `0x${'0'.repeat(65)}`, /must be 0x and 64 hex digits/],
    ['bytes', '0x12', /no struct that is signed here has a field of the type bytes/],
  ] as const;
  for (const [type, value, message] of rows) {
    const data = {
      primaryType: 'Note',
      types: { EIP712Domain: [], Note: [{ name: 'value', type }] },
      domain: { chainId: 1 },
      message: { value },
    };
    await t.rejects(signer.signTypedData(data), { message });
  }
});
