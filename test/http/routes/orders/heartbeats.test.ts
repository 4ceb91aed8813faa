import { Chain } from '@polymarket/clob-client-v2';
import t from 'tap';
import { newTrader } from '../../../published-client.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jsonOf, withKey } from '../../auth/key-fixture.ts';
import {
  shareTestExchange,
  startTestExchange,
  type TestExchange,
  type Trader,
} from '../../exchange-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const WALLET = `0x${'7'.repeat(40)}`;
const OTHER_ID = '00000000-0000-4000-8000-000000000001';
/** Longer than any test. */
const NEVER_MS = 3_600_000;
const SHORT_MS = 50;

async function liveOrders(who: Trader): Promise<readonly string[]> {
  return (await who.signed('GET', '/data/orders')).body.data.map(({ id }) => id);
}

async function untilNone(who: Trader): Promise<void> {
  while ((await liveOrders(who)).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Three orders of the first trader, of two accounts, and one of the second. */
async function fill(exchange: TestExchange) {
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const [yes, no] = exchange.plain.tokenIds;
  const own = [
    (await alice.place({ tokenId: yes, priceTicks: 3000 })).body.orderID,
    (await alice.place({ tokenId: no, priceTicks: 3000 })).body.orderID,
    (await alice.signed('POST', '/order', alice.walletOrder({ tokenId: yes }, WALLET))).body
      .orderID,
  ];
  const foreign = (await bob.place({ tokenId: yes, priceTicks: 3000 })).body.orderID;
  return { alice, bob, own, foreign };
}

const PATHS = ['/v1/heartbeats', '/heartbeats'] as const;

/** The exchange uses this machine's clock, like the published client. No switch trips by itself. */
const share = await shareTestExchange(t, { now: Date.now, heartbeatWindowMs: NEVER_MS });

t.test('a first beat may omit its id in any form; both paths share one switch', async (t) => {
  const exchange = share();
  let number = 0;
  for (const path of PATHS) {
    for (const body of [undefined, null, {}, { heartbeat_id: '' }, { heartbeat_id: null }]) {
      number += 1;
      const alice = await exchange.trader(number);
      const first = await alice.signed('POST', path, body);
      t.equal(first.status, 200, JSON.stringify(body));
      const { heartbeat_id: id } = JSON.parse(first.text);
      t.match(id, UUID);
      for (const next of PATHS) {
        const answer = await alice.signed('POST', next, { heartbeat_id: id.toUpperCase() });
        t.strictSame(jsonOf(answer), { heartbeat_id: id, status: 'ok' });
      }
    }
  }
});

t.test('a malformed beat is refused; a wrong id gets the right one', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const { address: owner } = alice;
  const armedSwitches = () =>
    [...exchange.running.services.exchange.state.armedSwitches()].filter(
      (one) => one.owner === owner,
    );
  const [path] = PATHS;
  const wrong = await alice.signed('POST', path, { heartbeat_id: OTHER_ID });
  t.equal(wrong.status, 400);
  t.match(jsonOf(wrong), {
    error: 'Invalid Heartbeat ID',
    error_msg: 'Invalid Heartbeat ID',
    code: 'invalid_heartbeat_id',
    field: 'heartbeat_id',
    actual: OTHER_ID,
    heartbeat_id: UUID,
  });
  const { heartbeat_id: offered } = JSON.parse(wrong.text);
  t.equal(armedSwitches().length, 0, 'nothing is armed yet');
  const armed = await alice.signed('POST', path, { heartbeat_id: offered });
  t.strictSame(jsonOf(armed), { heartbeat_id: offered, status: 'ok' });
  t.strictSame(armedSwitches(), [{ owner, heartbeatId: offered }]);
  const again = await alice.signed('POST', path, { heartbeat_id: OTHER_ID });
  t.match(jsonOf(again), { code: 'invalid_heartbeat_id', heartbeat_id: offered });
  const rows: readonly (readonly [body: string, expected: object])[] = [
    ['{', { code: 'malformed_json' }],
    ['[]', { code: 'invalid_payload', field: 'body' }],
    ['"x"', { code: 'invalid_payload', field: 'body' }],
    ['{"heartbeat_id":5}', { code: 'invalid_payload', field: 'heartbeat_id', actual: 5 }],
  ];
  for (const [body, expected] of rows) {
    const headers = alice.keyHeaders('POST', path, body);
    const answer = await alice.send('POST', path, { body, headers });
    t.equal(answer.status, 400, body);
    t.match(answer.body, expected);
  }
  t.equal((await alice.send('POST', path)).status, 401, 'without a key');
});

t.test('when the beats stop, all orders of that owner are cancelled, and no others', async (t) => {
  const exchange = await startTestExchange(t, { heartbeatWindowMs: SHORT_MS });
  const { alice, bob, own, foreign } = await fill(exchange);
  const first = await alice.signed('POST', '/v1/heartbeats');
  await untilNone(alice);
  t.strictSame(await liveOrders(bob), [foreign]);
  for (const id of own) {
    const record = await exchange.running.services.exchange.reader.order(id);
    t.equal(record?.closeReason, 'switch_tripped');
    t.match((await alice.signed('GET', `/data/order/${id}`)).body, { status: 'CANCELED' });
  }
  t.strictSame([...exchange.running.services.exchange.state.armedSwitches()], []);
  const { heartbeat_id: id } = JSON.parse(first.text);
  const late = await alice.signed('POST', '/v1/heartbeats', { heartbeat_id: id });
  t.equal(late.status, 400, 'the old id is refused after the trip');
});

t.test('an armed switch survives a restart, with a fresh window', async (t) => {
  const dataDir = temporaryFolder(t);
  const settings = { temporary: false, dataDir };
  const first = await startTestExchange(t, { ...settings, heartbeatWindowMs: NEVER_MS });
  const { alice, bob, own, foreign } = await fill(first);
  const { text } = await alice.signed('POST', '/v1/heartbeats');
  const { heartbeat_id: id } = JSON.parse(text);
  await first.running.close();

  const second = await startTestExchange(t, { ...settings, heartbeatWindowMs: NEVER_MS });
  const alive = withKey(second, alice, alice.credentials);
  t.equal((await liveOrders(alive)).length, own.length, 'stopping trips nothing');
  const beat = await alive.signed('POST', '/v1/heartbeats', { heartbeat_id: id });
  t.strictSame(jsonOf(beat), { heartbeat_id: id, status: 'ok' }, 'and it is the same switch');
  await second.running.close();

  const third = await startTestExchange(t, { ...settings, heartbeatWindowMs: SHORT_MS });
  await untilNone(withKey(third, alice, alice.credentials));
  t.strictSame(await liveOrders(withKey(third, bob, bob.credentials)), [foreign]);
});

t.test('a trip never overtakes an order that arrived before it', async (t) => {
  const exchange = share();
  const { intake } = exchange.running.services;
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  for (let round = 0; round < 10; round++) {
    await intake.armSwitch(alice.caller, OTHER_ID);
    const payload = alice.order({ tokenId });
    // Both at once: the order's signature is still to be checked when the trip is ready.
    const placed = intake.place(alice.caller, [payload]);
    const tripped = intake.tripSwitch(alice.address, OTHER_ID);
    t.match(await placed, [{ success: true }]);
    t.equal(await tripped, 1);
  }
  t.strictSame(await liveOrders(alice), []);
});

t.test('the published client keeps its switch from tripping', async (t) => {
  const { running } = share();
  const { client } = await newTrader('Alice', running.url, Chain.POLYGON);
  const lost = await client.postHeartbeat(OTHER_ID);
  t.match(lost, { status: 400, error: 'Invalid Heartbeat ID', heartbeat_id: UUID });
  const first = await client.postHeartbeat(lost.heartbeat_id);
  t.strictSame(first, { heartbeat_id: lost.heartbeat_id, status: 'ok' });
  t.strictSame(await client.postHeartbeat(first.heartbeat_id), first);
  t.strictSame(await client.postHeartbeat(), first, 'a restarted bot');
});
