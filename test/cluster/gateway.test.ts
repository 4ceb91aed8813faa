/** A cluster in this process: what clients and operators see of roles and of a takeover. */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { builtinEvents } from '../../catalog/builtin/index.ts';
import type { Running } from '../../venue/program.ts';
import { TEST_SETTINGS } from '../default-settings.ts';
import { sendTo, Trader } from '../http/exchange-fixture.ts';
import { makeNodes } from '../http/gateway-fixture.ts';
import { makeSigner } from '../http/signing/fixtures.ts';

const SETTINGS = {
  ...TEST_SETTINGS,
  port: 0,
  adminPort: 0,
  temporary: true,
  logLevel: 'silent',
  snapshotMs: Number.POSITIVE_INFINITY,
} as const;

function nodesFor(t: Pick<Test, 'teardown'>) {
  const nodes = makeNodes(SETTINGS, { catalog: builtinEvents(), onFatal: () => {} });
  const start: typeof nodes.start = async (...node) => {
    const running = await nodes.start(...node);
    t.teardown(() => running.close());
    return running;
  };
  return { ...nodes, start };
}

function traderAt({ url }: Running, number: number): Trader {
  const clock = {
    get ms() {
      return Date.now();
    },
  };
  return new Trader({ url, clock, signer: makeSigner(number), prefix: 'POLY' });
}

function operatorOf({ adminPort, adminToken }: Running) {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (method: string, path: string, body?: object) =>
    sendTo(`http://127.0.0.1:${adminPort}`, method, path, {
      headers,
      body: body && JSON.stringify({ by: 'me', reason: 'to try', ...body }),
    });
}

/** Asks until the answer has the status; the test's own time limit ends it. */
async function until<Answer extends { readonly status: number }>(
  status: number,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    await sleep(20);
  }
}

t.test('gateways show one exchange, and it goes on after a takeover', async (t) => {
  const { start } = nodesFor(t);
  const core = await start('core', 'core-a');
  const standby = await start('standby', 'core-b');
  const [a, b] = [await start('gateway', 'gateway-a'), await start('gateway', 'gateway-b')];
  const market = [...a.services.registry.markets()].find(
    ({ negRisk, tickTicks, minimumLots }) => !negRisk && tickTicks === 100 && minimumLots <= 500,
  );
  const tokenId = market?.tokenIds[0] ?? '';
  const book = `/book?token_id=${tokenId}`;
  const alice = traderAt(a, 1);
  await alice.login();
  const elsewhere = traderAt(b, 1);
  elsewhere.credentials = alice.credentials;
  const order = alice.order({ tokenId, priceTicks: 4000 });
  // On a busy machine a gateway may not have heard of its core for a moment.
  const placed = await until(200, () => alice.signed('POST', '/order', order));
  t.match(placed.body, { success: true });
  const beats = { path: '/v1/heartbeats' };
  const armed = await alice.signed('POST', beats.path, { heartbeat_id: '' });
  t.equal(armed.status, 200, armed.text);

  await until(200, () => elsewhere.signed('GET', '/data/orders'));
  t.same((await sendTo(b.url, 'GET', book)).body.bids.length, 1, 'both have the order');
  t.match((await operatorOf(core)('GET', book)).body, { code: 'other_node' });
  t.match((await sendTo(a.url, 'GET', '/readyz')).text, /"node":\{"name":"gateway-a"/);

  await core.close();
  const without = await sendTo(a.url, 'GET', book);
  t.equal(without.status, 425, without.text);
  t.equal(without.headers.get('retry-after'), '1');
  t.equal((await alice.signed('POST', '/order', order)).status, 425);
  t.match((await sendTo(a.url, 'GET', '/readyz')).text, /"failed":\["core"\]/);
  t.equal((await fetch(`${a.url}/docs`)).status, 200, 'documentation goes on');

  await until(200, () => sendTo(a.url, 'GET', book));
  t.equal(standby.services.health.report().node?.leading, true);
  const again = await until(200, () => alice.signed('POST', '/order', order));
  t.match(again.body, { success: true, duplicate: true }, 'a retried order has its result');
  const beat = await until(200, () => elsewhere.signed('POST', beats.path, armed.body));
  t.same(beat.body, armed.body, 'the switch is armed with its old id, at the new core');
  const paid = await operatorOf(standby)('POST', '/deposits', {
    account: alice.address,
    amount: '1',
    key: 'k-1',
  });
  t.equal(paid.status, 200, paid.text);

  const revoked = await alice.signed('DELETE', '/auth/api-key');
  t.equal(revoked.status, 200, revoked.text);
  await until(401, () => elsewhere.signed('GET', '/data/orders'));
  t.equal(a.services.exchange.stateHash(), standby.services.exchange.stateHash());
});

t.test('a node with a wrong setup does not start, and says why', async (t) => {
  const { start } = nodesFor(t);
  await start('core', 'core-a');
  const rows = [
    ['gateway', { secretByte: 8 }, /master secret/],
    ['standby', { secretByte: 8 }, /master secret/],
    ['gateway', { funding: 'ledger' }, /was begun with --funding paper/],
    [
      'core',
      {},
      /core-a is the core of this cluster, and it is alive: start this node with --role/,
    ],
  ] as const;
  for (const [role, changes, message] of rows) {
    await t.rejects(start(role, 'node-b', changes), { name: 'StoreError', message });
  }
});
