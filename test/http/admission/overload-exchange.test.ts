// Overload of an exchange on a slow disk: what is refused, what is served, what is stored.
import t from 'tap';
import { HTTP_BOUNDS, OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { slowDisk } from '../../persistence/journal/test-disk.ts';
import { type Answer, shareTestExchange } from '../exchange-fixture.ts';

/** The bound of waiting orders: low, since it takes long to reach the real one. */
const FEW = 15;

const overload = { ...OVERLOAD_BOUNDS, waitingOrders: FEW };
/** Its orders wait so long that all requests of a test arrive meanwhile. */
const slow = await shareTestExchange(t, { journalDisk: slowDisk(800), overload });
const share = await shareTestExchange(t, { journalDisk: slowDisk(100), overload });

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

t.test('while too many orders wait, orders are refused, cancels and reads are not', async (t) => {
  const { running, trader, plain, send, operator } = slow();
  const { metrics } = running.services;
  const [alice, bob] = await Promise.all([trader(1), trader(2)]);
  const [tokenId] = plain.tokenIds;
  const batch = alice.signed(
    'POST',
    '/orders',
    Array.from({ length: FEW }, () => alice.order({ tokenId, lots: 500 })),
  );
  while (running.services.exchange.appliedSeq === running.services.exchange.durableSeq) {
    await settled();
  }
  const refused = await bob.place({ tokenId });
  t.equal(refused.status, 503);
  t.equal(refused.headers.get('retry-after'), '1');
  t.match(refused.body, {
    error: 'the service is overloaded',
    code: 'overloaded',
    field: 'waitingOrders',
    limit: FEW,
    actual: FEW,
    retryAfterSeconds: 1,
    success: false,
  });
  t.equal(refused.headers.get('x-ratelimit-remaining'), null, 'a refusal is not counted');
  const paths = ['/orders', '/debug/order', '/sets/split', '/auth/builder-api-key'];
  const answers = await Promise.all([
    ...paths.map((path) => bob.signed('POST', path, [])),
    // Before the body is parsed.
    bob.send('POST', '/order', { body: 'no JSON, no key' }),
  ]);
  for (const answer of answers) {
    t.match(answer, { status: 503, body: { code: 'overloaded' } }, answer.text);
  }
  t.match(await send('GET', `/book?token_id=${tokenId}`), { status: 200 });
  const beat = bob.signed('POST', '/v1/heartbeats', { heartbeat_id: '' });
  const cancel = bob.cancel(`0x${'0'.repeat(64)}`);
  t.match((await cancel).status, 200, 'a cancel is accepted');
  t.not((await beat).status, 503, 'so is a heartbeat');
  t.match(await operator('GET', '/readyz'), { status: 200 });
  t.match(await batch, { status: 200 });
  t.match(await bob.place({ tokenId }), { status: 200 }, 'accepted once the batch is answered');
  t.ok(
    [...metrics.requests.overloads.all()].some(
      ([what, , n]) => what === 'waitingOrders' && n === 6,
    ),
  );
});

t.test(
  'many writers on a slow disk: no hard bound is reached, all accepted orders are kept',
  async (t) => {
    const { running, trader, plain } = share();
    const { exchange, metrics } = running.services;
    const traders = await Promise.all([1, 2, 3, 4].map((number) => trader(number)));
    const before = exchange.state.totals().liveOrders;
    const [tokenId] = plain.tokenIds;
    const accepted: string[] = [];
    let refused = 0;
    let mostWaiting = 0;
    const tell = ({ status, body }: Answer): void => {
      mostWaiting = Math.max(mostWaiting, exchange.health().waitingCount);
      if (status === 200) accepted.push(body.orderID);
      else {
        t.match(
          { status, body },
          { status: 503, body: { code: 'overloaded', field: 'waitingOrders' } },
        );
        refused += 1;
      }
    };
    for (let round = 0; round < 5; round += 1) {
      const sent = traders.flatMap((one) =>
        Array.from({ length: FEW }, () => one.place({ tokenId, lots: 500 }).then(tell)),
      );
      await Promise.all(sent);
    }
    t.ok(refused > 0, 'some orders were refused');
    t.ok(accepted.length > 0);
    t.ok(mostWaiting <= 2 * FEW && mostWaiting < HTTP_BOUNDS.pendingVerifications);
    const full = [...metrics.requests.overloads.all()].map(([what]) => what);
    t.strictSame(full, ['waitingOrders'], 'no other bound was reached');
    t.equal(new Set(accepted).size, accepted.length);
    for (const orderId of accepted) {
      t.equal((await exchange.reader.order(orderId))?.orderId, orderId, 'it is stored');
    }
    t.equal(
      exchange.state.totals().liveOrders,
      before + accepted.length,
      'no refused order was placed',
    );
    // An invalid order frees its place in the queue too.
    for (let wrong = 0; wrong < FEW; wrong += 1) {
      const answer = await traders[0]?.place({ tokenId: '9' });
      if (answer?.body.code !== 'token_unknown') t.fail(answer?.text ?? '');
    }
    const late = await Promise.all(traders.map((one) => one.place({ tokenId })));
    for (const answer of late) t.match(answer, { status: 200 }, 'orders are accepted again');
  },
);
