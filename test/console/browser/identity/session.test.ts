/** The session against a real exchange: whom it signs for, and what it forgets. */
import t from 'tap';
import { DEV_KEYS } from '../../../../cli/options/dev-keys.ts';
import { openSession, session as pageSession } from '../../../../console/browser/identity/facts.ts';
import {
  Session,
  type SessionFacts,
  type SessionOptions,
} from '../../../../console/browser/identity/session.ts';
import type { SigningHeaders } from '../../../../console/browser/signing/api-key.ts';
import type { FoundWallet } from '../../../../console/browser/signing/discover-wallets.ts';
import type { OrderRequest } from '../../../../console/browser/signing/order.ts';
import { requestLog, sendAny as sendOfPage } from '../../../../console/browser/wire/index.ts';
import { DEFAULT_DOMAINS } from '../../../../http/signing/domains.ts';
import { shareTestExchange } from '../../../http/exchange-fixture.ts';
import { FakeWallet, walletError } from '../fake-wallet.ts';
import { requestOf, type Terms } from '../signing/published-signer.ts';

// Other tests of the folder use traders of their own, never dev accounts.
const [first = '', second = '', third = '', fourth = ''] = DEV_KEYS.slice(-4);
const FACTS: SessionFacts = {
  chainIds: [137, 80002],
  domains: DEFAULT_DOMAINS,
  sandbox: true,
  acceptsKeys: true,
  devAccounts: [{ privateKey: first }, { privateKey: second }],
};

const exchange = (await shareTestExchange(t))();
const { send, plain, negRisk, clock } = exchange;

/** A session at the exchange; `requests` are the nonces for which it asked for API keys. */
function startSession(facts: Partial<SessionFacts> = {}, options: Partial<SessionOptions> = {}) {
  const session = new Session();
  const requests: (string | undefined)[] = [];
  const requestKey = async (headers: SigningHeaders) => {
    requests.push(headers.SERVICE_NONCE);
    const { status, body } = await send('POST', '/auth/api-key', { headers });
    return { status, body };
  };
  const now = () => clock.ms;
  session.start({ facts: { ...FACTS, ...facts }, requestKey, now, ...options });
  return { session, requests };
}

/** Sends a request as the page does. */
async function sendAs(session: Session, method: string, path: string, value?: unknown) {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const headers = await session.authorize(method, path, body);
  const answer = await send(method, path, { headers, body });
  if (answer.status === 401) session.noteRefusal(answer.body.code, headers);
  return answer;
}

function walletOf(provider: FakeWallet): FoundWallet {
  return { uuid: '1', name: 'Fake', icon: '', rdns: 'test.fake', provider };
}

function buying(changes: Partial<Terms> = {}): OrderRequest {
  const tokenId = plain.tokenIds[0];
  return requestOf({ tokenId, price: '0.01', tickSize: '0.01', quantity: '10', ...changes });
}

t.test('a dev account trades: its orders are accepted and are the ones it signed', async (t) => {
  const { session, requests } = startSession();
  t.strictSame(session.identity.value, { kind: 'none' });
  await session.useDevAccount(1);
  t.match(session.identity.value, { kind: 'dev', index: 1, address: /^0x[0-9a-f]{40}$/ });
  const day = Math.floor(clock.ms / 1000) + 86_400;
  const rows: readonly Partial<Terms>[] = [
    {},
    { type: 'GTD', expirationSeconds: day, postOnly: true },
    { tokenId: negRisk.tokenIds[1], negRisk: true },
  ];
  for (const changes of rows) {
    const { orderId, body } = await session.signOrder(buying(changes));
    const answer = await sendAs(session, 'POST', '/order', body);
    t.match(answer.body, { success: true, orderID: orderId, status: 'live' }, answer.text);
  }
  t.strictSame(requests, ['0'], 'one API key serves all');
  const orders = await sendAs(session, 'GET', '/data/orders');
  t.equal(orders.body.data.length, 3);
  const canceled = await sendAs(session, 'DELETE', '/cancel-all');
  t.equal(canceled.body.canceled.length, 3);
});

