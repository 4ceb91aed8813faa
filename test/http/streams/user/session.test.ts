// Sockets of the user channel subscribe, filter, leave and resume. The test makes the commits.
import t from 'tap';
import { lots, ticks } from '../../../../engine/index.ts';
import { Random } from '../../../../http/codec/random.ts';
import { STORE_BOUNDS } from '../../../../persistence/shared/index.ts';
import { times } from '../../../long-set.ts';
import { CONDITION, NO_TOKEN, YES_TOKEN } from '../../durable-commands.ts';
import type { Message } from '../stream-client.ts';
import { kindsOf } from '../stream-fixture.ts';
import { ReferenceAccount } from './reference-account.ts';
import { OTHER_CONDITION, OTHER_TOKENS, STREAM_ID, startUserBench } from './user-bench.ts';

const NO_DUMP = { initial_dump: false };
const ALICE = { apikey: 'alice', secret: 'alice', passphrase: 'alice' };
const ASKED = { auth: ALICE, custom_feature_enabled: true };
const [OTHER_YES] = OTHER_TOKENS;
const LOTS_OF_SHARE = 100;

/** Kind and sequence of each; of what was skipped, the first too. */
function shortOf(messages: readonly Message[]): string[] {
  return messages.map(({ event_type, type, sequence, first_sequence }) => {
    const kind = event_type === 'order' ? type : event_type;
    return `${kind} ${first_sequence === undefined ? '' : `${first_sequence}-`}${sequence}`;
  });
}

t.test('nothing is published before it is durable', async (t) => {
  const bench = await startUserBench(t);
  const client = await bench.subscribed('alice', NO_DUMP);
  bench.apply(bench.order('alice'));
  await client.settled();
  t.strictSame(client.messages, []);
  await bench.commit();
  await client.settled();
  t.strictSame(shortOf(client.messages), ['PLACEMENT 1', 'balance 2']);
});

t.test('balances are those after the batch, also when the engine is ahead of it', async (t) => {
  const bench = await startUserBench(t);
  const client = await bench.subscribed('alice', NO_DUMP);
  bench.apply(bench.order('alice'));
  const committing = bench.commit();
  await committing;
  bench.apply(bench.deposit('alice', '1'));
  await new Promise((resolve) => setImmediate(resolve));
  bench.apply(bench.deposit('alice', '2'), bench.deposit('alice', '3'));
  await bench.commit();
  await client.settled();
  const available = (): unknown[] =>
    client.messages
      .splice(0)
      .filter(({ event_type }) => event_type === 'balance')
      .map((message) => message.available);
  t.strictSame(available(), ['999998000000', '999999000000']);
  await bench.commit();
  await client.settled();
  t.strictSame(available(), ['1000001000000'], 'two deposits of one batch are one balance');
});

t.test('a client that subscribes before a batch is durable gets it afterwards', async (t) => {
  const bench = await startUserBench(t);
  const [first, second, third] = [1, 2, 3].map(() => bench.order('alice'));
  if (first === undefined || second === undefined || third === undefined) throw new Error();
  bench.apply(first);
  const client = await bench.subscribed('alice');
  t.strictSame(client.messages, [], 'not yet');
  bench.apply(second);
  await bench.commit();
  await client.settled();
  const ids = (message: Message | undefined): unknown[] =>
    [message?.orders].flat().map((order) => (order as Message).id);
  const [snapshot, ...rest] = client.messages.splice(0);
  t.strictSame(ids(snapshot), [first.orderId]);
  t.match(snapshot, { balances: [{ held: '2000000' }], sequence: 2 }, 'an order and a balance');
  t.strictSame(rest, []);
  await bench.do(third);
  await client.settled();
  t.strictSame(
    client.messages.filter(({ event_type }) => event_type === 'order').map(({ id }) => id),
    [second.orderId, third.orderId],
  );
  t.strictSame(shortOf(client.messages).length, 4);
});

