import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { HTTP_BOUNDS } from '../../../../http/bounds/sizes.ts';
import {
  cancelMarketOrders,
  deleteAllOrders,
} from '../../../../http/routes/orders/cancel-filtered.ts';
import { deleteOrders } from '../../../../http/routes/orders/cancel-named.ts';
import {
  type Answer,
  NEG_RISK_DOMAIN,
  shareTestExchange,
  type Trader,
} from '../../exchange-fixture.ts';

const REASON = "order can't be found - already canceled or matched";
const WALLET = `0x${'7'.repeat(40)}`;
const UNKNOWN_HASH = `0x${'33'.repeat(32)}`;
const { ordersPerCancel, ordersBodyBytes } = HTTP_BOUNDS;

const PATHS = {
  '/orders': Compile(deleteOrders.response),
  '/cancel-all': Compile(deleteAllOrders.response),
  '/cancel-market-orders': Compile(cancelMarketOrders.response),
};
type Path = keyof typeof PATHS;

/** Sends a cancel, whose answer must be as its route documents it. */
async function cancel(t: Test, who: Trader, path: Path, body?: unknown): Promise<Answer> {
  const answer = await who.signed('DELETE', path, body);
  t.equal(answer.status, 200, path);
  t.ok(PATHS[path].Check(answer.body), 'as documented');
  return answer;
}

function canceled(...ids: readonly string[]): object {
  return { canceled: ids, not_canceled: {} };
}

function text(bytes: number): string {
  return JSON.stringify(['x'.repeat(bytes)]);
}
function ids(count: number): string {
  return JSON.stringify(Array(count).fill(UNKNOWN_HASH));
}
const none = { error: 'Invalid payload', code: 'invalid_payload' };
const noFilter = { ...none, field: 'body', limit: 'market, asset_id or both' };

type Row = readonly [path: Path, body: string, status: number, expected: object];

const BAD_BODIES: readonly Row[] = [
  ['/orders', '', 400, { ...none, field: 'body' }],
  ['/orders', '["0x', 400, { code: 'malformed_json' }],
  ['/orders', '{"orderID":"0x33"}', 400, { ...none, actual: 'an object' }],
  ['/orders', '["0x33",5]', 400, { error: 'Invalid orderID', field: '1', actual: 5 }],
  ['/orders', '[null]', 400, { code: 'invalid_order_id', field: '0', actual: null }],
  ['/orders', '[["0x33"]]', 400, { code: 'invalid_order_id', actual: 'a list of 1' }],
  [
    '/orders',
    ids(ordersPerCancel + 1),
    400,
    { error: 'Too many orders in payload: 1001, max allowed: 1000', code: 'too_many_order_ids' },
  ],
  ['/orders', text(ordersBodyBytes), 413, { code: 'body_too_large', limit: ordersBodyBytes }],
  ['/cancel-market-orders', '', 400, { ...none, field: 'body' }],
  ['/cancel-market-orders', '{', 400, { code: 'malformed_json' }],
  ['/cancel-market-orders', '[]', 400, { ...none, field: 'body' }],
  ['/cancel-market-orders', '{}', 400, noFilter],
  ['/cancel-market-orders', '{"market":"","asset_id":""}', 400, noFilter],
  ['/cancel-market-orders', '{"market":null,"asset_id":null,"assetId":null}', 400, noFilter],
  ['/cancel-market-orders', '{"Market":"0x33"}', 400, noFilter],
  ['/cancel-market-orders', '{"market":5}', 400, { ...none, field: 'market', actual: 5 }],
  ['/cancel-market-orders', '{"assetId":5}', 400, { ...none, field: 'assetId', actual: 5 }],
  ['/cancel-market-orders', '{"market":"0x33"}', 400, { error: 'Invalid market', actual: '0x33' }],
  [
    '/cancel-market-orders',
    JSON.stringify({ market: UNKNOWN_HASH }),
    400,
    { error: 'Invalid market', code: 'market_unknown', field: 'market', actual: UNKNOWN_HASH },
  ],
  ['/cancel-market-orders', '{"asset_id":"x"}', 400, { code: 'invalid_parameter', actual: 'x' }],
  [
    '/cancel-market-orders',
    '{"asset_id":"","assetId":"0x07"}',
    400,
    { error: 'token is not registered', code: 'token_unknown', field: 'assetId', actual: '7' },
  ],
];

