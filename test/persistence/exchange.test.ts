import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { type Command, lots } from '../../engine/index.ts';
import type { Applied, DurableCommand, Exchange } from '../../persistence/index.ts';
import { openExchange, openOrderIdIndex } from '../../persistence/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type EventHandlers, handleEvents } from './event-handlers.ts';
import {
  ALICE,
  BOB,
  CONDITION,
  counterOrder,
  createMarket,
  openAccount,
  openBeside,
  openFollowed,
  openFor,
  order,
  orderIdOf,
  randomStream,
  submitAll,
  until,
  WORLD,
  YES,
} from './store-fixture.ts';

t.test('a restart brings back the state, the seq and every command with its events', async (t) => {
  const dataDir = temporaryFolder(t);
  const { steps, durable } = randomStream(5, 3_000);
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

  const replayed: DurableCommand[] = [];
  const second = await openFor(t, dataDir, {
    ...options,
    on: { durable: ({ commands }) => replayed.push(...commands) },
  });
  t.equal(second.stateHash(), hash);
  t.same([second.appliedSeq, second.durableSeq], [durable.length, durable.length]);
  t.same(replayed, durable);
  t.match(await second.audit(), { ok: true, fault: '', seq: durable.length, stateHash: hash });
});

t.test('nothing is delivered, answered or read before the disk has it', async (t) => {
  const dataDir = temporaryFolder(t);
  const log: string[] = [];
  const journal = { count: () => 0 };
  const on: EventHandlers = {
    durable: ({ commands }) => {
      for (const { seq } of commands) log.push(`delivered ${seq} with ${journal.count()} on disk`);
    },
  };
  const exchange = await openFor(t, dataDir, { journalDelayMs: 150, on });
  const beside = openBeside(t, join(dataDir, 'journal.db'));
  const count = beside.prepare<[], number>('SELECT count(*) FROM commands').pluck();
  journal.count = () => count.get() ?? 0;
  await submitAll(exchange, WORLD);
  log.splice(0);

  const waits = [
    exchange.submit(order(1)).then(({ seq }) => log.push(`answered ${seq}`)),
    exchange.submit(order(1)).then(({ events }) => log.push(`answered ${events[0]?.kind}`)),
    exchange.submit(order(2, { account: CONDITION })).then(() => log.push('rejected')),
    exchange.reader.order(orderIdOf(1)).then((read) => log.push(`read ${read?.status}`)),
    exchange.reader
      .liveOrders({ owner: ALICE, offset: 0, limit: 10 })
      .then(({ records }) => log.push(`listed ${records.length}`)),
  ];
  t.equal(exchange.appliedSeq, 4);
  let turnsBefore = 0;
  // The log is read first: if the disk has nothing even later, nothing may have come out by then.
  for (let seen = log.length; journal.count() < 4; seen = log.length) {
    if (seen > 0) t.fail(`came out before it was durable: ${log}`);
    turnsBefore += 1;
    await nextTurn();
  }
  t.ok(turnsBefore > 1, 'the test had time to look');
  await Promise.all(waits);
  t.same(log.slice(0, 4), [
    'delivered 4 with 4 on disk',
    'answered 4',
    'answered order_duplicate',
    'rejected',
  ]);
  t.same(log.slice(4).sort(), ['listed 1', 'read live'], 'a read shows what was sent before it');
});

/** Never settles in the time of a few turns and messages. */
async function staysPending(answer: Promise<Applied>): Promise<boolean> {
  let isPending = true;
  const settle = () => {
    isPending = false;
  };
  answer.then(settle, settle);
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  return isPending;
}

t.test('a failed commit is fatal and nothing of its batch is acknowledged', async (t) => {
  const dataDir = temporaryFolder(t);
  const errors: Error[] = [];
  const delivered: number[] = [];
  const exchange = await openFor(t, dataDir, {
    on: {
      failed: ({ error }) => errors.push(error),
      durable: ({ commands }) => delivered.push(...commands.map(({ seq }) => seq)),
    },
  });
  await submitAll(exchange, WORLD);
  // A seq that is there already can't be written: a foreign row provokes just that.
  const beside = openBeside(t, join(dataDir, 'journal.db'));
  beside.exec("INSERT INTO commands VALUES (4, 1, 'advance_time', '{}', 0)");
  const answers = [6, 7, 8].map((number) => exchange.submit(order(number)));
  await until(() => errors.length > 0);
  t.match(errors, [/journal could not be written: UNIQUE/]);
  for (const answer of answers) t.ok(await staysPending(answer));
  t.same(delivered, [1, 2, 3]);
  await t.rejects(exchange.submit(order(9)), { code: 'stopping' });
  await exchange.close();
  t.equal(errors.length, 1, 'told once');

  beside.exec('DELETE FROM commands WHERE seq = 4');
  const again = await openFor(t, dataDir);
  t.equal(again.appliedSeq, 3, 'the batch was rolled back whole');
});

