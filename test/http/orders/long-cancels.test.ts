// Writes that were long or blocked for everybody. History: a cancel of 200,000 orders stopped all
// requests for 1.2 s or more; idempotency keys filled one bound for everybody.
import t from 'tap';
import {
  BOUNDS,
  type Command,
  lots,
  micros,
  type PlaceOrder,
  ticks,
} from '../../../engine/index.ts';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { StoreError } from '../../../persistence/index.ts';
import { shareTestExchange, type Trader } from '../exchange-fixture.ts';

const share = await shareTestExchange(t);
const STEP = HTTP_BOUNDS.ordersPerCancelStep;
let orderCount = 0;

/** A resting order as the engine gets it: to sign thousands would take seconds. */
function resting({ address }: Pick<Trader, 'address'>, tokenId: string): PlaceOrder {
  orderCount += 1;
  return {
    kind: 'place_order',
    orderId: `0x${String(orderCount).padStart(64, '0')}`,
    account: address,
    owner: address,
    tokenId,
    side: 'BUY',
    type: 'GTC',
    postOnly: true,
    priceTicks: ticks(100),
    lots: lots(500),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 1,
    earlyEndMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    apiKey: '',
  };
}

async function rest(who: Trader, tokenId: string, count: number): Promise<string[]> {
  const { exchange } = share().running.services;
  const orders = Array.from({ length: count }, () => resting(who, tokenId));
  await Promise.all(orders.map((order) => exchange.submit(order)));
  return orders.map(({ orderId }) => orderId);
}

t.test('a cancel of many orders is done in steps, and others are served meanwhile', async (t) => {
  const { running, trader, plain } = share();
  const { exchange, intake } = running.services;
  const [alice, bob] = [await trader(1), await trader(2)];
  const [tokenId] = plain.tokenIds;
  const ids = await rest(alice, tokenId, 2 * STEP + 100);
  const before = exchange.appliedSeq;
  const canceled = intake.cancelAll(alice.caller, { conditionId: '', tokenId: '' });
  const later = intake.place(alice.caller, [alice.order({ tokenId })]);
  await new Promise(setImmediate);
  const live = (): number => exchange.state.owner(alice.address).orders.length;
  t.equal(live(), STEP + 100, 'the first step cancelled the oldest orders');
  t.equal(exchange.state.owner(alice.address).orders[0]?.orderId, ids[STEP]);
  const other = await exchange.submit(resting(bob, tokenId));
  t.equal(other.seq, before + 2, 'another owner is served between two steps');
  t.strictSame(await canceled, { canceled: ids, delayed: [] }, 'the answer names all orders');
  const [placed] = await later;
  t.match(placed, { success: true });
  t.equal(live(), 1, 'what was sent later waited and stays');
  t.equal(exchange.appliedSeq, before + 5, 'three steps and two orders');
});

t.test('a crash between two steps leaves the newest orders live', async (t) => {
  const { running, trader, plain } = share();
  const { exchange, intake } = running.services;
  const carol = await trader(3);
  const ids = await rest(carol, plain.tokenIds[0], STEP + 5);
  const owner = carol.address;
  const step = { upToSeq: exchange.appliedSeq, most: STEP };
  await exchange.submit({ kind: 'cancel_all', owner, conditionId: '', tokenId: '', step });
  // The next start replays this command alone, and the client, who got no answer, repeats.
  const { canceled } = await intake.cancelAll(carol.caller, { conditionId: '', tokenId: '' });
  t.strictSame(canceled, ids.slice(STEP));
});

t.test('a refused step ends a cancel, and a repeat cancels the rest', async (t) => {
  const { running, trader, plain } = share();
  const { exchange, intake } = running.services;
  const submit = exchange.submit.bind(exchange);
  const frank = await trader(7);
  const ids = await rest(frank, plain.tokenIds[0], STEP + 5);
  let steps = 0;
  t.intercept(exchange, 'submit', {
    value: (command: Command, evidence: unknown) => {
      steps += command.kind === 'cancel_all' ? 1 : 0;
      const full = new StoreError('overloaded', 'too many commands wait');
      return steps === 2 ? Promise.reject(full) : submit(command, evidence);
    },
  });
  const everything = { conditionId: '', tokenId: '' };
  const refused = intake.cancelAll(frank.caller, everything);
  const repeated = intake.cancelAll(frank.caller, everything);
  await t.rejects(refused, { code: 'overloaded' });
  t.strictSame(await repeated, { canceled: ids.slice(STEP), delayed: [] });
});

t.test('a switch of an owner with many orders trips in steps', async (t) => {
  const { running, trader, plain } = share();
  const { exchange, intake } = running.services;
  const dave = await trader(4);
  const heartbeatId = '00000000-0000-4000-8000-00000000000d';
  await rest(dave, plain.tokenIds[0], STEP + 1);
  await intake.armSwitch(dave.caller, heartbeatId);
  const before = exchange.appliedSeq;
  t.equal(await intake.tripSwitch(dave.address, heartbeatId), STEP + 1);
  t.equal(exchange.appliedSeq, before + 2);
  t.strictSame([...exchange.state.armedSwitches()], [], 'it is disarmed by the last step');
});

t.test('a request with a forgotten idempotency key is answered as the first time', async (t) => {
  const { running, trader, plain, operator } = share();
  const { exchange } = running.services;
  const erin = await trader(5);
  const body = { market: plain.conditionId, amount: '1', key: 'first' };
  const first = await erin.signed('POST', '/sets/split', body);
  t.equal(first.status, 200);
  const deposit = { account: erin.address, amount: '1', key: 'first' };
  t.match(await operator('POST', '/deposits', deposit), {
    status: 200,
    body: { duplicate: false },
  });
  const count = 2 * BOUNDS.rememberedMoneyKeys + 2;
  const { address: account } = await trader(6);
  const found = { keyCheckedSeq: Number.MAX_SAFE_INTEGER };
  const keys = Array.from({ length: count }, (_, index): Command => {
    const moved = { account, owner: account, conditionId: plain.conditionId, lots: lots(1) };
    const kind = index % 2 === 0 ? 'split' : 'merge';
    return { kind, ...moved, key: `flood-${index}`, ...found };
  });
  await Promise.all(keys.map((command) => exchange.submit(command)));
  const again = await erin.signed('POST', '/sets/split', body);
  t.match(again, { status: 200, body: { ...first.body, duplicate: true } });
  t.match(await operator('POST', '/deposits', deposit), { status: 200, body: { duplicate: true } });
  const fresh = await erin.signed('POST', '/sets/split', { ...body, key: 'second' });
  t.match(fresh, { status: 200, body: { duplicate: false } }, 'nobody is blocked by the flood');
});