const share = await shareTestExchange(t);

t.test('a malformed cancel is refused and cancels nothing', async (t) => {
  const { trader, plain, stateHash } = share();
  const alice = await trader(1);
  const { orderID } = (await alice.place({ tokenId: plain.tokenIds[0] })).body;
  const before = stateHash();
  for (const [path, body, status, expected] of BAD_BODIES) {
    const headers = alice.keyHeaders('DELETE', path, body);
    const answer = await alice.send('DELETE', path, { body, headers });
    t.equal(answer.status, status, `${path} ${body.slice(0, 50)}`);
    t.match(answer.body, expected);
  }
  const [yes, no] = plain.tokenIds;
  const two = await alice.signed('DELETE', '/cancel-market-orders', { asset_id: yes, assetId: no });
  t.match(two.body, { ...none, field: 'assetId', limit: yes, actual: no });
  for (const path of Object.keys(PATHS)) {
    t.equal((await alice.send('DELETE', path)).status, 401, `${path} without a key`);
  }
  t.equal(stateHash(), before, 'nothing was changed');
  t.strictSame((await cancel(t, alice, '/cancel-all')).body, canceled(orderID));
});

t.test("DELETE /orders cancels the caller's live orders among those named", async (t) => {
  const { trader, plain, clock } = share();
  const alice = await trader(1);
  const bob = await trader(2);
  const [tokenId, other] = plain.tokenIds;
  const place = async (who: Trader, wishes: object = {}): Promise<string> =>
    (await who.place({ tokenId, priceTicks: 3000, ...wishes })).body.orderID;
  const matched = await place(alice, { priceTicks: 6000 });
  await place(bob, { tokenId: other, priceTicks: 4000 });
  const expiration = String(Math.floor(clock.ms / 1000) + 200);
  const expired = await place(alice, { orderType: 'GTD', changes: { expiration } });
  const foreign = await place(bob);
  const [first, second, third] = [await place(alice), await place(alice), await place(alice)];
  clock.ms += 201_000;

  const shouted = `0x${third.slice(2).toUpperCase()}`;
  const fine = [second, second, first, shouted, third];
  const others = [foreign, matched, expired, UNKNOWN_HASH, '', '0x33', '__proto__'];
  const mixed = [...others.slice(0, 3), ...fine, ...others.slice(3), foreign];
  const answer = await cancel(t, alice, '/orders', mixed);
  // Each order is listed once, in the request's order, with the first spelling of its id.
  t.strictSame(answer.body.canceled, [second, first, shouted]);
  const reasons = Object.fromEntries(others.map((id) => [id, REASON]));
  t.equal(answer.text.endsWith(`"not_canceled":${JSON.stringify(reasons)}}`), true);

  const again = await cancel(t, alice, '/orders', [first, second]);
  const gone = { [first]: REASON, [second]: REASON };
  t.strictSame(again.body, { canceled: [], not_canceled: gone });
  t.strictSame((await alice.cancel(first)).body, {
    canceled: [],
    not_canceled: { [first]: REASON },
  });
  t.strictSame((await cancel(t, alice, '/orders', [])).body, canceled());
  t.strictSame((await cancel(t, bob, '/orders', [foreign])).body, canceled(foreign));
});

t.test('DELETE /orders accepts the maximum number of ids in indented JSON', async (t) => {
  const { trader, plain } = share();
  const alice = await trader(1);
  const { orderID } = (await alice.place({ tokenId: plain.tokenIds[0] })).body;
  const unknown = Array.from(
    { length: ordersPerCancel - 1 },
    (_, index) => `0x${String(index).padStart(64, '0')}`,
  );
  const body = JSON.stringify([...unknown, orderID], undefined, 8);
  const headers = alice.keyHeaders('DELETE', '/orders', body);
  const answer = await alice.send('DELETE', '/orders', { body, headers });
  t.strictSame(answer.body, {
    canceled: [orderID],
    not_canceled: Object.fromEntries(unknown.map((id) => [id, REASON])),
  });
});

