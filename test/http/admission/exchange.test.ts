// Limits of a running exchange: keys, batches, failures, the operator, and what is published.
import t from 'tap';
import { Compile } from 'typebox/compile';
import { describeLimits, LimitsReply } from '../../../http/admission/describe-limits.ts';
import {
  DEFAULT_RULES,
  LIMIT_TABLE,
  type LimitRules,
} from '../../../http/admission/limit-table.ts';
import { TIER_MS } from '../../../http/admission/signer-buckets.ts';
import { READ_BOUNDS } from '../../../http/bounds/read-bounds.ts';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { DEFAULT_PROFILE, PROFILES } from '../../../http/profiles/profiles.ts';
import { ROUTES } from '../../all-routes.ts';
import { type Answer, shareTestExchange, startTestExchange } from '../exchange-fixture.ts';
import { onlyTight } from './limits-fixture.ts';

const HOUR_MS = 3_600_000;
let monotonicMs = 0;

const share = await shareTestExchange(t, {
  monotonicMs: () => monotonicMs,
  // This machine also serves as a trusted proxy, for the test of forwarded addresses.
  trustedProxies: ['127.0.0.1'],
});

/** The shared exchange, with limits that also count this machine and windows that are empty. */
function shareCounting(capacities: Readonly<Record<string, number>>) {
  const exchange = share();
  // The start of a slice of every window, so that the waits in refusals are predictable.
  monotonicMs += HOUR_MS - (monotonicMs % HOUR_MS);
  exchange.running.services.limits.replace(onlyTight(capacities, { countsLoopback: true }));
  return {
    ...exchange,
    plain: exchange.plain,
    negRisk: exchange.negRisk,
    pass: (ms: number): void => {
      monotonicMs += ms;
    },
  };
}

function remaining({ headers }: Answer): string | null {
  return headers.get('x-ratelimit-remaining');
}

t.test('a batch counts once for each of its orders, or is refused as a whole', async (t) => {
  const { trader, plain, stateHash, pass } = shareCounting({ 'order-burst': 5 });
  const ann = await trader(1);
  const [tokenId = ''] = plain.tokenIds;
  const orders = (count: number) => Array.from({ length: count }, () => ann.order({ tokenId }));
  const placed = await ann.signed('POST', '/orders', orders(3));
  t.equal(placed.status, 200);
  t.equal(remaining(placed), '2');
  const before = stateHash();
  const refused = await ann.signed('POST', '/orders', orders(3));
  t.equal(refused.status, 429);
  t.match(refused.body, { code: 'too_many_requests', row: 'order-burst', limit: 5 });
  t.equal(remaining(refused), '2', 'nothing was counted');
  t.equal(stateHash(), before, 'none of it was placed');
  t.equal((await ann.place({ tokenId })).status, 200);
  const wrong = await ann.signed('POST', '/orders', 'no list');
  t.equal(wrong.status, 400);
  t.equal(remaining(wrong), '0', 'an unreadable batch counts once');
  t.equal((await ann.place({ tokenId })).status, 429);
  t.equal((await ann.signed('POST', '/orders', 'no list')).status, 429);
  t.equal((await ann.signed('DELETE', '/cancel-all')).status, 200, 'cancels have their own row');
  const bob = await trader(2);
  t.equal((await bob.place({ tokenId })).status, 200, 'other owners are not affected');
  await ann.login('7');
  t.equal((await ann.place({ tokenId })).status, 429, 'keys of one owner share it');
  pass(11_000);
  t.equal((await ann.place({ tokenId })).status, 200);
});

