import t, { type Test } from 'tap';
import { lots, micros, type PlaceOrder, ticks } from '../../../engine/index.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { OrderIntake } from '../../../http/orders/intake.ts';
import { isLong } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { shareTestExchange, startTestExchange } from '../exchange-fixture.ts';
import { startVerifiers } from '../own-verifiers.ts';
import { withSubmit } from './with-submit.ts';

const EVERY = { conditionId: '', tokenId: '', step: { most: 1_000 } } as const;
const share = await shareTestExchange(t);
const shareLedger = await shareTestExchange(t, { funding: 'ledger' });

t.test('the same order again is answered with its state and never matched twice', async (t) => {
  const { trader, plain, stateHash } = share();
  const alice = await trader(1);
  const bob = await trader(2);
  const [tokenId, other] = plain.tokenIds;
  const payload = alice.order({ tokenId, priceTicks: 6000 });
  const again = () => alice.signed('POST', '/order', payload);

  const first = await again();
  t.match(first.body, { success: true, status: 'live' });
  t.notOk('duplicate' in first.body);
  let before = stateHash();
  t.strictSame((await again()).body, { ...first.body, duplicate: true });
  t.equal(stateHash(), before);

  const partly = await bob.place({ tokenId: other, priceTicks: 4000, lots: 600 });
  before = stateHash();
  t.match((await again()).body, {
    status: 'live',
    duplicate: true,
    takingAmount: '6',
    makingAmount: '3.6',
    tradeIDs: partly.body.tradeIDs,
    // Only trades in which the order was the taker: none.
    transactionsHashes: [],
  });
  await alice.cancel(first.body.orderID);
  t.match((await again()).body, { status: 'canceled', duplicate: true, takingAmount: '6' });
  t.not(stateHash(), before, 'the cancel did something, the retries nothing');
});

t.test('retries that race are one order', async (t) => {
  const { trader, plain } = share();
  const alice = await trader(1);
  const payload = alice.order({ tokenId: plain.tokenIds[0] });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => alice.signed('POST', '/order', payload)),
  );
  for (const { status, body } of answers) {
    t.equal(status, 200);
    t.match(body, { success: true, status: 'live', orderID: alice.idOf(payload) });
  }
  t.equal(answers.filter(({ body }) => body.duplicate === true).length, 9);
  const { body } = await alice.signed('POST', '/orders', [payload, payload]);
  t.match(body, [{ duplicate: true }, { duplicate: true }]);
});