t.test('DELETE /cancel-market-orders cancels the orders that pass all its filters', async (t) => {
  const { trader, plain, negRisk } = share();
  const alice = await trader(1);
  const bob = await trader(2);
  const [yes, no] = plain.tokenIds;
  const [elsewhere] = negRisk.tokenIds;
  const market = plain.conditionId;
  const domain = NEG_RISK_DOMAIN;
  const wishes = {
    yes: { tokenId: yes, priceTicks: 3000 },
    no: { tokenId: no, priceTicks: 3000 },
    elsewhere: { tokenId: elsewhere, priceTicks: 3000, domain },
  };
  type Name = keyof typeof wishes;
  const names: readonly Name[] = ['elsewhere', 'no', 'yes'];
  const foreign = (await bob.place(wishes.yes)).body.orderID;
  const rows: readonly (readonly [what: string, body: object, closed: readonly Name[]])[] = [
    ['a market', { market }, ['no', 'yes']],
    ['a market in capitals', { market: `0x${market.slice(2).toUpperCase()}` }, ['no', 'yes']],
    ['a market, the token unset', { market, asset_id: '', assetId: null }, ['no', 'yes']],
    ['a token', { asset_id: no }, ['no']],
    ['a token by its other key', { assetId: yes, market: null }, ['yes']],
    ['a token by both keys', { asset_id: yes, assetId: yes }, ['yes']],
    ['a token in another base', { asset_id: `0x${BigInt(no).toString(16)}` }, ['no']],
    ['a market and its token', { market, asset_id: yes }, ['yes']],
    ["a market and another market's token", { market, asset_id: elsewhere }, []],
    ['another market', { market: negRisk.conditionId, more: 1 }, ['elsewhere']],
  ];
  for (const [what, body, closed] of rows) {
    const live = new Map<Name, string>();
    for (const name of names) live.set(name, (await alice.place(wishes[name])).body.orderID);
    const idsOf = (some: readonly Name[]) => some.flatMap((name) => live.get(name) ?? []);
    const answer = await cancel(t, alice, '/cancel-market-orders', body);
    t.strictSame(answer.body, canceled(...idsOf(closed)), what);
    const left = idsOf(names.filter((name) => !closed.includes(name)));
    t.strictSame((await cancel(t, alice, '/cancel-all')).body, canceled(...left), `not ${what}`);
  }
  t.strictSame((await cancel(t, bob, '/cancel-all')).body, canceled(foreign), 'another owner');
});

t.test("DELETE /cancel-all cancels the orders of all the owner's accounts", async (t) => {
  const { trader, plain, negRisk, clock, send } = share();
  const alice = await trader(1);
  const bob = await trader(2);
  const [tokenId] = plain.tokenIds;
  t.strictSame((await cancel(t, alice, '/cancel-all')).body, canceled(), 'no account yet');
  const wishes = { tokenId, priceTicks: 3000 };
  const expiration = String(Math.floor(clock.ms / 1000) + 200);
  const timed = { ...wishes, orderType: 'GTD', changes: { expiration } };
  const own = [
    (await alice.place(wishes)).body.orderID,
    (await alice.signed('POST', '/order', alice.walletOrder(wishes, WALLET))).body.orderID,
    (await alice.place({ tokenId: negRisk.tokenIds[0], domain: NEG_RISK_DOMAIN })).body.orderID,
  ];
  const foreign = (await bob.place(wishes)).body.orderID;
  t.equal((await alice.place(timed)).body.orderID.length, 66);
  clock.ms += 201_000;
  // An expired order is not canceled.
  t.strictSame((await cancel(t, alice, '/cancel-all')).body, canceled(...own));
  t.strictSame((await cancel(t, alice, '/cancel-all')).body, canceled(), 'nothing is left');
  t.equal((await send('GET', `/book?token_id=${tokenId}`)).body.bids.length, 1);
  t.strictSame((await cancel(t, bob, '/cancel-all')).body, canceled(foreign));
});