t.test(
  'an owner with too many wrong signatures is refused before signatures are checked',
  async (t) => {
    const { trader, plain, negRisk, pass } = shareCounting({ 'wrong-signatures': 3 });
    const ann = await trader(1);
    const [tokenId = ''] = plain.tokenIds;
    // A neg-risk token in an order that is signed for the exchange of plain markets.
    const wrong = () => ann.order({ tokenId: negRisk.tokenIds[0] });
    const batch = await ann.signed('POST', '/orders', [wrong(), ann.order({ tokenId }), wrong()]);
    t.match(batch.text, /wrong_exchange/);
    const notSigned = { ...wrong(), owner: 'nobody' };
    t.match(await ann.signed('POST', '/order', notSigned), { body: { code: 'owner_mismatch' } });
    t.equal((await ann.place({ tokenId })).status, 200, 'refused before recovery: no count');
    t.match(await ann.signed('POST', '/order', wrong()), { body: { code: 'wrong_exchange' } });
    for (const path of ['/order', '/orders']) {
      const body = ann.order({ tokenId });
      const refused = await ann.signed('POST', path, path === '/order' ? body : [body]);
      t.match(refused, { status: 429, body: { row: 'wrong-signatures', limit: 3 } }, path);
      t.ok(Number(refused.headers.get('retry-after')) > 0);
    }
    t.equal((await ann.cancel(`0x${'0'.repeat(64)}`)).status, 200, 'cancels are accepted');
    t.equal((await (await trader(2)).place({ tokenId })).status, 200, 'others are not affected');
    pass(11_000);
    t.equal((await ann.place({ tokenId })).status, 200);
  },
);

t.test('owners with wrong signatures behind one address are refused together', async (t) => {
  const tight = { 'wrong-signatures-network': 2 };
  const { trader, plain, negRisk } = shareCounting(tight);
  for (const number of [1, 2]) {
    const one = await trader(number);
    const tokenId = negRisk.tokenIds[0];
    t.match(await one.place({ tokenId }), { body: { code: 'wrong_exchange' } });
  }
  const refused = await (await trader(3)).place({ tokenId: plain.tokenIds[0] });
  t.match(refused, { status: 429, body: { row: 'wrong-signatures-network' } });
});

t.test('a batch that is too long counts as the longest valid one', async (t) => {
  const { trader, plain } = shareCounting({ 'order-burst': 16 });
  const ann = await trader(1);
  const [tokenId = ''] = plain.tokenIds;
  const orders = Array.from({ length: 16 }, () => ann.order({ tokenId }));
  const refused = await ann.signed('POST', '/orders', orders);
  t.equal(refused.body.code, 'too_many_orders');
  t.equal(remaining(refused), '1');
});

t.test(
  'an address with too many wrong credentials is refused, except for correct keys',
  async (t) => {
    const { trader, send, pass } = shareCounting({ 'failed-authentication': 3 });
    const ann = await trader(1);
    const good = () => ann.signed('GET', '/data/orders');
    const bad = () =>
      ann.send('GET', '/data/orders', {
        headers: { ...ann.keyHeaders('GET', '/data/orders'), POLY_SIGNATURE: 'AAAA' },
      });
    const trading = ann.credentials;
    ann.credentials = (await ann.signed('POST', '/auth/readonly-api-key')).body;
    for (let count = 0; count < 5; count++) {
      const { status } = await ann.signed('DELETE', '/cancel-all');
      t.equal(status, 403, 'a forbidden request is no failed authentication');
    }
    ann.credentials = trading;
    for (let count = 0; count < 10; count++) t.equal((await good()).status, 200);
    t.equal((await bad()).status, 401);
    t.equal((await send('GET', '/data/orders')).status, 401, 'without headers too');
    t.equal((await send('GET', '/auth/derive-api-key')).status, 401, 'and without wallet headers');
    t.equal((await good()).status, 200, 'a correct key is still accepted');
    for (const answer of [await bad(), await send('GET', '/auth/derive-api-key')]) {
      t.equal(answer.status, 429);
      t.match(answer.body, { scope: 'failed authentication', row: 'failed-authentication' });
      t.equal(answer.headers.get('retry-after'), '66');
    }
    t.equal((await send('GET', '/time')).status, 200, 'public routes still answer');
    pass(66_000);
    t.equal((await bad()).status, 401);
  },
);