t.test('the death of the journal thread is fatal', async (t) => {
  const dataDir = temporaryFolder(t);
  const errors: Error[] = [];
  const exchange = await openFor(t, dataDir, {
    on: { failed: ({ error }) => errors.push(error) },
  });
  // The side file can't be put in place of a folder, and that is nothing the thread survives.
  mkdirSync(join(dataDir, 'durable.seq', 'in the way'), { recursive: true });
  await exchange.submit(createMarket);
  await until(() => errors.length > 0);
  t.match(
    errors.map(({ message }) => message),
    [/^the journal's thread died: /],
  );
  await t.rejects(exchange.submit(order(1)), { code: 'stopping' });
});

t.test('the files of a new data folder are for its user alone', async (t) => {
  const dataDir = join(temporaryFolder(t), 'new', 'folder');
  const exchange = await openFor(t, dataDir);
  exchange.masterSecret();
  exchange.secretFile('admin.token', () => 'token');
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  t.equal(modeOf(dataDir), 0o700);
  t.equal(modeOf(join(dataDir, 'master.secret')), 0o600);
  t.equal(modeOf(join(dataDir, 'admin.token')), 0o600);
});

t.test('secrets are made once and stay', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openFor(t, dataDir);
  const secret = first.masterSecret();
  t.equal(secret.length, 32);
  t.same(first.masterSecret(), secret);
  t.equal(
    first.secretFile('admin.token', () => 'first'),
    'first',
  );
  await first.close();
  const second = await openFor(t, dataDir);
  t.same(second.masterSecret(), secret);
  t.equal(
    second.secretFile('admin.token', () => 'second'),
    'first',
  );
  const other = await openFor(t, temporaryFolder(t));
  t.notSame(other.masterSecret(), secret);
});

t.test('a master secret of the wrong length is refused, not replaced', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir);
  exchange.secretFile('master.secret', () => 'short');
  t.throws(() => exchange.masterSecret(), { code: 'secret_malformed' });
  t.equal(readFileSync(join(dataDir, 'master.secret'), 'utf8'), 'short\n');
});

t.test('a secret of no text is refused, not replaced', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir);
  for (const content of ['', '\n', ' \r\n']) {
    writeFileSync(join(dataDir, 'admin.token'), content);
    t.throws(() => exchange.secretFile('admin.token', () => 'made'), {
      code: 'secret_malformed',
      message: /admin\.token is empty: put it back from a backup, or remove it/,
    });
    t.equal(readFileSync(join(dataDir, 'admin.token'), 'utf8'), content);
  }
});

t.test('a temporary exchange leaves the data folder alone and nothing behind', async (t) => {
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

t.test('closing finishes what was taken, takes nothing more and may be repeated', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir, { journalDelayMs: 50 });
  const answers = WORLD.map((command) => exchange.submit(command));
  const closed = exchange.close();
  await t.rejects(exchange.submit(order(1)), { code: 'stopping' });
  t.same(
    (await Promise.all(answers)).map(({ seq }) => seq),
    [1, 2, 3],
  );
  await Promise.all([closed, exchange.close()]);
  await t.rejects(exchange.reader.order(orderIdOf(1)), { code: 'reader_unavailable' });
  t.equal((await openFor(t, dataDir)).appliedSeq, 3);
});

t.test('an order that expires while the exchange is down is closed at the start', async (t) => {
  const dataDir = temporaryFolder(t);
  let nowMs = 1_000_000;
  const now = () => nowMs;
  const first = await openFor(t, dataDir, { now });
  await submitAll(first, [...WORLD, order(1, { type: 'GTD', expiresAtMs: 1_000_500 })]);
  await first.close();
  nowMs = 2_000_000;
  const second = await openFor(t, dataDir, { now });
  t.match(await second.reader.order(orderIdOf(1)), { status: 'canceled', closeReason: 'expired' });
});

