import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { type Command, Engine, lots, ticks } from '../../engine/index.ts';
import {
  type Applied,
  type DurableCommand,
  type Exchange,
  openOrderIdIndex,
} from '../../persistence/index.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { recover } from '../../persistence/recovery/recovery.ts';
import { verifyFolder } from '../../persistence/tools/verify.ts';
import { times } from '../long-set.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { EventHandlers } from './event-handlers.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import { slowDisk } from './journal/test-disk.ts';
import {
  ALICE,
  BOB,
  CONDITION,
  counterOrder,
  createMarket,
  openBeside,
  openFollowed,
  openFor,
  order,
  orderIdOf,
  randomStream,
  replayFolder,
  submitAll,
  until,
  WORLD,
  YES,
} from './store-fixture.ts';

/** All commands of a journal, as a replay makes them. */
async function replayedFrom(dataDir: string): Promise<DurableCommand[]> {
  const journalPath = join(dataDir, 'journal.db');
  const journal = new JournalReader(journalPath);
  const { lastSeq } = journal;
  journal.close();
  const replayed: DurableCommand[] = [];
  await recover({
    journalPath,
    engine: new Engine(),
    lastSeq,
    onDurable: (commands) => {
      // A replayed command decodes its `command` only when that is read.
      for (const { seq, timeMs, command, events } of commands)
        replayed.push({ seq, timeMs, command, events });
    },
  });
  return replayed;
}

t.test('a restart brings back the state, the seq and every command with its events', async (t) => {
  const dataDir = temporaryFolder(t);
  const { steps, durable } = randomStream(5, times(1_500, 3_000));
  let nowMs = 0;
  const live: DurableCommand[] = [];
  // Without snapshots, so that the whole journal is replayed; with them, see snapshots.test.ts.
  const options = { now: () => nowMs, snapshotPace: 'never' as const };
  const first = await openFor(t, dataDir, {
    ...options,
    on: { durable: ({ commands }) => live.push(...commands) },
  });
  const answers = steps.map(({ timeMs, command }) => {
    nowMs = timeMs;
    return first.submit(command);
  });
  const applied = await Promise.all(answers);
  t.same(
    applied.map(({ events }) => events),
    steps.map(({ events }) => events),
  );
  t.same(live, durable);
  const hash = first.stateHash();
  await first.close();

  const second = await openFor(t, dataDir, options);
  t.equal(second.stateHash(), hash);
  t.same([second.appliedSeq, second.durableSeq], [durable.length, durable.length]);
  t.same(await replayedFrom(dataDir), durable);
  t.match(await second.audit(), { ok: true, fault: '', seq: durable.length, stateHash: hash });
});

/** The exchange of the next tests logs what it delivers, and what is on the disk at that time. */
const slowDir = temporaryFolder(t);
const log: string[] = [];
const journal = { count: () => 0 };
const on: EventHandlers = {
  durable: ({ commands }) => {
    for (const { seq } of commands) log.push(`delivered ${seq} with ${journal.count()} on disk`);
  },
};
const slow = await openFor(t, slowDir, { journalDisk: slowDisk(100), on });
const beside = openBeside(t, join(slowDir, 'journal.db'));
const count = beside.prepare<[], number>('SELECT count(*) FROM commands').pluck();
journal.count = () => count.get() ?? 0;
await submitAll(slow, WORLD);

/** Turns of the event loop until `commands` are on the disk. Nothing may be logged before that. */
async function untilOnDisk(commands: number): Promise<number> {
  let turns = 0;
  // The log is read before the disk: a commit in between must not look like an early answer.
  for (let seen = log.length; journal.count() < commands; seen = log.length) {
    if (seen > 0) t.fail(`logged before it was durable: ${log}`);
    turns += 1;
    await nextTurn();
  }
  return turns;
}