t.test('a client that subscribes before two batches are durable waits for both', async (t) => {
  const bench = await startUserBench(t);
  bench.apply(bench.order('alice'));
  await new Promise((resolve) => setImmediate(resolve));
  bench.apply(bench.order('alice'));
  const client = await bench.subscribed('alice');
  await bench.commit();
  await client.settled();
  t.strictSame(client.messages, [], 'the first alone sends nothing');
  await bench.commit();
  await client.settled();
  t.strictSame(shortOf(client.messages), ['snapshot 4']);
  t.equal([client.messages[0]?.orders].flat().length, 2);
});

t.test('a filter leaves messages out and reports them as skipped', async (t) => {
  const bench = await startUserBench(t);
  const all = await bench.subscribed('alice', NO_DUMP);
  const some = await bench.subscribed('alice', { ...NO_DUMP, markets: [OTHER_CONDITION] });
  const token = await bench.subscribed('alice', { ...NO_DUMP, assets_ids: [OTHER_TOKENS[1]] });
  await bench.do(bench.order('alice'));
  await bench.do(bench.order('alice', { tokenId: OTHER_YES }));
  await Promise.all([all.settled(), some.settled(), token.settled()]);
  t.strictSame(shortOf(all.messages), ['PLACEMENT 1', 'balance 2', 'PLACEMENT 3', 'balance 4']);
  t.strictSame(shortOf(some.messages), ['skipped 1-1', 'balance 2', 'PLACEMENT 3', 'balance 4']);
  t.strictSame(shortOf(token.messages), ['skipped 1-1', 'balance 2', 'skipped 3-3', 'balance 4']);
});

interface FilterCase {
  readonly name: string;
  readonly messages: readonly object[];
  /** Whether orders of the first and of the other market are sent after that. */
  readonly told: readonly [boolean, boolean];
}

const FILTERS: readonly FilterCase[] = [
  { name: 'nothing more', messages: [], told: [true, true] },
  {
    name: 'all but one',
    messages: [{ operation: 'unsubscribe', markets: [CONDITION] }],
    told: [false, true],
  },
  {
    name: 'all again',
    messages: [
      { operation: 'unsubscribe', markets: [CONDITION] },
      { operation: 'subscribe', markets: [CONDITION] },
    ],
    told: [true, true],
  },
  { name: 'none', messages: [{ operation: 'unsubscribe' }], told: [false, false] },
  {
    name: 'none, then one token',
    messages: [{ operation: 'unsubscribe' }, { operation: 'subscribe', assets_ids: [OTHER_YES] }],
    told: [false, true],
  },
  {
    name: 'an unknown one',
    messages: [{ operation: 'unsubscribe' }, { operation: 'subscribe', markets: ['0x12'] }],
    told: [false, false],
  },
];

for (const { name, messages, told } of FILTERS) {
  t.test(`a filter may change: ${name}`, async (t) => {
    const bench = await startUserBench(t);
    const client = await bench.subscribed('alice', NO_DUMP);
    for (const message of messages) client.send({ ...NO_DUMP, ...message });
    await client.settled();
    const named = client.messages.splice(0).filter(({ code }) => code === undefined);
    t.strictSame(named, []);
    const [first, other] = [bench.order('alice'), bench.order('alice', { tokenId: OTHER_YES })];
    await bench.do(first, other);
    await client.settled();
    const ids = client.messages.map(({ id }) => id);
    t.strictSame([ids.includes(first.orderId), ids.includes(other.orderId)], told);
    t.equal(client.messages.at(-1)?.sequence, 3, 'all of it is accounted for');
    let last = 0;
    for (const { sequence = 0, first_sequence: start = sequence } of client.messages) {
      t.equal(start, last + 1);
      last = sequence;
    }
  });
}