t.test('a market that the catalog lost gets its row back at the start', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openFor(t, dataDir);
  await first.submit(createMarket);
  t.equal(first.catalog.lookup.marketCount(), 0);
  await first.close();
  const second = await openFor(t, dataDir);
  t.equal(second.catalog.lookup.marketByCondition(CONDITION)?.conditionId, CONDITION);
});

/** More orders than the engine remembers, each closed at once, so that the first is forgotten. */
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
  'an accepted order id is known for ever, by the index when the engine forgot it',
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
    t.ok(checkedSeq >= forgottenSeq && checkedSeq < durableSeq, 'no more than what is needed');
    const [late1] = index.lookupAll([orderIdOf(66_000)], durableSeq);
    t.match(late1, { checkedSeq: durableSeq, known: { type: 'GTC' } }, 'and that always');
    const accepted = await exchange.submit(order(70_000, { idCheckedSeq: fresh.checkedSeq }));
    t.match(accepted.events[0], { kind: 'order_accepted' });
  },
);

t.test('commands sent in one go are sequenced one after the other', async (t) => {
  const exchange = await openFor(t, temporaryFolder(t));
  await submitAll(exchange, WORLD);
  const batches = [0, 1, 2].map((batch) =>
    Promise.resolve().then(() =>
      submitAll(
        exchange,
        [1, 2, 3].map((number) => counterOrder(10 * batch + number, { account: BOB })),
      ),
    ),
  );
  const seqs = (await Promise.all(batches)).map((batch) => batch.map(({ seq }) => seq));
  t.same(seqs, [
    [4, 5, 6],
    [7, 8, 9],
    [10, 11, 12],
  ]);
  await exchange.submit(openAccount(`0x${'c3'.repeat(20)}`));
});

t.test('a lost master secret is refused once keys were derived from it', async (t) => {
  const dataDir = temporaryFolder(t);
  const options = {
    dataDir,
    temporary: false,
    now: Date.now,
    funding: 'paper' as const,
    onEvent: handleEvents({}),
  };
  const owner = `0x${'5'.repeat(40)}`;
  const apiKey = '00000000-0000-4000-8000-000000000001';
  const first = await openExchange(options);
  const secret = first.masterSecret();
  await first.submit({ kind: 'issue_api_key', owner, nonce: '0', apiKey });
  await first.close();
  const second = await openExchange(options);
  t.same(second.masterSecret(), secret, 'it is the same after a restart');
  await second.close();
  rmSync(join(dataDir, 'master.secret'));
  const third = await openExchange(options);
  t.teardown(() => third.close());
  t.throws(() => third.masterSecret(), { code: 'secret_malformed', message: /is missing/ });
});

t.test(
  'a balance shows what was applied just before, and waits until the disk has it',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const exchange = await openFor(t, dataDir, { journalDelayMs: 150 });
    const beside = openBeside(t, join(dataDir, 'journal.db'));
    const count = beside.prepare<[], number>('SELECT count(*) FROM commands').pluck();
    await submitAll(exchange, WORLD);
    const log: string[] = [];
    const cash = exchange.balance(ALICE, '');
    t.same(await cash, { isOpen: true, available: 1_000_000_000, held: 0 }, 'all is durable');
    exchange.submit(order(1)).then(({ seq }) => log.push(`answered ${seq}`));
    const balances = [exchange.balance(ALICE, ''), exchange.balance(ALICE, YES)];
    for (const balance of balances) balance.then(({ held }) => log.push(`held ${held}`));
    for (let seen = log.length; (count.get() ?? 0) < 4; seen = log.length) {
      if (seen > 0) t.fail(`came out before it was durable: ${log}`);
      await nextTurn();
    }
    t.same(await Promise.all(balances), [
      { isOpen: true, available: 999_950_000, held: 50_000 },
      { isOpen: true, available: 0, held: 0 },
    ]);
    t.same(log, ['answered 4', 'held 50000', 'held 0']);
    await submitAll(exchange, [counterOrder(2), order(3, { side: 'SELL', lots: lots(4) })]);
    t.same(await exchange.balance(ALICE, ''), { isOpen: true, available: 999_950_000, held: 0 });
    t.same(await exchange.balance(ALICE, YES), { isOpen: true, available: 6, held: 4 });
    const nobody = await exchange.balance(CONDITION, '');
    t.same(nobody, { isOpen: false, available: 0, held: 0 });
  },
);

