/**
 * The floor for orders accepts the requests that the exchange accepts and answers with the same
 * keys, refuses what its sender did not sign, and has on disk every order that it has answered.
 */
import t from 'tap';
import { startFloor } from '../../../bench/orders/servers.ts';
import { readIds } from '../../../bench/reference/order-floor.ts';
import { ask, input, requests, server, withHeader, withOrder } from './order-set-up.ts';

const floor = await startFloor(input);
t.teardown(async () => {
  await floor.kill();
  floor.remove();
});

/** The ids of what it has taken, in the order of its answers. */
const answered: unknown[] = [];

t.test('an order and its cancel are answered with the keys of the exchange', async (t) => {
  const order = requests.makeOne(20);
  const ours = await ask(order);
  const placed = await ask(order, floor.url);
  t.strictSame(placed, ours);
  const id = String(placed.body.orderID);
  const { owner } = JSON.parse(order.body) as { owner: string }; // ours
  const [cancel] = requests.makeCancels([{ id, owner }]);
  const canceled = await ask(cancel!, floor.url);
  t.strictSame(canceled, await ask(cancel!));
  answered.push(id, id);
});

t.test('a request that its sender did not sign is refused', async (t) => {
  const order = requests.makeOne(20);
  const [cancel] = requests.makeCancels([{ id: `0x${'1'.repeat(64)}`, owner: ownerOf(order) }]);
  const other = server.devAccounts.find(({ apiKey }) => apiKey !== ownerOf(order))!;
  const stale = String(Math.floor(Date.now() / 1_000) - 301);
  const refused = [
    ['another salt', withOrder(order, { salt: '5' }), 400],
    ['a signature of nobody', withOrder(order, { signature: `0x${'1'.repeat(130)}` }), 400],
    ['no number', withOrder(order, { makerAmount: 'many' }), 400],
    ['another body', { ...order, body: `${order.body} ` }, 401],
    ['another body of a cancel', { ...cancel!, body: `${cancel!.body} ` }, 401],
    ['a key that is nobodys', withHeader(order, 'POLY_API_KEY', 'nobody'), 401],
    ['a wrong passphrase', withHeader(order, 'POLY_PASSPHRASE', other.passphrase), 401],
    ['a wrong address', withHeader(order, 'POLY_ADDRESS', other.address), 401],
    ['a stale timestamp', withHeader(order, 'POLY_TIMESTAMP', stale), 401],
    ['no signature', withHeader(order, 'POLY_SIGNATURE', ''), 401],
  ] as const;
  for (const [name, request, status] of refused) {
    t.equal((await ask(request, floor.url)).status, status, name);
  }
});

t.test('each answered order is in its database after a crash', async (t) => {
  const first = requests.make(20).map((order) => ask(order, floor.url));
  for (const { status, body } of await Promise.all(first)) {
    t.equal(status, 200);
    answered.push(body.orderID);
  }
  const others = requests.make(100).map((order) =>
    ask(order, floor.url).then(
      ({ body }) => {
        answered.push(body.orderID);
      },
      () => {}, // its connection ended with the floor
    ),
  );
  await Promise.race(others);
  await floor.kill();
  await Promise.all(others);
  const rows = new Map<unknown, number>();
  for (const id of readIds(floor.path)) rows.set(id, (rows.get(id) ?? 0) + 1);
  for (const id of new Set(answered)) {
    t.equal(rows.get(id), answered.filter((one) => one === id).length, String(id));
  }
  t.ok(answered.length > 22, 'some of the others were answered');
});

function ownerOf({ body }: ReturnType<typeof requests.makeOne>): string {
  return (JSON.parse(body) as { owner: string }).owner;
} // ours