t.test('skipped steps are reported before a filter is widened', async (t) => {
  const bench = await startUserBench(t);
  const client = await bench.subscribed('alice', { ...NO_DUMP, assets_ids: [OTHER_YES] });
  const sell = { side: 'SELL', tokenId: YES_TOKEN } as const;
  await bench.do(bench.order('alice'));
  const every = { conditionId: '', tokenId: '', step: { most: 1 } };
  await bench.do({ kind: 'cancel_all', owner: bench.order('alice').owner, ...every });
  await client.settled();
  t.strictSame(shortOf(client.messages.splice(0)), [
    'skipped 1-1',
    'balance 2',
    'skipped 3-3',
    'balance 4',
  ]);
  const split = { account: bench.order('alice').owner, conditionId: CONDITION } as const;
  const sets = { ...split, owner: split.account, lots: bench.order('alice').lots, key: 's' };
  await bench.do({ kind: 'split', ...sets }, bench.order('alice', sell));
  client.send({ operation: 'subscribe', ...NO_DUMP });
  await client.settled();
  await bench.do(bench.deposit('alice', '1'));
  await client.settled();
  t.strictSame(shortOf(client.messages), ['skipped 5-5', 'balance 6', 'skipped 7-8', 'balance 9']);
});

/** Messages of balances after some 600 orders: one a batch. An order has two events. */
const BALANCES = Math.ceil((2 * 600) / STORE_BOUNDS.batchEvents);

t.test('a snapshot comes in parts, and later steps follow the last part', async (t) => {
  const bench = await startUserBench(t, { snapshotRows: 2, bytesPerTurn: 1 });
  // Each part has its own turn: enough of them for a commit to come between.
  const orders = Array.from({ length: 601 }, () => bench.order('alice'));
  await bench.do(...orders);
  const client = await bench.connect();
  client.send(ASKED);
  await client.until(() => client.messages.length > 0);
  await bench.do(bench.order('alice'));
  t.ok(client.messages.length < 301, 'it is still on its way');
  await client.until(() => kindsOf(client.messages).includes('balance'));
  const snapshots = client.messages.slice(0, 301);
  const rows = (field: string): number =>
    snapshots.reduce((sum, message) => sum + [message[field]].flat().length, 0);
  t.strictSame(shortOf(snapshots), Array(301).fill(`snapshot ${601 + BALANCES}`));
  t.strictSame(
    snapshots.map(({ part, parts }) => [part, parts]),
    snapshots.map((_, index) => [index + 1, 301]),
  );
  t.strictSame([rows('orders'), rows('balances')], [601, 1]);
  t.strictSame(shortOf(client.messages.slice(301)), ['PLACEMENT 605', 'balance 606']);
});

t.test('an owner with many orders is read, noted and answered in turns of their own', async (t) => {
  for (const largeOwner of [1, 100]) {
    const bench = await startUserBench(t, { largeOwner });
    await bench.do(bench.order('alice'), bench.order('alice'));
    const client = await bench.connect();
    client.send(ASKED);
    // Some of them are durable before it is read, some while it is noted, some when it listens.
    for (let order = 0; order < 40; order += 1) await bench.do(bench.order('alice'));
    await client.settled();
    await bench.do(bench.order('alice'));
    await client.settled();
    const [snapshot, ...later] = client.messages;
    t.match(snapshot, { event_type: 'snapshot', part: 1, parts: 1 });
    const first = Number(snapshot?.sequence);
    t.strictSame(
      later.map(({ sequence }) => sequence),
      Array.from({ length: 2 + 1 + 2 * 41 - first }, (_, index) => first + 1 + index),
      'each step is in the snapshot, or follows it',
    );
  }
});