t.test('what is armed survives a restart, what is revoked stays revoked', async (t) => {
  const dataDir = temporaryFolder(t);
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
  const first = await openFor(t, dataDir);
  await submitAll(first, [...WORLD, arm(ALICE, 1), arm(BOB, 2), arm(ALICE, 3), issue]);
  await submitAll(first, [
    { kind: 'revoke_api_key', owner: ALICE, apiKey: uuid(9) },
    { kind: 'dismiss_notifications', owner: ALICE, ids: [3, 1] },
    order(1, { builder: `0x${'b'.repeat(64)}` }),
    order(2),
  ]);
  const hash = first.stateHash();
  await first.close();

  const replayed: DurableCommand[] = [];
  const replaying = await openFollowed(t, dataDir, {
    on: { durable: ({ commands }) => replayed.push(...commands) },
  });
  t.equal(replaying.stateHash(), hash);
  await replaying.close();
  const dismissed = replayed.flatMap(({ events }) => events).find(({ kind }) => /dism/.test(kind));
  t.same(dismissed, { kind: 'notifications_dismissed', owner: ALICE, ids: [3, 1] });
  t.match(replayed.at(-2)?.command, { builder: `0x${'b'.repeat(64)}` });

  const second = await openFor(t, dataDir);
  t.match(second.recovered, { snapshotSeq: replayed.length, replayed: 0 }, 'from a snapshot now');
  t.equal(second.stateHash(), hash);
  t.same(
    [...second.state.armedSwitches()],
    [
      { owner: BOB, heartbeatId: uuid(2) },
      { owner: ALICE, heartbeatId: uuid(3) },
    ],
  );
  t.match((await second.submit(issue)).events, [{ code: 'api_key_revoked' }]);
  const trip: Command = { kind: 'trip_switch', owner: ALICE, heartbeatId: uuid(3) };
  t.equal((await second.submit(trip)).events.length, 5);
  t.same([...second.state.armedSwitches()], [{ owner: BOB, heartbeatId: uuid(2) }]);
  t.match(await second.reader.order(orderIdOf(2)), {
    status: 'canceled',
    closeReason: 'switch_tripped',
  });
});

t.test('the exchange says how it is, and how far each part has got', async (t) => {
  const dataDir = temporaryFolder(t);
  const errors: Error[] = [];
  const committed: number[] = [];
  const exchange = await openFor(t, dataDir, {
    on: { failed: ({ error }) => errors.push(error) },
    observer: { applied: () => undefined, committed: (commands) => committed.push(commands) },
  });
  const isUp = () =>
    Object.fromEntries(exchange.health().threads.map(({ name, isUp }) => [name, isUp]));
  const names = ['journal', 'projector', 'reader', 'catalog', 'catalog_reader'];
  const allAre = (isThere: boolean) => Object.fromEntries(names.map((name) => [name, isThere]));
  const good = allAre(true);
  t.match(exchange.health(), { isAccepting: true, waitingCount: 0, waitingLimit: 50_000 });
  t.same(isUp(), good);
  t.match(exchange.streamId, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  const answers = submitAll(exchange, WORLD);
  t.equal(exchange.health().waitingCount, 3);
  await answers;
  await exchange.reader.order(orderIdOf(1));
  t.same([exchange.appliedSeq, exchange.durableSeq, exchange.projectedSeq], [3, 3, 3]);
  t.same(committed, [3]);
  const beside = openBeside(t, join(dataDir, 'journal.db'));
  beside.exec('DROP TABLE new_order_ids');
  exchange.submit(order(1));
  await until(() => errors.length > 0);
  t.equal(exchange.health().isAccepting, false);
  t.same(isUp(), { ...good, journal: false });
  await t.rejects(exchange.balance(ALICE, ''), { code: 'stopping' });
  await exchange.close();
  t.same(isUp(), allAre(false));
});

t.test('an exchange that is closing is healthy and takes nothing', async (t) => {
  const exchange = await openFor(t, temporaryFolder(t), { journalDelayMs: 100 });
  exchange.submit(createMarket);
  const closed = exchange.close();
  t.match(exchange.health(), { isAccepting: false, waitingCount: 1 });
  t.match(exchange.health().threads[0], { name: 'journal', isUp: true });
  await closed;
});