t.test('wallets cost nothing, so those behind one address share a limit', async (t) => {
  const { trader } = shareCounting({ network: 3 });
  const [ann, bob] = [await trader(1), await trader(2)];
  for (const one of [ann, bob, ann]) {
    t.equal((await one.signed('GET', '/data/orders')).status, 200);
  }
  const refused = await bob.signed('GET', '/notifications');
  t.equal(refused.status, 429);
  t.match(refused.body, { row: 'network', limit: 3 });
});

t.test('fresh wallets behind one address share a limit on new keys for a day', async (t) => {
  const { trader, pass } = shareCounting({ 'new-keys-sustained': 2 });
  const windowMs = 95_100_000; // a day and a tenth
  pass(windowMs);
  const [ann, bob] = [await trader(1), await trader(2)];
  const refused = await bob.login();
  t.match(refused.body, { code: 'too_many_requests', row: 'new-keys-sustained', limit: 2 });
  t.equal((await ann.signed('GET', '/data/orders')).status, 200, 'keys that exist still work');
  pass(windowMs);
  t.equal((await bob.login()).status, 200, 'it empties after a day');
});

t.test("a wallet's signature is not checked when its address is over the limit", async (t) => {
  const { trader } = shareCounting({ credentials: 1 });
  const ann = await trader(1);
  const refused = await ann.login();
  t.match(refused.body, { code: 'too_many_requests', row: 'credentials' });
  const headers = { ...ann.walletHeaders(), POLY_NONCE: '1' };
  const unproved = await ann.send('GET', '/auth/derive-api-key', { headers });
  t.match(unproved.body, { code: 'too_many_requests', row: 'credentials' });
});

t.test("on the operator's listener wrong tokens count, and nothing else does", async (t) => {
  const { operator, running, pass } = shareCounting({
    'operator-failures': 2,
    'order-book': 1,
  });
  const url = `http://127.0.0.1:${running.adminPort}/audit`;
  const ask = async (token: string, address: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
    return (await fetch(url, { headers })).status;
  };
  const guess = (): Promise<number> => ask('guess', '203.0.113.9');
  for (let count = 0; count < 5; count++) t.equal((await operator('GET', '/audit')).status, 200);
  t.same([await guess(), await guess(), await guess()], [401, 401, 429]);
  // Once the right token was refused, too, for as long as somebody sent wrong ones.
  t.equal(await ask(running.adminToken, '203.0.113.9'), 200);
  t.equal((await fetch(`${running.url}/time`)).status, 200, 'the public listener is not affected');
  pass(66_000);
  t.equal(await guess(), 401);
});

t.test('wrong tokens on loopback, which everybody there shares, are not counted', async (t) => {
  const { operator, running } = shareCounting({ 'operator-failures': 2 });
  const url = `http://127.0.0.1:${running.adminPort}/exchange/state`;
  for (let count = 0; count < 5; count++) {
    t.equal((await fetch(url, { method: 'POST' })).status, 401);
  }
  t.equal((await operator('POST', '/exchange/state', { state: 'halted' })).status, 200);
  t.equal((await operator('POST', '/exchange/state', { state: 'open' })).status, 200);
});

t.test('trusted proxies name the counted address', async (t) => {
  const { send } = shareCounting({ root: 1 });
  const from = (address: string) => send('GET', '/', { headers: { 'x-forwarded-for': address } });
  t.equal((await from('203.0.113.1')).status, 200);
  t.equal((await from('203.0.113.1')).status, 429);
  t.equal((await from('203.0.113.2')).status, 200);
});