t.test('a budget spends cash, and the explanation of an order shows the balance', async (t) => {
  const { session } = startSession();
  await session.useKey(third);
  const maker = startSession().session;
  await maker.useDevAccount(0);
  const { conditionId: market } = plain;
  const split = { market, amount: '20', key: 'console-split' };
  t.equal((await sendAs(maker, 'POST', '/sets/split', split)).status, 200);
  const sale = await maker.signOrder(buying({ side: 'SELL', price: '0.5' }));
  t.match((await sendAs(maker, 'POST', '/order', sale.body)).body, { status: 'live' });
  const terms = buying({ type: 'FOK', price: '0.52', quantity: '3.51' });
  const asked = await session.orderToExplain(terms);
  const explained = await sendAs(session, 'POST', '/debug/order', asked);
  t.match(JSON.parse(explained.text), { wouldBeAccepted: true }, explained.text);
  t.match(explained.text, '"available"');
  const { body } = await session.signOrder(terms);
  const answer = await sendAs(session, 'POST', '/order', body);
  t.match(answer.body, { status: 'matched', makingAmount: '3.51', takingAmount: '7.02' });
});

t.test('a wallet trades, and is asked only for what is sent', async (t) => {
  const { session, requests } = startSession();
  const wallet = new FakeWallet(fourth, 1);
  await session.useWallet(walletOf(wallet));
  const address = wallet.address.toLowerCase();
  t.match(session.identity.value, { kind: 'wallet', address, name: 'Fake' });
  t.strictSame(wallet.calls, ['eth_requestAccounts'], 'it is not asked to sign yet');
  const { body } = await session.signOrder(buying());
  t.match((await sendAs(session, 'POST', '/order', body)).body, { status: 'live' });
  t.strictSame(requests, ['0']);
  const before = wallet.calls.length;
  const asked = await session.orderToExplain(buying());
  const explained = await sendAs(session, 'POST', '/debug/order', asked);
  t.match(JSON.parse(explained.text), { answer: { body: { code: 'signature_mismatch' } } });
  t.equal(wallet.calls.length, before, 'the wallet does not see an order that is only explained');
});

t.test('a wallet that refuses once is asked again the next time', async (t) => {
  const { session, requests } = startSession();
  const wallet = new FakeWallet(fourth);
  await session.useWallet(walletOf(wallet));
  wallet.refusals = { eth_signTypedData_v4: walletError(4001, 'no') };
  await t.rejects(session.authorize('GET', '/data/orders'), { code: 'rejected' });
  t.strictSame(requests, [], 'nothing was sent');
  wallet.refusals = {};
  t.equal((await sendAs(session, 'GET', '/data/orders')).status, 200);
});

t.test('requests that come together share one request for the API key', async (t) => {
  const { session, requests } = startSession();
  await session.useDevAccount(0);
  const answers = await Promise.all(
    ['/data/orders', '/data/trades', '/auth/api-keys'].map((path) => sendAs(session, 'GET', path)),
  );
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.strictSame(requests, ['0']);
});

t.test('a revoked API key is replaced after a 401, by the next nonce', async (t) => {
  const { session, requests } = startSession();
  await session.useDevAccount(1);
  t.equal((await sendAs(session, 'DELETE', '/auth/api-key')).status, 200);
  t.match((await sendAs(session, 'GET', '/auth/api-keys')).body, { code: 'api_key_revoked' });
  t.equal((await sendAs(session, 'GET', '/auth/api-keys')).status, 200);
  t.strictSame(requests, ['0', '0', '1']);
});

t.test('a refusal that another API key would not cure changes nothing', async (t) => {
  const { session, requests } = startSession();
  await session.useDevAccount(0);
  const headers = await session.authorize('GET', '/auth/api-keys');
  session.noteRefusal('stale_timestamp', headers);
  session.noteRefusal('api_key_revoked', { ...headers, SERVICE_API_KEY: 'an earlier key' });
  await session.authorize('GET', '/auth/api-keys');
  t.strictSame(requests, ['0']);
  session.noteRefusal('unknown_api_key', headers);
  await session.authorize('GET', '/auth/api-keys');
  t.strictSame(requests, ['0', '0']);
});

t.test('an account that left signs nothing, and what it began is not finished', async (t) => {
  const { session, requests } = startSession();
  await t.rejects(session.authorize('GET', '/data/orders'), { code: 'signed_out' });
  await session.useDevAccount(0);
  const authorized = session.authorize('GET', '/data/orders');
  const signed = session.signOrder(buying());
  const asked = session.orderToExplain(buying());
  const credentials = session.credentials();
  session.signOut();
  t.strictSame(session.identity.value, { kind: 'none' });
  const begunThen: readonly Promise<unknown>[] = [authorized, signed, asked, credentials];
  for (const begun of begunThen) {
    await t.rejects(begun, { code: 'signed_out', message: /has left the page/ });
  }
  await t.rejects(session.credentials(), { message: 'Choose an account first.' });
  await session.useDevAccount(0);
  await session.credentials();
  t.strictSame(requests, ['0', '0'], 'the credentials were forgotten');
});

