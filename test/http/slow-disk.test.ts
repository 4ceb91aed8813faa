import t from 'tap';
import { slowDisk } from '../persistence/journal/test-disk.ts';
import { shareTestExchange } from './exchange-fixture.ts';

const share = await shareTestExchange(t, { journalDisk: slowDisk(150) });

t.test('nothing is answered or shown before it is durable', async (t) => {
  const { running, trader, plain, send, stateHash } = share();
  const { exchange, registry } = running.services;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const isAhead = (): boolean => exchange.appliedSeq > exchange.durableSeq;
  const levels = async (): Promise<number> => {
    const { body } = await send('GET', `/book?token_id=${tokenId}`);
    return body.bids.length;
  };

  const before = stateHash();
  let isAnswered = false;
  const payload = alice.order({ tokenId });
  const placed = alice.signed('POST', '/order', payload).then((answer) => {
    isAnswered = true;
    return answer;
  });
  const retried = alice.signed('POST', '/order', payload);
  const poor = alice.place({ tokenId, lots: 2_000_100 });
  while (!isAhead()) await new Promise((resolve) => setImmediate(resolve));
  t.not(stateHash(), before, 'the engine runs ahead of the disk');
  let looks = 0;
  while (isAhead()) {
    const seen = await levels();
    // Only what was seen while the engine was still ahead is checked.
    if (!isAhead()) break;
    looks += 1;
    t.equal(seen, 0, 'the book does not show it');
    t.equal(isAnswered, false, 'its sender has no answer');
  }
  t.ok(looks > 0, 'there was time to look');
  t.match((await placed).body, { success: true, status: 'live' });
  t.match((await retried).body, { duplicate: true, status: 'live' });
  t.match((await poor).body, { code: 'not_enough_cash', available: '9995', held: '5' });
  t.equal(await levels(), 1);

  const other = '9';
  const login = alice.login(other);
  while (!isAhead()) await new Promise((resolve) => setImmediate(resolve));
  t.equal(registry.issuedKey(alice.address, other), undefined, 'a key is not known too early');
  t.equal((await login).status, 200);
  t.equal(registry.issuedKey(alice.address, other)?.apiKey, alice.credentials.apiKey);
});

t.test('a read of own orders shows own writes, once they are durable', async (t) => {
  const { running, trader, plain } = share();
  const { exchange } = running.services;
  const alice = await trader(1);
  const placed = alice.place({ tokenId: plain.tokenIds[0] });
  while (exchange.appliedSeq === exchange.durableSeq) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const wanted = exchange.appliedSeq;
  const { body } = await alice.signed('GET', '/data/orders');
  t.ok(exchange.durableSeq >= wanted, 'the read waited for the disk');
  t.strictSame(
    body.data.map(({ id }) => id),
    [(await placed).body.orderID],
  );
});

t.test('the audit shows a state once it is durable', async (t) => {
  const { running, trader, plain, operator, stateHash } = share();
  const { exchange } = running.services;
  const alice = await trader(1);
  const placed = alice.place({ tokenId: plain.tokenIds[0] });
  while (exchange.appliedSeq === exchange.durableSeq) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const wanted = { ok: true, seq: exchange.appliedSeq, stateHash: stateHash() };
  const { body } = await operator('GET', '/audit');
  t.match(body, wanted);
  t.ok(exchange.durableSeq >= wanted.seq);
  t.match((await placed).body, { success: true });
});