t.test('a trusted proxy says that the client uses TLS, for the URLs of pictures', async (t) => {
  const { send, running } = shareCounting({});
  const headers = { origin: 'https://app.example', 'x-forwarded-proto': 'https' };
  const { text } = await send('GET', '/gamma/events?limit=1', { headers });
  t.match(text, `:"https://${new URL(running.url).host}/images/`);
});

t.test('with limits off no request is counted', async (t) => {
  const rateLimits = { ...DEFAULT_RULES, isOn: false, countsLoopback: true };
  const { send } = await startTestExchange(t, { rateLimits });
  for (let count = 0; count < 60; count++) {
    const answer = await send('GET', '/');
    t.equal(answer.status, 200);
    t.equal(remaining(answer), null);
  }
});

function describe(rules: LimitRules) {
  return describeLimits(rules, ROUTES, DEFAULT_PROFILE);
}

t.test('by default this machine is not counted, and can read the limits', async (t) => {
  const { send, running } = share();
  running.services.limits.replace(DEFAULT_RULES);
  for (let count = 0; count < 60; count++) {
    const answer = await send('GET', '/');
    t.equal(answer.status, 200);
    t.equal(remaining(answer), null);
  }
  const answer = await send('GET', '/limits');
  t.ok(Compile(LimitsReply).Check(answer.body), 'matches its schema');
  t.same(answer.body, describe(DEFAULT_RULES), 'covers all routes');
  const { profile, profiles } = answer.body as unknown as LimitsReply;
  t.same(profiles[0], profile, 'the default one, and those to compare it with');
  t.same(profiles, PROFILES);
  const changed = { ...DEFAULT_RULES, isOn: false };
  running.services.limits.replace(changed);
  t.same((await send('GET', '/limits')).body, describe(changed), 'new rules, a new answer');
  running.services.limits.replace(DEFAULT_RULES);
  t.same((await send('GET', '/limits')).body, answer.body);
});

t.test('the limits in effect are published with the routes they count', async (t) => {
  const { enabled, loopbackExempt, limits } = describe(DEFAULT_RULES);
  t.match({ enabled, loopbackExempt }, { enabled: true, loopbackExempt: true });
  t.strictSame(
    limits.map(({ name, scope, capacity, windowSeconds }) => [
      name,
      scope,
      capacity,
      windowSeconds * 1_000,
    ]),
    LIMIT_TABLE.map(({ name, scope, capacity, windowMs }) => [name, scope, capacity, windowMs]),
  );
  const named = (name: string) => limits.find((limit) => limit.name === name);
  t.strictSame(named('book')?.routes, ['GET /book']);
  t.match(named('order-burst'), { routes: ['POST /order', 'POST /orders'], countsItems: true });
  t.ok(named('order-book')?.routes.includes('GET /limits'), 'itself included');
  t.ok(named('order-book')?.routes.includes('GET /markets'), 'in its order-book form');
  t.ok(named('catalog')?.routes.includes('GET /markets'), 'and in its catalog form');
  t.notOk(named('catalog')?.routes.includes('GET /book'));
  t.equal(named('book')?.countsItems, false);
  const changed = describe(onlyTight({ book: 7 }, { countsLoopback: true }));
  t.equal(changed.loopbackExempt, false);
  t.equal(changed.limits.find(({ name }) => name === 'book')?.capacity, 7);
  t.equal(describe({ ...DEFAULT_RULES, isOn: false }).enabled, false);
});

