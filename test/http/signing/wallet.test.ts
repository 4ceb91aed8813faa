import t from 'tap';
import { privateKeyToAccount } from 'viem/accounts';
import { recoverAddress } from '../../../http/signing/recover.ts';
import { isPrivateKey } from '../../../http/signing/uint256.ts';
import { walletOf } from '../../../http/signing/wrapped-signature.ts';
import { vectors } from './fixtures.ts';

t.test('a wallet has the address and signatures of the reference implementation', async (t) => {
  // Safe: the vectors' key is 0x and 64 digits.
  const oracle = privateKeyToAccount(vectors.privateKey as `0x${string}`);
  const wallet = walletOf(vectors.privateKey);
  t.equal(wallet.address, oracle.address.toLowerCase());
  for (let index = 0; index < 20; index++) {
    const digest = Buffer.alloc(32, index + 1);
    const signature = wallet.sign(digest);
    t.equal(signature, await oracle.sign({ hash: `0x${digest.toString('hex')}` }));
    t.equal(recoverAddress(digest, Buffer.from(signature.slice(2), 'hex')), wallet.address);
  }
});

t.test('only a number below the group order is a private key', async (t) => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  const rows: readonly (readonly [text: string, isKey: boolean])[] = [
    [vectors.privateKey, true],
    [vectors.privateKey.toUpperCase().replace('0X', '0x'), true],
    [`0x${'0'.repeat(63)}1`, true],
    [`0x${order.slice(0, -1)}0`, true],
    [`0x${order}`, false],
    [`0x${'0'.repeat(64)}`, false],
    [vectors.privateKey.slice(2), false],
    [`${vectors.privateKey}0`, false],
    [`0x${'g'.repeat(64)}`, false],
    ['', false],
  ];
  for (const [text, isKey] of rows) t.equal(isPrivateKey(text), isKey, text);
});
