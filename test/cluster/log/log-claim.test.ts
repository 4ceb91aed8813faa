import t from 'tap';
import { LOG_START, type LogPosition } from '../../../cluster/log/index.ts';
import { encodeRecord } from '../../../cluster/log/log-records.ts';
import { KEYS, part, startCore, storedEntries, TestNode } from './log-fixture.ts';
import type { Fate, MemoryStore } from './memory-store.ts';
import { settle } from './test-clock.ts';

/** A log of 40 entries and one of beats, whose core has gone. */
async function abandonedLog() {
  const { store, clock, core } = await startCore();
  for (let seq = 1; seq <= 40; seq += 1) {
    core.log.append(part(seq));
    await settle();
  }
  core.log.close();
  return { store, clock };
}

function positionAt(store: MemoryStore, number: number): LogPosition {
  return storedEntries(store).find((entry) => entry.number === number) ?? LOG_START;
}

t.test('a claim reads the tail, in pages', async (t) => {
  const { store, clock } = await abandonedLog();
  const node = new TestNode(store, clock, 'standby');
  let known = positionAt(store, 3);
  await node.log.look(known);
  const claim = await node.log.claim(known);
  t.match(claim, { holder: { epoch: 2, node: 'standby' }, head: { number: 41 }, lastSeq: 40 });
  const numbers: number[] = [];
  for (let page = claim!.entries; page.length > 0; page = await node.log.entries(known)) {
    t.ok(page.length <= 16);
    numbers.push(...page.map(({ number }) => number));
    known = page.at(-1)!;
  }
  const others = storedEntries(store).filter(({ epoch }) => epoch === 1);
  const tail = others.slice(3).map(({ number }) => number);
  t.same(numbers, tail, 'all of the tail, and not the beats of the node itself');
  t.ok(storedEntries(store).length > others.length);
  node.log.close();
});

// A new core ended when etcd, whose leader had just died too, did not answer one of these reads.
t.test('the holder waits for pages of the tail, and other nodes do not', async (t) => {
  const { store, clock } = await abandonedLog();
  const node = new TestNode(store, clock, 'standby');
  await node.log.look(LOG_START);
  store.fates.push('request_lost');
  await t.rejects(node.log.entries(LOG_START), { name: 'NoAnswerError' });
  const claim = await node.log.claim(LOG_START);
  await settle();
  store.fates.push('request_lost', 'answer_lost');
  const page = node.log.entries(claim!.entries.at(-1)!);
  await clock.advance(200);
  t.equal((await page).length, 16);
  node.log.close();
});

t.test('one of two racing claims wins, whatever is lost', async (t) => {
  const fates: readonly Fate[] = ['done', 'request_lost', 'answer_lost', 'late'];
  for (const one of fates) {
    for (const other of fates) {
      const { store, clock } = await abandonedLog();
      const known = positionAt(store, 41);
      const nodes = ['a', 'b'].map((name) => new TestNode(store, clock, name));
      await Promise.all(nodes.map(({ log }) => log.look(known)));
      store.fates.push(one, other);
      const claims = nodes.map(({ log }) => log.claim(known));
      await clock.advance(1_000);
      store.doLate();
      const won = await Promise.all(claims);
      t.same(won.filter((claim) => claim !== undefined).length, 1, `${one}, ${other}`);
      await clock.advance(2_000);
      const winner = nodes[won.findIndex((claim) => claim !== undefined)]!;
      t.same(winner.last?.kind, 'beat', `${one}, ${other}`);
      const epochs = storedEntries(store).map(({ epoch }) => epoch);
      t.same(new Set(epochs), new Set([1, 2]));
      for (const { log } of nodes) log.close();
    }
  }
});

t.test('a claim whose answer was lost, and that another node has overtaken, is lost', async (t) => {
  const { store, clock } = await abandonedLog();
  const known = positionAt(store, 41);
  const slow = new TestNode(store, clock, 'slow');
  const fast = new TestNode(store, clock, 'fast');
  await slow.log.look(known);
  store.fates.push('answer_lost');
  const claim = slow.log.claim(known);
  await settle();
  await fast.log.look(known);
  t.match(await fast.log.claim(known), { holder: { epoch: 3, node: 'fast' } });
  await clock.advance(100);
  t.same(await claim, undefined);
  t.same(slow.reported, ['outage']);
  fast.log.close();
});

// The simulator found that such a claim let the old core show older state than the new one.
t.test('a claim fails if the core has appended since the look', async (t) => {
  const { store, clock, core } = await startCore();
  const known = positionAt(store, 1);
  const standby = new TestNode(store, clock, 'standby');
  await standby.log.look(known);
  core.log.append(part(1));
  await settle();
  t.same(await standby.log.claim(known), undefined);
  core.log.append(part(2));
  await settle();
  t.same(core.reported, ['committed', 'committed']);
  core.log.close();
});

// The simulator found a node that took this for a log that had lost its end, and stopped.
t.test('a node that was brought an entry since its look does not claim', async (t) => {
  const { store, clock, core } = await startCore();
  const standby = new TestNode(store, clock, 'standby');
  await standby.log.look(positionAt(store, 1));
  core.log.append(part(1));
  await settle();
  t.same(await standby.log.claim(positionAt(store, 2)), undefined);
  core.log.close();
});