t.test('orders that change while the first state is read are in the snapshot once', async (t) => {
  for (let seed = 1; seed <= times(8, 80); seed += 1) {
    const random = new Random(seed);
    const bench = await startUserBench(t, { largeOwner: 1 });
    await bench.do(...Array.from({ length: 40 }, () => bench.order('alice')));
    // The second one comes while the orders are being read.
    const clients = [await bench.connect(), await bench.connect()];
    const seen = { before: 0, after: 0 };
    const crossing = { tokenId: NO_TOKEN, priceTicks: ticks(6_000) };
    for (let change = 0; change < 120; change += 1) {
      const client = clients[change / 20];
      client?.send(ASKED);
      const { orderId } = random.pick(bench.liveOrders('alice'));
      await random.pick([
        () => bench.do(bench.cancel('alice', orderId)),
        () => bench.do(bench.order('bob', { ...crossing, lots: lots(random.between(1, 900)) })),
        () => bench.do(bench.order('alice')),
        () => bench.do(bench.order('alice')),
      ])();
      seen[clients[0]?.messages.length === 0 ? 'before' : 'after'] += 1;
    }
    t.ok(seen.before > 30 && seen.after > 0, JSON.stringify(seen));
    const live = bench.liveOrders('alice').map((order) => {
      return [order.orderId, (order.lots - order.remainingLots) / LOTS_OF_SHARE] as const;
    });
    for (const client of clients) {
      await client.settled();
      const account = new ReferenceAccount();
      for (const message of client.messages) account.take(message);
      const orders = [...account.orders].map(
        ([id, { size_matched }]) => [id, Number(size_matched)] as const,
      );
      t.strictSame(new Map(orders), new Map(live), `seed ${seed}`);
      t.equal(account.snapshots, 1);
    }
  }
});

t.test('a snapshot restarts when it takes longer than messages are kept', async (t) => {
  const bench = await startUserBench(t, {
    snapshotRows: 2,
    bytesPerTurn: 1,
    ringBytesPerOwner: 700,
  });
  await bench.do(...Array.from({ length: 601 }, () => bench.order('alice')));
  const client = await bench.connect();
  client.send(ASKED);
  await client.until(() => client.messages.length > 0);
  await bench.do(bench.order('alice'));
  t.ok(client.messages.length < 301, 'it is still on its way');
  await client.until(() => client.messages.length >= 301 + 1 + 302);
  await client.settled();
  t.strictSame(shortOf(client.messages.slice(301, 303)), ['snapshot_required 606', 'snapshot 606']);
  t.strictSame(shortOf(client.messages.slice(303)), Array(301).fill('snapshot 606'));
});

t.test('a resume replays missed messages through the filter', async (t) => {
  const bench = await startUserBench(t);
  const client = await bench.subscribed('alice', NO_DUMP);
  await bench.do(bench.order('alice'));
  await bench.do(bench.order('alice', { tokenId: OTHER_YES }));
  await client.settled();
  const resume = { operation: 'resume', stream_id: STREAM_ID, sequence: 1 };
  const back = await bench.subscribed('alice', resume);
  t.strictSame(shortOf(back.messages), ['resumed 1', 'balance 2', 'PLACEMENT 3', 'balance 4']);
  t.match(back.messages[0], { replayed: 3 });
  const some = await bench.subscribed('alice', { ...resume, markets: [CONDITION] });
  t.strictSame(shortOf(some.messages), ['resumed 1', 'balance 2', 'skipped 3-3', 'balance 4']);
});

const REASONS = [
  {
    name: 'another start of the exchange',
    left: { stream_id: 'x', sequence: 1 },
    reason: 'stream_changed',
  },
  { name: 'a dropped step', left: { stream_id: STREAM_ID, sequence: 0 }, reason: 'out_of_reach' },
  { name: 'a future step', left: { stream_id: STREAM_ID, sequence: 99 }, reason: 'out_of_reach' },
] as const;

for (const { name, left, reason } of REASONS) {
  t.test(`a resume from ${name} gets a snapshot with the reason`, async (t) => {
    const bench = await startUserBench(t, { ringBytesPerOwner: 700 });
    await bench.subscribed('alice', NO_DUMP);
    await bench.do(bench.order('alice'));
    await bench.do(bench.order('alice'));
    const back = await bench.subscribed('alice', { operation: 'resume', ...left });
    t.strictSame(shortOf(back.messages), ['snapshot_required 4', 'snapshot 4']);
    t.match(back.messages[0], { reason });
  });
}

