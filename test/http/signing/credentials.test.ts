import fc from 'fast-check';
import t from 'tap';
import type { KeyPurpose } from '../../../engine/index.ts';
import { deriveCredentials } from '../../../http/signing/credentials.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';

const master = Uint8Array.from({ length: 32 }, (_, index) => index);
const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const PURPOSES = ['trading', 'readonly', 'builder'] as const satisfies KeyPurpose[];

t.test('credentials are the same at every derivation, and in every release', async (t) => {
  const credentials = deriveCredentials(master, owner, '0', 'trading');
  t.same(deriveCredentials(master, owner, '0', 'trading'), credentials);
  // Issued keys would stop working if these values ever changed.
  t.same(credentials, {
    apiKey: '26495d38-09d0-45f3-b4e8-e9bdf5caef16',
    secret: 'HpsJ4omENkEtDdzvdivDDkXwywHeGprtF1Z7zFlvwlE=',
    passphrase: 'cc651279b2986815233c2a1f88bfc4ce9d3652c1cb237427d3cb69ef85edaba7',
  });
});

t.test('credentials have the form that every client reads', async () => {
  const anyMaster = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const anyOwner = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex);
  const anyNonce = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
  fc.assert(
    fc.property(
      anyMaster,
      anyOwner,
      anyNonce,
      fc.constantFrom(...PURPOSES),
      (key, address, nonce, purpose) => {
        const { apiKey, secret, passphrase } = deriveCredentials(key, address, nonce, purpose);
        return (
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(apiKey) &&
          /^[A-Za-z0-9_-]{43}=$/.test(secret) &&
          Buffer.from(secret, 'base64url').length === 32 &&
          /^[0-9a-f]{64}$/.test(passphrase)
        );
      },
    ),
  );
});

t.test(
  'different masters, owners, nonces, purposes and parts have different credentials',
  async (t) => {
    const otherMaster = Uint8Array.from(master).fill(7, 31);
    const derived = [
      ...PURPOSES.map((purpose) => deriveCredentials(master, owner, '0', purpose)),
      deriveCredentials(otherMaster, owner, '0', 'trading'),
      deriveCredentials(master, owner.replace('f', 'e'), '0', 'trading'),
      deriveCredentials(master, owner, '1', 'trading'),
      deriveCredentials(master, owner, '10', 'trading'),
    ];
    const values = derived.flatMap(({ apiKey, secret, passphrase }) => [
      apiKey.replaceAll('-', '').slice(0, 12),
      Buffer.from(secret, 'base64url').toString('hex').slice(0, 12),
      passphrase.slice(0, 12),
    ]);
    t.equal(new Set(values).size, 3 * derived.length);
  },
);

t.test(
  'an invalid master, owner or nonce fails an assertion that does not contain the secret',
  async (t) => {
    const rows = [
      [new Uint8Array(31), owner, '0', 'the master secret has 32 bytes'],
      [master, owner.toUpperCase(), '0', 'an owner is a lower-case address'],
      [master, `${owner}|`, '0', 'an owner is a lower-case address'],
      [master, owner, '00', 'a nonce is a plain decimal'],
      [master, owner, '-1', 'a nonce is a plain decimal'],
    ] as const;
    for (const [key, address, nonce, message] of rows) {
      t.throws(() => deriveCredentials(key, address, nonce, 'trading'), { message });
    }
  },
);
