import t from 'tap';
import { LOG_START } from '../../../cluster/log/index.ts';
import { encodeRecord } from '../../../cluster/log/log-records.ts';
import {
  KEYS,
  part,
  startCore,
  storedEntries,
  storedSeqs,
  TestNode,
  terms,
} from './log-fixture.ts';
import type { Fate } from './memory-store.ts';
import { settle } from './test-clock.ts';

t.test('an append is committed once, whatever is lost on the way', async (t) => {
  const table: readonly (readonly Fate[])[] = [
    ['done'],
    ['request_lost'],
    ['answer_lost'],
    ['late'],
    ['request_lost', 'answer_lost'],
    ['answer_lost', 'answer_lost', 'request_lost'],
    ['late', 'late', 'answer_lost'],
  ];
  for (const fates of table) {
    const { store, clock, core } = await startCore();
    store.fates.push(...fates);
    core.log.append(part(1, 3));
    await clock.advance(200);
    core.log.append(part(4, 2));
    await settle();
    store.doLate();
    core.log.append(part(6));
    await settle();
    const isOut = fates.some((fate) => fate !== 'done');
    const outage = isOut ? ['outage', 'committed', 'answering'] : ['committed'];
    t.same(new Set(core.reported.slice(0, -2)), new Set(outage), fates.join());
    t.match(core.last, { kind: 'committed', seq: 6, entry: { number: 4, epoch: 1 } }, fates.join());
    t.same(storedSeqs(store), [1, 2, 3, 4, 5, 6], fates.join());
    core.log.close();
  }
});

// A core whose answers were lost for 1.5 seconds found its entry with a retry, and showed its state
// for a second from then on. A standby, which had seen the entry all the time, claimed meanwhile.
t.test('an entry that an earlier attempt put is as old as the first attempt', async (t) => {
  const { store, clock, core } = await startCore();
  const sentAt = (): number | undefined => {
    const { last } = core;
    return last?.kind === 'committed' ? last.entry?.sentAtMs : undefined;
  };
  await clock.advance(100);
  const firstMs = clock.now();
  store.fates.push('request_lost', 'answer_lost', 'request_lost');
  core.log.append(part(1));
  await clock.advance(200);
  t.equal(sentAt(), firstMs, 'it may have been put since the first attempt');
  const secondMs = clock.now();
  store.fates.push('request_lost');
  core.log.append(part(2));
  await clock.advance(20);
  t.equal(sentAt(), secondMs + 20, 'the answer says that this attempt put it');
  core.log.close();
});

t.test('an idle log gets a beat, and a busy one does not', async (t) => {
  const { store, clock, core } = await startCore();
  t.match(core.events, [{ kind: 'beat', entry: { number: 1 }, seq: 0 }]);
  for (let seq = 1; seq <= 4; seq += 1) {
    await clock.advance(200);
    core.log.append(part(seq));
  }
  await clock.advance(249);
  t.same(core.events.length, 5);
  await clock.advance(1);
  t.match(core.last, { kind: 'beat', seq: 4, entry: { number: 6, epoch: 1 } });
  await clock.advance(1_000);
  t.same(core.events.length, 10);
  t.match(storedEntries(store).at(-1), { firstSeq: 5, payloads: [], content: [] });
  core.log.close();
  t.same(clock.timerCount, 0);
});

t.test('a core that hangs beats no more, and goes on when it comes back', async (t) => {
  const { clock, core } = await startCore();
  core.isHanging = true;
  await clock.advance(2_000);
  t.equal(core.events.length, 1, 'the beat of its claim');
  core.isHanging = false;
  await clock.advance(250);
  t.equal(core.events.length, 2);
  core.log.close();
});

t.test('an append waits for a beat that is being put', async (t) => {
  const { store, clock, core } = await startCore();
  store.fates.push('request_lost');
  await clock.advance(250);
  core.log.append(part(1, 2, ['a record']));
  t.throws(() => core.log.append(part(3)), /one append is in flight/);
  await clock.advance(100);
  t.same(
    core.events.slice(1).map(({ kind }) => kind),
    ['outage', 'answering', 'beat', 'committed'],
  );
  t.match(storedEntries(store).at(-1), { number: 3, content: ['a record'] });
  core.log.close();
});

t.test('a gap of seqs is our own mistake', async (t) => {
  const { core } = await startCore();
  t.throws(() => core.log.append(part(2)), /the commands of a log have no gap/);
  core.log.close();
});

t.test('a core is deposed by the claim of another, whenever that comes', async (t) => {
  for (const fate of ['done', 'request_lost', 'answer_lost', 'late'] as const) {
    const { store, clock, core } = await startCore();
    core.log.append(part(1));
    await settle();
    const known = storedEntries(store).at(-1)!;
    const standby = new TestNode(store, clock, 'standby');
    store.fates.push(fate);
    core.log.append(part(2));
    await settle();
    await standby.log.look(known);
    const claim = await standby.log.claim(known);
    await settle();
    store.doLate();
    await clock.advance(3_000);
    const isThere = fate === 'done' || fate === 'answer_lost';
    t.same(storedSeqs(store), isThere ? [1, 2] : [1], fate);
    t.same(claim?.entries.length, isThere ? 1 : 0, fate);
    const commits = fate === 'done' ? 2 : 1;
    t.same(core.reported.filter((kind) => kind === 'committed').length, commits, fate);
    t.match(core.last, { kind: 'deposed', by: { node: 'standby', epoch: 2 } }, fate);
    core.log.append(part(3));
    await clock.advance(1_000);
    t.same(core.last?.kind, 'deposed', 'and nothing follows');
    t.ok(
      storedEntries(store)
        .slice(isThere ? 3 : 2)
        .every(({ epoch }) => epoch === 2),
    );
    standby.log.close();
  }
});

t.test('a core stops when etcd has older or other data', async (t) => {
  const { store, clock, core } = await startCore();
  core.log.append(part(1));
  await settle();
  const older = new Map(store.values);
  core.log.append(part(2));
  await settle();
  store.values = older;
  core.log.append(part(3));
  await clock.advance(1_000);
  const message = /entry 4 can't follow what etcd has, up to 2: etcd was restored from older data/;
  t.match(core.last, { kind: 'failed', error: { code: 'log_differs', message } });
  t.same(storedSeqs(store), [1]);
});

t.test('a core stops when its epoch is gone from etcd', async (t) => {
  const { store, clock, core } = await startCore();
  store.values.delete(KEYS.epoch);
  await clock.advance(250);
  t.match(core.last, { kind: 'failed', error: { code: 'log_differs' } });
});

t.test('a core stops when its epoch in etcd is that of another claim', async (t) => {
  const { store, clock, core } = await startCore();
  const record = JSON.parse(String(store.values.get(KEYS.epoch)));
  store.put(KEYS.epoch, encodeRecord({ ...record, claimId: 'another' }));
  await clock.advance(250);
  t.match(core.last, { kind: 'failed', error: { code: 'log_differs' } });
});

t.test('a log continues the journal of the node that begins it', async (t) => {
  const { store, clock, core } = await startCore();
  core.log.close();
  store.values.clear();
  const node = new TestNode(store, clock, 'migrated');
  await node.log.join(terms({ lastSeq: 5_000 }));
  t.match(await node.log.look(LOG_START), { lastSeq: 5_000, oldest: 1 });
  await node.log.claim(LOG_START);
  await settle();
  node.log.append(part(5_001));
  await settle();
  t.match(node.last, { kind: 'committed', seq: 5_001 });
  node.log.close();
});