t.test(
  'on a slow disk, a balance shows the commands before it, and waits until they are durable',
  async (t) => {
    const cash = slow.balance(ALICE, '');
    t.same(await cash, { isOpen: true, available: 1_000_000_000, held: 0 }, 'all is durable');
    log.splice(0);
    slow.submit(order(1)).then(({ seq }) => log.push(`answered ${seq}`));
    const balances = [slow.balance(ALICE, ''), slow.balance(ALICE, YES)];
    for (const balance of balances) balance.then(({ held }) => log.push(`held ${held}`));
    await untilOnDisk(4);
    t.same(await Promise.all(balances), [
      { isOpen: true, available: 999_950_000, held: 50_000 },
      { isOpen: true, available: 0, held: 0 },
    ]);
    t.same(log, ['delivered 4 with 4 on disk', 'answered 4', 'held 50000', 'held 0']);
    await submitAll(slow, [counterOrder(2), order(3, { side: 'SELL', lots: lots(4) })]);
    t.same(await slow.balance(ALICE, ''), { isOpen: true, available: 999_950_000, held: 0 });
    t.same(await slow.balance(ALICE, YES), { isOpen: true, available: 6, held: 4 });
    const nobody = await slow.balance(CONDITION, '');
    t.same(nobody, { isOpen: false, available: 0, held: 0 });
  },
);

t.test(
  'on a slow disk, nothing is delivered, answered or read before it is on the disk',
  async (t) => {
    log.splice(0);
    const bid = order(4, { priceTicks: ticks(4_000) });
    const waits = [
      slow.submit(bid).then(({ seq }) => log.push(`answered ${seq}`)),
      slow.submit(bid).then(({ events }) => log.push(`answered ${events[0]?.kind}`)),
      slow.submit(order(5, { account: CONDITION })).then(() => log.push('rejected')),
      slow.reader.order(bid.orderId).then((read) => log.push(`read ${read?.status}`)),
      slow.reader
        .liveOrders({ owner: ALICE, offset: 0, limit: 10 })
        .then(({ records }) => log.push(`listed ${records.length}`)),
    ];
    t.equal(slow.appliedSeq, 7);
    t.ok((await untilOnDisk(7)) > 1, 'the log was checked before the commit');
    await Promise.all(waits);
    t.same(log.slice(0, 4), [
      'delivered 7 with 7 on disk',
      'answered 7',
      'answered order_duplicate',
      'rejected',
    ]);
    t.same(log.slice(4).sort(), ['listed 2', 'read live'], 'a read shows what was sent before it');
  },
);

t.test('on a slow disk, commands sent in one go are sequenced one after the other', async (t) => {
  const batches = [10, 20, 30].map((first) =>
    Promise.resolve().then(() =>
      submitAll(
        slow,
        [1, 2, 3].map((n) => counterOrder(first + n)),
      ),
    ),
  );
  const seqs = (await Promise.all(batches)).map((batch) => batch.map(({ seq }) => seq));
  t.same(seqs, [
    [8, 9, 10],
    [11, 12, 13],
    [14, 15, 16],
  ]);
});

t.test('on a slow disk, closing finishes accepted commands and refuses new ones', async (t) => {
  const answers = [41, 42, 43].map((number) => slow.submit(counterOrder(number)));
  const closed = slow.close();
  t.match(slow.health(), { isAccepting: false, waitingCount: 3 }, 'it is healthy meanwhile');
  t.match(slow.health().threads[0], { name: 'journal', isUp: true });
  await t.rejects(slow.submit(order(44)), { code: 'stopping' });
  t.same(
    (await Promise.all(answers)).map(({ seq }) => seq),
    [17, 18, 19],
  );
  await Promise.all([closed, slow.close()]);
  await t.rejects(slow.reader.order(orderIdOf(1)), { code: 'reader_unavailable' });
  t.match(await replayFolder(slowDir), { seq: 19, stateHash: slow.stateHash() });
});

/** Whether the promise is still pending after 50 turns of the event loop. */
async function staysPending(answer: Promise<Applied>): Promise<boolean> {
  let isPending = true;
  const settle = () => {
    isPending = false;
  };
  answer.then(settle, settle);
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  return isPending;
}

