import Database from 'better-sqlite3';
import t from 'tap';
import { DEFAULT_WALLETS, walletsOf } from '../../../http/signing/wallets.ts';
import { depositWallet, proxyWallet, safeWallet } from '../../owned-wallets.ts';
import {
  type Answer,
  shareTestExchange,
  startTestExchange,
  type Trader,
} from '../exchange-fixture.ts';
import { expectRefusal, type Refusal } from './refusal.ts';

// No other test of this exchange uses these addresses.
const WALLET = `0x${'f'.repeat(40)}`;
/** A wallet for the second test of a shared exchange, and for the third. */
const SECOND_WALLET = `0x${'a'.repeat(40)}`;
const THIRD_WALLET = `0x${'b'.repeat(40)}`;

const share = await shareTestExchange(t);
const shareLedger = await shareTestExchange(t, { funding: 'ledger' });

t.test('a wallet belongs to its owner', async (t) => {
  const { plain, operator, stateHash, trader } = share();
  const alice = await trader(1, 'KUEST');
  const bob = await trader(2, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const proxy = proxyWallet(alice.address);
  const kuestSafe = walletsOf(DEFAULT_WALLETS, 'safe', alice.address)[1] ?? '';
  const place = (who: Trader, maker: string, signatureType: number): Promise<Answer> =>
    who.place({ tokenId, changes: { maker, signatureType } });

  t.equal((await place(alice, proxy, 1)).status, 200, 'a wallet opens with its first order');
  t.equal((await place(alice, kuestSafe, 2)).status, 200, 'of any listed factory');
  const bound = { address: WALLET, owner: alice.address, wallet: 'safe' };
  t.equal((await operator('POST', '/accounts', bound)).status, 200);
  const before = stateHash();
  const rows: [maker: string, signatureType: number, what: string, body: object][] = [
    [proxy, 1, "another's proxy", { code: 'wallet_not_yours', field: 'order.maker' }],
    [proxy, 0, "another's proxy as if it signed", { code: 'maker_mismatch' }],
    [WALLET, 2, "another's Safe", { error: 'owner_address_mismatch', code: 'wallet_not_yours' }],
    [`0x${'8'.repeat(40)}`, 2, "nobody's Safe", { code: 'maker_mismatch' }],
  ];
  for (const [maker, signatureType, what, body] of rows) {
    const refusal: Refusal = { what, status: 403, body };
    expectRefusal(t, await place(bob, maker, signatureType), refusal);
  }
  t.equal(stateHash(), before, 'nothing was changed');
  t.equal((await place(alice, WALLET, 2)).status, 200);
});

t.test('only the first order of an account is journaled with the terms that open it', async (t) => {
  const { plain, running, trader } = share();
  const alice = await trader(1, 'KUEST');
  const maker = safeWallet(alice.address);
  const [tokenId] = plain.tokenIds;
  for (const priceTicks of [1_000, 1_100]) {
    const placed = await alice.place({
      tokenId,
      priceTicks,
      changes: { maker, signatureType: 2 },
    });
    t.equal(placed.status, 200);
  }
  const journal = new Database(running.services.exchange.journalPath, { readonly: true });
  t.teardown(() => journal.close());
  const forms = journal
    .prepare("SELECT typeof(payload) FROM commands WHERE kind = 'place_order'")
    .pluck()
    .all();
  t.strictSame(forms.slice(-2), ['text', 'blob'], 'the second one has numbers in place of names');
});

t.test('a deposit wallet belongs to its first user', async (t) => {
  const { trader, plain, running } = share();
  const { intake } = running.services;
  const alice = await trader(1, 'KUEST');
  const bob = await trader(2, 'KUEST');
  const [tokenId] = plain.tokenIds;
  // Both at once: neither's claim is durable when the other's signature is checked.
  const [[first], [second]] = await Promise.all([
    intake.place(alice.caller, [alice.walletOrder({ tokenId }, SECOND_WALLET)]),
    intake.place(bob.caller, [bob.walletOrder({ tokenId }, SECOND_WALLET)]),
  ]);
  t.match(first, { success: true, status: 'live' });
  t.match(second, { code: 'account_not_yours', details: { field: 'order.maker' } });
  const late = await bob.signed('POST', '/order', bob.walletOrder({ tokenId }, SECOND_WALLET));
  const body = { code: 'wallet_not_yours' };
  expectRefusal(t, late, { what: 'a wallet of another', status: 403, body });
  const again = await alice.signed('POST', '/order', alice.walletOrder({ tokenId }, SECOND_WALLET));
  t.equal(again.status, 200);
});

// An earlier version opened the account before its order was checked: a refused order could then
// claim anybody's address, and whatever the operator paid into it afterwards.
t.test('a refused order binds no wallet and pays no play money', async (t) => {
  const { trader, plain, stateHash } = share();
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const tooMuch = { tokenId, lots: 10_000_000 };
  const proxied = { maker: proxyWallet(alice.address), signatureType: 1 };
  const safe = { maker: safeWallet(alice.address), signatureType: 2 };
  const before = stateHash();
  const payloads = [
    alice.walletOrder(tooMuch, THIRD_WALLET),
    alice.order({ ...tooMuch, changes: proxied }),
    alice.order({ ...tooMuch, changes: safe }),
  ];
  for (const payload of payloads) {
    const body = { code: 'not_enough_cash', available: '10000', held: '0' };
    const refusal = { what: `type ${payload.order.signatureType}`, status: 400, body };
    expectRefusal(t, await alice.signed('POST', '/order', payload), refusal);
  }
  t.equal(stateHash(), before, 'nothing was changed');
});

t.test("under ledger funding no one can claim another's deposit address", async (t) => {
  const { trader, plain, operator } = shareLedger();
  const [thief, victim] = [await trader(1), await trader(2)];
  const order = { tokenId: plain.tokenIds[0] };
  const claim = (): Promise<Answer> =>
    thief.signed('POST', '/order', thief.walletOrder(order, WALLET));
  t.match((await claim()).body, { code: 'not_enough_cash' });
  const account = { address: WALLET, owner: victim.address, wallet: 'deposit' };
  t.equal((await operator('POST', '/accounts', account)).status, 200);
  const deposit = { account: WALLET, amount: '100', key: 'one' };
  t.equal((await operator('POST', '/deposits', deposit)).status, 200);
  expectRefusal(t, await claim(), {
    what: 'the wallet of another',
    status: 403,
    body: { code: 'wallet_not_yours' },
  });
});

t.test('in strict mode a deposit wallet is not bound by its first order', async (t) => {
  const { trader, plain, operator, stateHash } = await startTestExchange(t, { strict: true });
  const alice = await trader(1);
  const payload = alice.walletOrder({ tokenId: plain.tokenIds[0] }, WALLET);
  const before = stateHash();
  expectRefusal(t, await alice.signed('POST', '/order', payload), {
    what: 'a wallet that is not open',
    status: 400,
    body: { error: 'account not found', code: 'account_unknown', actual: WALLET },
  });
  t.equal(stateHash(), before);
  const order = { tokenId: plain.tokenIds[0] };
  const derived = alice.walletOrder(order, depositWallet(alice.address));
  const placed = await alice.signed('POST', '/order', derived);
  t.match(placed.body, { success: true }, 'one that follows from its owner opens');
  await operator('POST', '/accounts', { address: WALLET, owner: alice.address, wallet: 'deposit' });
  t.match((await alice.signed('POST', '/order', payload)).body, { success: true });
});