t.test('an order that was signed for an account that left is not given out', async (t) => {
  const { session } = startSession();
  const wallet = new FakeWallet(fourth);
  await session.useWallet(walletOf(wallet));
  await session.credentials();
  const answer = wallet.request.bind(wallet);
  wallet.request = async (call) => {
    const signature = await answer(call);
    // While the wallet asks its user, somebody signs out.
    if (call.method === 'eth_signTypedData_v4') session.signOut();
    return signature;
  };
  await t.rejects(session.signOrder(buying()), {
    code: 'signed_out',
    message: /has left the page/,
  });
});

t.test('the page sends as its session, and logs no secret', async (t) => {
  t.intercept(Date, 'now', { value: () => clock.ms });
  const exchangeFetch = globalThis.fetch;
  const fetchBelow = (address: string, options: RequestInit) =>
    exchangeFetch(new URL(address.slice(3), `${exchange.running.url}/`), options);
  t.intercept(globalThis, 'fetch', { value: fetchBelow });
  openSession(FACTS);
  const readKeys = () => sendOfPage({ method: 'GET', path: '/auth/api-keys', auth: 'l2' });
  await t.rejects(readKeys(), { message: 'Choose an account first.' });
  await pageSession.useDevAccount(0);
  const { secret, passphrase } = await pageSession.credentials();
  t.match(await readKeys(), { apiKeys: [/^[0-9a-f-]{36}$/] });
  await sendOfPage({ method: 'DELETE', path: '/auth/api-key', auth: 'l2' });
  t.match(await readKeys(), { apiKeys: [/^[0-9a-f-]{36}$/] }, 'sent once more, with a new key');
  const logged = JSON.stringify(requestLog.value);
  t.match(logged, '/auth/api-keys');
  for (const one of [secret, passphrase, first.slice(2)]) t.notMatch(logged, one);
  pageSession.signOut();
});

t.test('the account that was chosen last wins', async (t) => {
  const { session } = startSession();
  const wallet = new FakeWallet(fourth);
  const choices = [
    session.useWallet(walletOf(wallet)),
    session.useDevAccount(0),
    session.useKey(third),
  ];
  const results = await Promise.allSettled(choices);
  t.strictSame(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  t.match(session.identity.value, { kind: 'key' });
  t.equal(wallet.listening, 0);
});

t.test('an account that leaves its wallet leaves the page, with the reason', async (t) => {
  const { session } = startSession();
  const wallet = new FakeWallet(fourth);
  await session.useWallet(walletOf(wallet));
  wallet.emit('accountsChanged', []);
  t.strictSame(session.identity.value, { kind: 'none' });
  t.match(session.notice.value, 'The wallet no longer shows an account to this page.');
  await session.useDevAccount(0);
  t.equal(session.notice.value, '');
  await session.useWallet(walletOf(wallet));
  await session.useDevAccount(0);
  t.equal(wallet.listening, 0, 'another account stops watching the wallet');
});

t.test('where keys are not accepted, only wallets sign', async (t) => {
  const { session } = startSession({ acceptsKeys: false });
  const failure = { code: 'keys_not_accepted', message: /only for play money on this machine/ };
  await t.rejects(session.useKey(third), failure);
  await t.rejects(session.useDevAccount(0), failure);
  await session.useWallet(walletOf(new FakeWallet(fourth)));
  t.match(session.identity.value, { kind: 'wallet' });
});

t.test('what is missing is said', async (t) => {
  const { session } = startSession();
  const message = 'This exchange has no dev account 2.';
  await t.rejects(session.useDevAccount(2), { code: 'keys_not_accepted', message });
  await t.rejects(new Session().useKey(third), { message: 'The page has not loaded yet.' });
  const chainless = startSession({ chainIds: [] }).session;
  await chainless.useDevAccount(0);
  await t.rejects(chainless.credentials(), { code: 'no_api_key', message: /names no chain/ });
});

t.test('nothing of the session shows its key or its credentials', async (t) => {
  const { session } = startSession();
  await session.useKey(third);
  const { secret, passphrase } = await session.credentials();
  const shown = JSON.stringify([session, session.identity.value, session.notice.value]);
  for (const one of [third.slice(2), secret, passphrase]) t.notMatch(shown, one);
});