t.test('a holder that resigns appends nothing more, and the next claim replaces it', async (t) => {
  const { store, clock, core } = await startCore();
  await core.log.resign();
  const known = positionAt(store, 1);
  const standby = new TestNode(store, clock, 'standby');
  t.match(await standby.log.look(known), { holder: { epoch: 1, hasResigned: true } });
  await clock.advance(2_000);
  t.equal(storedEntries(store).length, 1, 'it beats no more');
  const claim = await standby.log.claim(known);
  t.match(claim, { holder: { epoch: 2, node: 'standby', hasResigned: false } });
  standby.log.close();
});

t.test('a resignation that arrives after the next claim changes nothing', async (t) => {
  const { store, clock, core } = await startCore();
  const standby = new TestNode(store, clock, 'standby');
  const known = positionAt(store, 1);
  await standby.log.look(known);
  store.fates.push('late');
  await t.rejects(core.log.resign(), { name: 'NoAnswerError' });
  await standby.log.claim(known);
  await settle();
  store.doLate();
  t.match(await standby.log.look(positionAt(store, 2)), { holder: { hasResigned: false } });
  standby.log.append(part(1));
  await settle();
  t.same(standby.reported, ['committed']);
  standby.log.close();
});

t.test('a log that is not the one that a node knows is refused', async (t) => {
  const { store, clock } = await abandonedLog();
  const whole = new Map(store.values);
  const at41 = positionAt(store, 41);
  const at20 = positionAt(store, 20);
  const table: readonly (readonly [string, LogPosition, () => void, RegExp])[] = [
    ['a truncated log', at41, () => truncate(store, 30), /ends at entry 30.* has entry 41: etcd/],
    [
      'another newest entry',
      { ...at41, check: at20.check },
      () => undefined,
      /entry 41 in etcd is/,
    ],
    ['another past', { ...at20, check: at41.check }, () => undefined, /entry 21 .* not continue/],
    ['a gap', at20, () => void store.values.delete(KEYS.entry(21)), /no entry 21, although/],
    ['no head', at20, () => void store.values.delete(KEYS.head), /no head/],
  ];
  for (const [name, known, spoil, message] of table) {
    store.values = new Map(whole);
    spoil();
    const node = new TestNode(store, clock, 'standby');
    await t.rejects(node.log.look(known), { code: 'log_differs', message }, name);
    await t.rejects(node.log.entries(known), { code: 'log_differs' }, name);
  }
  store.values = new Map(whole);
  const spoilt = Buffer.from(store.values.get(KEYS.entry(21))!);
  spoilt[30]! ^= 1;
  store.put(KEYS.entry(21), spoilt);
  const node = new TestNode(store, clock, 'standby');
  await t.rejects(node.log.look(at20), { code: 'log_damaged', message: /its checksum is wrong/ });
});

t.test('a truncated log that has grown again is refused too', async (t) => {
  const { store, clock } = await abandonedLog();
  const known = positionAt(store, 41);
  truncate(store, 30);
  const core = new TestNode(store, clock, 'core-2');
  const at30 = positionAt(store, 30);
  await core.log.look(at30);
  await core.log.claim(at30);
  await clock.advance(10 * 250);
  t.ok(storedEntries(store).length > 40);
  core.log.close();
  const node = new TestNode(store, clock, 'standby');
  const message = /entry 41 in etcd is another one|does not continue/;
  await t.rejects(node.log.look(known), { code: 'log_differs', message });
});

t.test('a node that needs a pruned entry can look and not claim', async (t) => {
  const { store, clock } = await abandonedLog();
  store.put(KEYS.pruned, encodeRecord({ below: 10 }));
  const behind = new TestNode(store, clock, 'behind');
  t.match(await behind.log.look(positionAt(store, 8)), { oldest: 10 });
  const refusal = { code: 'log_pruned', message: /needs entry 9 of the log.* from 10 on/ };
  await t.rejects(behind.log.claim(positionAt(store, 8)), refusal);
  await t.rejects(behind.log.entries(positionAt(store, 8)), refusal);
  t.same(store.values.get(KEYS.epoch)?.includes('behind'), false);
  const inTime = new TestNode(store, clock, 'in-time');
  await inTime.log.look(positionAt(store, 9));
  t.ok(await inTime.log.claim(positionAt(store, 9)));
  inTime.log.close();
});

t.test('a claim does not follow a look that pruning has overtaken', async (t) => {
  const { store, clock } = await abandonedLog();
  const node = new TestNode(store, clock, 'standby');
  const known = positionAt(store, 8);
  await node.log.look(known);
  store.put(KEYS.pruned, encodeRecord({ below: 10 }));
  t.same(await node.log.claim(known), undefined);
  await node.log.look(known);
  await t.rejects(node.log.claim(known), { code: 'log_pruned' });
});

t.test('a node with older rules neither follows nor claims', async (t) => {
  const { store, clock } = await abandonedLog();
  const known = positionAt(store, 41);
  const older = new TestNode(store, clock, 'older', 7);
  const message = /the core core runs .* rules 8\. This program, .* up to 7: start the newer/;
  await t.rejects(older.log.look(known), { code: 'log_newer', message });
});

/** What etcd has after it was restored from a backup that was made at that entry. */
function truncate(store: MemoryStore, number: number): void {
  const last = storedEntries(store).find((entry) => entry.number === number)!;
  for (const entry of storedEntries(store)) {
    if (entry.number > number) store.values.delete(KEYS.entry(entry.number));
  }
  const lastSeq = last.firstSeq + last.payloads.length - 1;
  const bytes = last.bytesBefore + store.values.get(KEYS.entry(number))!.length;
  store.put(KEYS.head, encodeRecord({ number, check: last.check, lastSeq, bytes }));
}