t.test(
  'steps during a long time without clients are counted, and no resume reaches them',
  async (t) => {
    const bench = await startUserBench(t, { ringKeepMs: 1_000 });
    const client = await bench.subscribed('alice', NO_DUMP);
    await bench.do(bench.order('alice'));
    await client.settled();
    client.close();
    await client.closed;
    t.ok(bench.streams.totals.ringBytes > 0);
    bench.pass(0);
    bench.pass(1_000);
    t.equal(bench.streams.totals.ringBytes, 0, 'nothing is kept');
    await bench.do(bench.order('alice'));
    const resume = { operation: 'resume', stream_id: STREAM_ID, sequence: 2 };
    const back = await bench.subscribed('alice', resume);
    t.strictSame(shortOf(back.messages), ['snapshot_required 4', 'snapshot 4']);
    t.equal([back.messages[1]?.orders].flat().length, 2);
  },
);

t.test('a quiet owner gets a heartbeat with its last sequence', async (t) => {
  const bench = await startUserBench(t, { heartbeatMs: 1_000 });
  const all = await bench.subscribed('alice', NO_DUMP);
  const some = await bench.subscribed('alice', { ...NO_DUMP, assets_ids: [OTHER_YES] });
  await bench.do(bench.order('alice', { type: 'GTC' }));
  await Promise.all([all.settled(), some.settled()]);
  all.messages.length = 0;
  some.messages.length = 0;
  bench.pass(999);
  bench.pass(1);
  bench.pass(999);
  await Promise.all([all.settled(), some.settled()]);
  t.strictSame(shortOf(all.messages), ['heartbeat 2']);
  t.strictSame(shortOf(some.messages), ['heartbeat 2']);
});

t.test('a socket that does not authenticate in time is closed', async (t) => {
  const bench = await startUserBench(t, { authMs: 1_000 });
  const stranger = await bench.connect();
  stranger.send('PING');
  const client = await bench.subscribed('alice', NO_DUMP);
  bench.pass(999);
  await stranger.settled();
  bench.pass(1);
  t.strictSame(await stranger.closed, { code: 1008, reason: 'no credentials came in time' });
  bench.pass(10_000);
  await client.settled();
});

t.test('a filter with too many tokens is refused as a whole', async (t) => {
  const bench = await startUserBench(t, { subscriptionsPerSocket: 2 });
  const client = await bench.subscribed('alice', { ...NO_DUMP, markets: [OTHER_CONDITION] });
  client.send({ operation: 'subscribe', ...NO_DUMP, markets: [CONDITION] });
  await client.settled();
  t.match(client.messages.splice(0), [{ code: 'too_many_subscriptions', limit: 2, actual: 4 }]);
  await bench.do(bench.order('alice'));
  await client.settled();
  t.strictSame(shortOf(client.messages), ['skipped 1-1', 'balance 2']);
});

t.test('a filter that keeps too many bytes is refused as a whole', async (t) => {
  const bench = await startUserBench(t, { subscriptionBytesPerAddress: 1_500 });
  const first = await bench.subscribed('alice', { assets_ids: OTHER_TOKENS });
  const second = await bench.subscribed('bob', { assets_ids: [YES_TOKEN] });
  const fault = { code: 'subscriptions_too_large', scope: 'address', limit: 1_500, actual: 1_920 };
  t.match(second.messages.splice(0), [fault]);
  first.send({ operation: 'unsubscribe', initial_dump: false });
  await first.settled();
  second.send({ assets_ids: [YES_TOKEN], initial_dump: false });
  await second.settled();
  t.strictSame(second.messages, []);
});

// A thousand sockets of one owner multiplied the work of each batch.
t.test('an owner has a bounded number of sockets', async (t) => {
  const bench = await startUserBench(t, { socketsPerOwner: 2 });
  const [first] = [await bench.subscribed('alice'), await bench.subscribed('alice')];
  const third = await bench.connect();
  third.send({ auth: { apikey: 'alice', secret: 'alice', passphrase: 'alice' } });
  t.strictSame(await third.closed, { code: 1013, reason: 'too many sockets' });
  await bench.subscribed('bob');
  first?.close();
  await first?.closed;
  await bench.subscribed('alice');
});

