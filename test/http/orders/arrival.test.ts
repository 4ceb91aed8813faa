import t from 'tap';
import { shareTestExchange, type Trader } from '../exchange-fixture.ts';

const share = await shareTestExchange(t);
/** Two verifier threads, so that orders could overtake each other. */
const shareThreads = await shareTestExchange(t, { verifierThreads: 2, now: Date.now });

t.test('a cancel never overtakes its order', async (t) => {
  const { running, trader, plain } = shareThreads();
  const { intake } = running.services;
  const alice = await trader(1);
  const caller = alice.caller;
  const [tokenId] = plain.tokenIds;
  for (let round = 0; round < 20; round++) {
    const payload = alice.order({ tokenId });
    const id = alice.idOf(payload);
    // Both at once: the order's signature is still to be checked when the cancel is ready.
    const placed = intake.place(caller, [payload]);
    const canceled = intake.cancel(caller, [id]);
    t.match(await placed, [{ success: true, orderID: id }]);
    t.strictSame(await canceled, { canceled: [id], delayed: [] });
  }
});

t.test('orders of one owner are accepted in order of arrival, on any thread', async (t) => {
  const { running, trader, plain } = shareThreads();
  const { intake, exchange } = running.services;
  const traders = [await trader(1), await trader(2), await trader(3)];
  const [tokenId] = plain.tokenIds;
  const payloads = Array.from({ length: 120 }, (_, index) => {
    const who = traders[index % traders.length]!;
    return { who, payload: who.order({ tokenId, lots: 500 }) };
  });
  await Promise.all(payloads.map(({ who, payload }) => intake.place(who.caller, [payload])));
  const seqs = new Map<Trader, number[]>();
  for (const { who, payload } of payloads) {
    const record = await exchange.reader.order(who.idOf(payload));
    seqs.set(who, [...(seqs.get(who) ?? []), record?.acceptedSeq ?? 0]);
  }
  for (const list of seqs.values()) {
    t.equal(list.length, 40);
    t.strictSame(
      list,
      [...list].sort((a, b) => a - b),
    );
  }
});

t.test('a batch stays contiguous and in array order among requests of others', async (t) => {
  const { running, trader, plain } = shareThreads();
  const { exchange } = running.services;
  const alice = await trader(1);
  const bob = await trader(2);
  const [tokenId] = plain.tokenIds;
  const orders = Array.from({ length: 15 }, () => alice.order({ tokenId, lots: 500 }));
  const others = Array.from({ length: 30 }, () => bob.place({ tokenId, lots: 500 }));
  const batch = await alice.signed('POST', '/orders', orders);
  t.equal(batch.body.length, 15);
  for (const answer of await Promise.all(others)) t.equal(answer.status, 200);
  const records = await Promise.all(
    orders.map((order) => exchange.reader.order(alice.idOf(order))),
  );
  const [first] = records;
  t.strictSame(
    records.map((record) => record?.acceptedSeq),
    records.map((_, index) => (first?.acceptedSeq ?? 0) + index),
  );
});

t.test('a cancel answers for its own live orders alone', async (t) => {
  const { trader, plain, clock } = share();
  const alice = await trader(1);
  const bob = await trader(2);
  const [tokenId, other] = plain.tokenIds;
  const reason = "order can't be found - already canceled or matched";
  const gone = (id: string): object => ({ canceled: [], not_canceled: { [id]: reason } });

  const { orderID: live } = (await alice.place({ tokenId })).body;
  t.strictSame((await bob.cancel(live)).body, gone(live), 'foreign');
  const shouted = `0x${live.slice(2).toUpperCase()}`;
  t.strictSame((await alice.cancel(shouted)).body, { canceled: [shouted], not_canceled: {} });
  t.strictSame((await alice.cancel(live)).body, gone(live), 'canceled before');
  t.strictSame((await alice.cancel('0x33')).body, gone('0x33'), 'unknown');

  const matched = (await alice.place({ tokenId, priceTicks: 6000 })).body.orderID;
  await bob.place({ tokenId: other, priceTicks: 4000 });
  t.strictSame((await alice.cancel(matched)).body, gone(matched), 'matched');
  const expiration = String(Math.floor(clock.ms / 1000) + 200);
  const timed = await alice.place({ tokenId, orderType: 'GTD', changes: { expiration } });
  clock.ms += 201_000;
  t.strictSame((await alice.cancel(timed.body.orderID)).body, gone(timed.body.orderID), 'expired');
  for (const key of ['orderId', 'orderID', 'order_id']) {
    const { orderID } = (await alice.place({ tokenId })).body;
    const answer = await alice.signed('DELETE', '/order', { [key]: orderID });
    t.strictSame(answer.body.canceled, [orderID], key);
  }
});
