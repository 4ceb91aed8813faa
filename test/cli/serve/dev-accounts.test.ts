import t from 'tap';
import { mnemonicToAccount } from 'viem/accounts';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import { openDevAccounts } from '../../../cli/serve/banner.ts';
import { describeReady } from '../../../cli/serve/describe-ready.ts';
import { walletOf } from '../../../http/signing/wrapped-signature.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';

t.test('the keys and addresses are those of the well-known mnemonic', async (t) => {
  t.equal(DEV_KEYS.length, 20);
  for (const [index, wallet] of DEV_KEYS.map(walletOf).entries()) {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex: index });
    const key = Buffer.from(account.getHdKey().privateKey ?? []).toString('hex');
    t.equal(wallet.privateKey, `0x${key}`, `key ${index}`);
    t.equal(wallet.address, account.address.toLowerCase(), `address ${index}`);
  }
});

/** The next tests open the same accounts in it, one test after the other. */
const exchange = (await shareTestExchange(t))();

t.test('dev accounts are opened and get their credentials once', async (t) => {
  const { running, send } = exchange;
  const { services } = running;
  const accounts = await openDevAccounts(services, 3);
  const { appliedSeq } = services.exchange;
  t.equal(accounts.length, 3);
  for (const [index, { address, apiKey, secret, passphrase }] of accounts.entries()) {
    t.equal(address, mnemonicToAccount(MNEMONIC, { addressIndex: index }).address, 'EIP-55');
    const owner = address.toLowerCase();
    t.equal(services.registry.accountOwner(owner), owner);
    t.equal(services.registry.issuedKey(owner, '0')?.apiKey, apiKey);
    t.same(services.keyRing.credentialsOf(owner, '0'), { apiKey, secret, passphrase });
  }
  t.same(await openDevAccounts(services, 3), accounts);
  t.equal(services.exchange.appliedSeq, appliedSeq, 'a second start changes nothing');
  t.equal((await openDevAccounts(services, 4)).length, 4);
  t.equal((await send('GET', '/ok')).status, 200);
});

t.test('a dev account whose key was revoked gets a key of the next nonce', async (t) => {
  const { running } = exchange;
  const { services } = running;
  const [first] = await openDevAccounts(services, 1);
  const { address = '', apiKey = '' } = first ?? {};
  const owner = address.toLowerCase();
  await services.exchange.submit({ kind: 'revoke_api_key', owner, apiKey });
  const again = await openDevAccounts(services, 1);
  t.not(again[0]?.apiKey, apiKey);
  t.equal(services.registry.issuedKey(owner, '1')?.apiKey, again[0]?.apiKey);
  t.same(await openDevAccounts(services, 1), again);
});

t.test('the example of the banner is a market that takes the example order', async (t) => {
  const { running, send } = exchange;
  const ready = describeReady({ running, devAccounts: [], version: '1', ms: 1 });
  const book = await send('GET', `/book?token_id=${ready.market?.tokenId}`);
  t.equal(book.status, 200);
  const { min_order_size: minimum, tick_size: tick } = JSON.parse(book.text);
  t.ok(Number(minimum) <= 10);
  t.equal((0.42 * 10_000) % (Number(tick) * 10_000), 0);
  t.not(ready.market?.question, '', 'the market has a question');
  t.equal(ready.dataDir, '', 'data is in memory only');
  t.equal(ready.adminUrl, `http://127.0.0.1:${running.adminPort}`);
});