t.test('a failed commit is fatal, and nothing of its batch is acknowledged', async (t) => {
  const dataDir = temporaryFolder(t);
  const errors: Error[] = [];
  const delivered: number[] = [];
  const committed: number[] = [];
  const exchange = await openFor(t, dataDir, {
    on: {
      failed: ({ error }) => errors.push(error),
      durable: ({ commands }) => delivered.push(...commands.map(({ seq }) => seq)),
    },
    observer: { applied: () => undefined, committed: (commands) => committed.push(commands) },
  });
  const isUp = () =>
    Object.fromEntries(exchange.health().threads.map(({ name, isUp }) => [name, isUp]));
  const names = ['journal', 'projector', 'reader', 'catalog', 'catalog_reader'];
  const allAre = (isThere: boolean) => Object.fromEntries(names.map((name) => [name, isThere]));

  await t.test('before that, it reports its health and the seq of each part', async (t) => {
    t.match(exchange.health(), { isAccepting: true, waitingCount: 0, waitingLimit: 50_000 });
    t.same(isUp(), allAre(true));
    t.match(exchange.streamId, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const answers = submitAll(exchange, WORLD);
    t.equal(exchange.health().waitingCount, 3);
    await answers;
    await exchange.reader.order(orderIdOf(1));
    t.same([exchange.appliedSeq, exchange.durableSeq, exchange.projectedSeq], [3, 3, 3]);
    t.same(committed, [3]);
    t.equal(exchange.catalog.lookup.marketCount(), 0, 'a start adds what the catalog lacks');
  });

  // A row with the next seq, from another connection, makes the commit fail.
  const beside = openBeside(t, join(dataDir, 'journal.db'));
  beside.exec("INSERT INTO commands VALUES (4, 1, 'advance_time', '{}', 0, 1, 0)");
  const answers = [6, 7, 8].map((number) => exchange.submit(order(number)));
  await until(() => errors.length > 0);
  t.match(errors, [/journal could not be written: UNIQUE/]);
  t.equal(exchange.health().isAccepting, false);
  t.same(isUp(), { ...allAre(true), journal: false });
  for (const answer of answers) t.ok(await staysPending(answer));
  t.same(delivered, [1, 2, 3]);
  await t.rejects(exchange.submit(order(9)), { code: 'stopping' });
  await t.rejects(exchange.balance(ALICE, ''), { code: 'stopping' });
  await exchange.close();
  t.same(isUp(), allAre(false));
  t.equal(errors.length, 1, 'reported once');

  beside.exec('DELETE FROM commands WHERE seq = 4');
  t.equal((await replayFolder(dataDir)).seq, 3, 'the whole batch was rolled back');
});

t.test('the death of the journal thread is fatal', async (t) => {
  const dataDir = temporaryFolder(t);
  const errors: Error[] = [];
  const exchange = await openFor(t, dataDir, {
    on: { failed: ({ error }) => errors.push(error) },
  });
  // A folder in the place of durable.seq makes its write fail, which ends the thread.
  mkdirSync(join(dataDir, 'durable.seq', 'in the way'), { recursive: true });
  await exchange.submit(createMarket);
  await until(() => errors.length > 0);
  t.match(
    errors.map(({ message }) => message),
    [/^the journal's thread died: /],
  );
  await t.rejects(exchange.submit(order(1)), { code: 'stopping' });
});

t.test('a temporary exchange does not touch the data folder and removes its own', async (t) => {
  const dataDir = join(temporaryFolder(t), 'untouched');
  const exchange = await openFor(t, dataDir, { temporary: true });
  const folder = dirname(exchange.journalPath);
  await submitAll(exchange, [...WORLD, order(1)]);
  t.equal((await exchange.reader.order(orderIdOf(1)))?.status, 'live');
  t.ok(existsSync(folder));
  await exchange.close();
  t.notOk(existsSync(folder));
  t.notOk(existsSync(dataDir));
});

/** Places `count` orders and cancels them at once, so that the engine forgets earlier ones. */
async function forgetOrders(exchange: Exchange, from: number, count: number): Promise<void> {
  for (let start = from; start < from + count; start += 1_000) {
    const numbers = Array.from({ length: 1_000 }, (_, index) => start + index);
    const cancel: Command = {
      kind: 'cancel_orders',
      owner: ALICE,
      orderIds: numbers.map(orderIdOf),
    };
    await submitAll(exchange, [...numbers.map((number) => order(number)), cancel]);
  }
}

t.test(
  'an accepted order id stays known: the index has it after the engine has forgotten it',
  async (t) => {
    const exchange = await openFor(t, '', { temporary: true });
    const index = openOrderIdIndex(exchange.journalPath);
    t.teardown(() => index.close());
    t.same(index.lookup(orderIdOf(1)), { checkedSeq: 0, known: undefined });
    await submitAll(exchange, WORLD);
    t.same(index.lookup(orderIdOf(1)), { checkedSeq: 3, known: undefined });
    const first = order(1, { type: 'GTD', expiresAtMs: 8e15, postOnly: true, idCheckedSeq: 3 });
    await exchange.submit(first);
    const known = { acceptedSeq: 4, type: 'GTD', postOnly: true, expiresAtMs: 8e15 };
    t.same(index.lookup(orderIdOf(1)), { checkedSeq: 4, known });
    const unread = [{ checkedSeq: 0, known: undefined }];
    t.same(index.lookupAll([orderIdOf(1)], 0), unread, 'the engine has forgotten nothing');
    await exchange.submit({ kind: 'cancel_orders', owner: ALICE, orderIds: [orderIdOf(1)] });
    t.match((await exchange.submit(first)).events, [{ kind: 'order_duplicate', acceptedSeq: 4 }]);

    await forgetOrders(exchange, 2, 66_000);
    const late = await exchange.submit(first);
    t.match(late.events, [{ kind: 'rejected', code: 'order_id_unchecked', actual: 3 }]);
    const found = index.lookup(orderIdOf(1));
    t.same(found, { checkedSeq: exchange.durableSeq, known });
    const fresh = index.lookup(orderIdOf(70_000));
    t.equal(fresh.known, undefined);
    const { durableSeq } = exchange;
    const { forgottenSeq } = exchange.state;
    const [asked] = index.lookupAll([orderIdOf(1)], forgottenSeq);
    t.same(asked?.known, known);
    const checkedSeq = asked?.checkedSeq ?? 0;
    t.ok(checkedSeq >= forgottenSeq && checkedSeq < durableSeq, 'only the index is read');
    const [late1] = index.lookupAll([orderIdOf(66_000)], durableSeq);
    t.match(late1, { checkedSeq: durableSeq, known: { type: 'GTC' } }, 'new ids are read too');
    const accepted = await exchange.submit(order(70_000, { idCheckedSeq: fresh.checkedSeq }));
    t.match(accepted.events[0], { kind: 'order_accepted' });
  },
);

t.test('switches stay armed and API keys stay revoked after a restart', async (t) => {
  const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const arm = (owner: string, number: number): Command => ({
    kind: 'arm_switch',
    owner,
    heartbeatId: uuid(number),
  });
  const issue: Command = {
    kind: 'issue_api_key',
    owner: ALICE,
    nonce: '0',
    apiKey: uuid(9),
    purpose: 'readonly',
  };
  const dataDir = makeClosedFolder(t, [
    ...[...WORLD, arm(ALICE, 1), arm(BOB, 2), arm(ALICE, 3), issue],
    { kind: 'revoke_api_key', owner: ALICE, apiKey: uuid(9) },
    { kind: 'dismiss_notifications', owner: ALICE, ids: [3, 1] },
    order(1, { builder: `0x${'b'.repeat(64)}` }),
    order(2),
  ]);
  // The folder has no secrets yet: verify notes that, and a start creates them.
  const { stateHash: hash } = await verifyFolder({ dataDir });

  const replayed = await replayedFrom(dataDir);
  const replaying = await openFollowed(t, dataDir);
  t.equal(replaying.stateHash(), hash);
  const market = replaying.catalog.lookup.marketByCondition(CONDITION);
  t.equal(market?.conditionId, CONDITION, 'a market that the catalog lacks gets its row back');
  await replaying.close();
  const dismissed = replayed.flatMap(({ events }) => events).find(({ kind }) => /dism/.test(kind));
  t.same(dismissed, { kind: 'notifications_dismissed', owner: ALICE, ids: [3, 1] });
  t.match(replayed.at(-2)?.command, { builder: `0x${'b'.repeat(64)}` });

  const second = await openFor(t, dataDir);
  t.match(second.recovered, { snapshotSeq: replayed.length, replayed: 0 }, 'from a snapshot');
  t.equal(second.stateHash(), hash);
  t.same(
    [...second.state.armedSwitches()],
    [
      { owner: BOB, heartbeatId: uuid(2) },
      { owner: ALICE, heartbeatId: uuid(3) },
    ],
  );
  t.match((await second.submit(issue)).events, [{ code: 'api_key_revoked' }]);
  const armed = { owner: ALICE, heartbeatId: uuid(3), most: 1_000 };
  const trip: Command = { kind: 'trip_switch', ...armed };
  t.equal((await second.submit(trip)).events.length, 5);
  t.same([...second.state.armedSwitches()], [{ owner: BOB, heartbeatId: uuid(2) }]);
  t.match(await second.reader.order(orderIdOf(2)), {
    status: 'canceled',
    closeReason: 'switch_tripped',
  });
});