t.test('the same signature with other unsigned terms is refused, and says which', async (t) => {
  const { trader, plain, clock, running } = share();
  const alice = await trader(1, 'POLY');
  const kuest = await trader(2, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const seconds = Math.floor(clock.ms / 1000);
  const wishes = { tokenId, orderType: 'GTD', changes: { expiration: String(seconds + 600) } };
  const payload = alice.order(wishes);
  await alice.signed('POST', '/order', payload);
  const other = { ...payload, order: { ...payload.order, expiration: String(seconds + 900) } };
  const rows: [changed: object, field: string, limit: string, actual: string][] = [
    [{ ...payload, orderType: 'FAK' }, 'orderType', 'GTD', 'FAK'],
    [{ ...payload, postOnly: true }, 'postOnly', 'false', 'true'],
    [other, 'order.expiration', String(seconds + 600), String(seconds + 900)],
  ];
  // At first the engine knows the order, then the journal's index.
  for (const [changed, field, limit, actual] of rows) {
    const answer = await alice.signed('POST', '/order', changed);
    t.equal(answer.status, 400);
    t.match(answer.body, { code: 'order_id_reused', field, limit, actual, success: false });
    t.match(answer.body.error, /^order 0x[0-9a-f]{64} is invalid\. Duplicated\.$/);
  }
  const theirs = kuest.order({ tokenId });
  await kuest.signed('POST', '/order', theirs);
  const refused = await kuest.signed('POST', '/order', { ...theirs, postOnly: true });
  t.match(
    refused.body.error,
    /^order is invalid\. Duplicated\. Same order has already been placed/,
  );
  t.ok(running.services.exchange.durableSeq > 0);
});

t.test('a retry is recognised after a restart', async (t) => {
  const settings = { temporary: false, dataDir: temporaryFolder(t) };
  const first = await startTestExchange(t, settings);
  const alice = await first.trader(1);
  const payload = alice.order({ tokenId: first.plain.tokenIds[0] });
  const placed = await alice.signed('POST', '/order', payload);
  t.match(placed.body, { success: true, status: 'live' });
  await first.running.close();

  const second = await startTestExchange(t, settings);
  const before = second.stateHash();
  const body = JSON.stringify(payload);
  const headers = alice.keyHeaders('POST', '/order', body);
  const again = await second.send('POST', '/order', { body, headers });
  t.strictSame(again.body, { ...placed.body, duplicate: true });
  const changed = JSON.stringify({ ...payload, postOnly: true });
  const refused = await second.send('POST', '/order', {
    body: changed,
    headers: alice.keyHeaders('POST', '/order', changed),
  });
  t.match(refused.body, { code: 'order_id_reused', field: 'postOnly' });
  t.equal(second.stateHash(), before);
});

t.test('a refused order is not remembered: after a deposit it is accepted', async (t) => {
  const { trader, plain, operator } = shareLedger();
  const alice = await trader(1);
  const payload = alice.order({ tokenId: plain.tokenIds[0] });
  const refused = await alice.signed('POST', '/order', payload);
  t.match(refused.body, { code: 'not_enough_cash', required: '5', available: '0' });
  const deposit = { account: alice.address, amount: '5', key: 'first' };
  t.equal((await operator('POST', '/deposits', deposit)).status, 200);
  const placed = await alice.signed('POST', '/order', payload);
  t.match(placed.body, { success: true, status: 'live' });
  t.notOk('duplicate' in placed.body);
});

t.test('an id that the engine may have forgotten is looked up again', async (t) => {
  const { running, trader, plain } = share();
  const { exchange, registry, settings } = running.services;
  const alice = await trader(1);
  const verifiers = await startVerifiers(t, { exchange, settings });
  // The engine answers so if more orders were closed since the look-up than it remembers. Here the
  // look-up pretends to be older than anything.
  const intakeThatIsStale = (times: number): OrderIntake => {
    let left = times;
    const stale = withSubmit(exchange, (command, evidence) => {
      if (command.kind !== 'place_order' || left === 0) return exchange.submit(command, evidence);
      left -= 1;
      return exchange.submit({ ...command, idCheckedSeq: -1 }, evidence);
    });
    return new OrderIntake({ exchange: stale, registry, settings, verifiers });
  };
  const place = (times: number) =>
    intakeThatIsStale(times).place(alice.caller, [alice.order({ tokenId: plain.tokenIds[0] })]);

  t.match(await place(2), [{ success: true, status: 'live' }]);
  const [refused] = await place(3);
  t.ok(refused instanceof ApiError && refused.code === 'order_id_unchecked');
});

/** Accounts that fill the ring of closed orders, each with as many orders as it may have. */
const CROWD = Array.from({ length: 7 }, (_, at) => `0x${`${at + 1}`.repeat(40)}`);

function crowdOrder(account: string, tokenId: string, number: number): PlaceOrder {
  return {
    kind: 'place_order',
    orderId: `${account}${number.toString(16).padStart(24, '0')}`,
    account,
    owner: account,
    tokenId,
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(100),
    lots: lots(500),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 0,
    earlyEndMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    opens: { wallet: 'eoa', paperMicros: micros(1_000_000_000) },
    apiKey: '',
  };
}

// The engine forgets an order when 65,536 others have closed: too many for the short set.
async function retryOfForgotten(t: Test): Promise<void> {
  const { running, trader, plain, stateHash } = share();
  const { exchange } = running.services;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const numbers = Array.from({ length: 9_500 }, (_, number) => number);
  for (const account of CROWD) {
    await Promise.all(numbers.map((at) => exchange.submit(crowdOrder(account, tokenId, at))));
  }
  // Placed after all of theirs and closed before: the newest order that they make forgotten.
  const payload = alice.order({ tokenId });
  const placed = await alice.signed('POST', '/order', payload);
  t.match(placed.body, { success: true, status: 'live' });
  await alice.cancel(placed.body.orderID);
  const seq = exchange.durableSeq;
  t.equal(exchange.state.forgottenSeq, 0);
  const cancelAll = (owner: string) => exchange.submit({ kind: 'cancel_all', owner, ...EVERY });
  await Promise.all(CROWD.map(cancelAll));
  t.equal(exchange.state.forgottenSeq, seq - 1, 'the seq that placed it');
  const before = stateHash();
  const again = await alice.signed('POST', '/order', payload);
  t.match(again.body, { orderID: placed.body.orderID, status: 'canceled', duplicate: true });
  t.equal(stateHash(), before);
  const other = await alice.place({ tokenId });
  t.match(other.body, { success: true, status: 'live' }, 'a new order is accepted');
  // The projection's engine has forgotten them too, in the step in which they closed.
  const forgotten = numbers.slice(0, 500).map((at) => crowdOrder(CROWD[0]!, tokenId, at).orderId);
  const records = await exchange.reader.orders(forgotten);
  t.ok(records.every((record) => record?.status === 'canceled'));
}

if (isLong) {
  t.test(
    'a retry is recognised although the engine forgot its order a moment ago',
    retryOfForgotten,
  );
}