for (const message of [{}, { operation: 'resume', stream_id: STREAM_ID, sequence: 0 }]) {
  // A subscribe was free, although 9,558 orders took 33 ms.
  t.test(`state that is sent again counts for its rows: ${JSON.stringify(message)}`, async (t) => {
    const bounds = { messagesPerSecondPerAddress: 8, rowsPerMessage: 1 };
    const bench = await startUserBench(t, bounds);
    await bench.do(bench.order('alice'));
    const client = await bench.subscribed('alice', { initial_dump: false });
    await bench.do(...['1', '2', '3', '4', '5'].map((key) => bench.deposit('alice', key)));
    await bench.do(...Array.from({ length: 4 }, () => bench.order('alice')));
    bench.pass(1_000);
    client.send(message);
    await client.until(() => client.messages.some(({ event_type }) => event_type !== 'balance'));
    client.send('PING');
    t.match(await client.closed, { code: 4029 });
  });
}

t.test('a resume without a sequence gets an error', async (t) => {
  const bench = await startUserBench(t);
  const sequences = { [CONDITION]: 1 };
  const resume = { operation: 'resume', stream_id: STREAM_ID, sequences };
  const client = await bench.subscribed('alice', resume);
  t.match(client.messages, [{ code: 'field_malformed', field: 'sequence' }]);
});

t.test('a socket whose filter leaves everything out gets heartbeats', async (t) => {
  const bench = await startUserBench(t, { heartbeatMs: 1_000 });
  const { owner } = bench.order('alice');
  const sets = { account: owner, conditionId: CONDITION, lots: bench.order('alice').lots };
  await bench.do(bench.order('alice'), { kind: 'split', owner, ...sets, key: 's' });
  const client = await bench.subscribed('alice', { ...NO_DUMP, assets_ids: [OTHER_YES] });
  bench.pass(600);
  await bench.do(bench.order('alice', { side: 'SELL', priceTicks: ticks(6_000) }));
  bench.pass(400);
  bench.pass(999);
  await client.settled();
  const [skipped, heartbeat, ...more] = client.messages;
  t.match(skipped, { event_type: 'skipped', first_sequence: 5 });
  t.match(heartbeat, { event_type: 'heartbeat', sequence: skipped?.sequence });
  t.strictSame(more, []);
});

const INTERRUPTIONS = [
  { operation: 'unsubscribe', assets_ids: [OTHER_YES] },
  { operation: 'subscribe', initial_dump: false, assets_ids: [OTHER_YES] },
] as const;

for (const interruption of INTERRUPTIONS) {
  const { operation } = interruption;
  t.test(`${operation} during a snapshot starts the snapshot again`, async (t) => {
    const bench = await startUserBench(t, { snapshotRows: 1, bytesPerTurn: 1 });
    await bench.do(...Array.from({ length: 600 }, () => bench.order('alice')));
    const client = await bench.connect();
    client.send(ASKED);
    await client.until(() => client.messages.length > 0);
    await bench.do(bench.order('alice'));
    client.send(interruption);
    await client.until(() => client.messages.at(-1)?.part === 602);
    const firsts = client.messages.filter(({ part }) => part === 1);
    t.strictSame(shortOf(firsts), ['snapshot 603', 'snapshot 605']);
    t.ok(client.messages.length < 601 + 602, 'the first one was on its way');
  });

  t.test(`${operation} does not end a resume that waits for the disk`, async (t) => {
    const bench = await startUserBench(t);
    bench.apply(bench.order('alice'));
    const resume = { operation: 'resume', stream_id: STREAM_ID, sequence: 2 };
    const client = await bench.subscribed('alice', resume);
    client.send(interruption);
    await client.settled();
    t.strictSame(client.messages, []);
    await bench.commit();
    await client.settled();
    t.strictSame(shortOf(client.messages), ['resumed 2']);
  });
}