t.test('published bounds of single requests are those that are enforced', async (t) => {
  const { bounds } = describe(DEFAULT_RULES);
  const of = (route: string, field: string, unit: string) =>
    bounds.filter((bound) => bound.route === route && bound.field === field && bound.unit === unit);
  const rows: readonly (readonly [string, string, string, number | null, number])[] = [
    ['POST /orders', 'body', 'items', 1, HTTP_BOUNDS.ordersPerRequest],
    ['POST /orders', 'body', 'bytes', null, HTTP_BOUNDS.ordersBodyBytes],
    ['POST /order', 'body', 'bytes', null, HTTP_BOUNDS.bodyBytes],
    ['DELETE /orders', 'body', 'items', null, HTTP_BOUNDS.ordersPerCancel],
    ['POST /books', 'body', 'items', null, READ_BOUNDS.tokensPerRequest],
    ['POST /data/orders', 'body', 'items', 1, READ_BOUNDS.listedOrders],
    ['POST /data/volumes', 'conditions', 'items', 1, READ_BOUNDS.listedVolumes],
    ['POST /batch-prices-history', 'markets', 'items', 1, READ_BOUNDS.historiesPerRequest],
    ['POST /orders-scoring', 'body', 'items', null, READ_BOUNDS.scoredOrders],
    ['GET /data/orders', 'page', 'items', null, READ_BOUNDS.ordersPerPage],
    ['GET /simplified-markets', 'page', 'items', null, READ_BOUNDS.marketsPerPage],
    ['GET /markets', 'limit', 'value', 1, READ_BOUNDS.catalogItems],
  ];
  for (const [route, field, unit, minimum, maximum] of rows) {
    const expected = [{ route, field, unit, minimum, maximum }];
    t.strictSame(of(route, field, unit), expected, `${route} ${field} ${unit}`);
  }
  t.strictSame(of('GET /time', 'body', 'bytes'), [], 'a route without a body has no bound');
});

t.test('answers to orders and cancels have the headers of the signer', async (t) => {
  const rateLimits = { ...DEFAULT_RULES, countsLoopback: true };
  // A clock that stands still: buckets gain nothing.
  const { trader, plain } = await startTestExchange(t, { rateLimits, monotonicMs: () => 0 });
  const alice = await trader(1);
  const left = (answer: Answer): string | null => answer.headers.get('poly-ratelimit-remaining');
  t.equal(left(await alice.place({ tokenId: plain.tokenIds[0] })), '59');
  t.equal(left(await alice.signed('DELETE', '/cancel-all')), '119');
  t.equal(left(await alice.signed('DELETE', '/cancel-all')), '117', 'the order was charged too');
});

t.test('the tier of a signer follows from what its accounts traded', async (t) => {
  const [lowest] = DEFAULT_PROFILE.signerTiers ?? [];
  if (lowest === undefined) throw new Error('the default profile has limits of signers');
  const next = { ...lowest, tier: 'Next', leastVolume: 5, orderBurst: 90 };
  const rateLimits = { ...DEFAULT_RULES, countsLoopback: true };
  const profile = { ...DEFAULT_PROFILE, signerTiers: [lowest, next] };
  let nowMs = 0;
  const settings = { rateLimits, profile, monotonicMs: () => nowMs };
  const { trader, plain } = await startTestExchange(t, settings);
  const [alice, bob] = [await trader(1), await trader(2)];
  const told = async () => (await alice.signed('GET', '/v1/user/rate-limit-tier')).body;
  t.strictSame(await told(), lowest, 'before it traded');
  const terms = { priceTicks: 5_000, lots: 1_000 };
  await alice.place({ tokenId: plain.tokenIds[0], ...terms });
  await bob.place({ tokenId: plain.tokenIds[1], ...terms });
  t.strictSame(await told(), lowest, 'it lasts');
  nowMs += TIER_MS;
  t.strictSame(await told(), next);
  const { headers } = await alice.place({ tokenId: plain.tokenIds[0], ...terms });
  t.equal(headers.get('poly-ratelimit-tier'), 'Next');
  t.equal(headers.get('poly-ratelimit-remaining'), '89');
});

t.test('where signers have no limits, their tier is null', async (t) => {
  const profile = { ...DEFAULT_PROFILE, signerTiers: null };
  const { trader } = await startTestExchange(t, { profile });
  const { text } = await (await trader(1)).signed('GET', '/v1/user/rate-limit-tier');
  t.equal(text, 'null');
});
