import { strict as assert } from 'node:assert';
import t from 'tap';
import { exitCodeOf } from '../../../cli/parser/exit-codes.ts';
import { LOG_START, type LogPosition } from '../../../cluster/log/index.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { OpenLog, startNodes, withoutEtcd } from './etcd-fixture.ts';
import { part, terms } from './log-fixture.ts';

const skip = withoutEtcd();

function batch(firstSeq: number, count = 1) {
  return { ...new BatchBuilder(firstSeq).build(), ...part(firstSeq, count) };
}

/** Started once for all tests of this file. */
const nodes = skip === false ? await startNodes(t) : undefined;
const urls = nodes?.urls ?? [];

t.test('beats while idle, and a standby takes over', { skip }, async (t) => {
  const prefix = '/takeover';
  const core = await OpenLog.start(t, { urls, prefix, node: 'core' });
  await core.claim();
  core.log.append(batch(1, 3), ['a record']);
  const { entry } = await core.next('committed');
  t.match(entry, { epoch: 1, number: 2 });
  const first = await core.next('beat');
  const second = await core.next('beat');
  t.same(second.entry.number, first.entry.number + 1);
  t.ok(second.entry.sentAtMs > first.entry.sentAtMs);
  const standby = await OpenLog.start(t, { urls, prefix, node: 'standby' });
  t.same(standby.log.logId, core.log.logId);
  t.match(await standby.log.look(LOG_START), { holder: { node: 'core', epoch: 1 }, lastSeq: 3 });
  const [claim, deposed] = await Promise.all([standby.log.claim(LOG_START), core.next('deposed')]);
  t.match(claim, { holder: { epoch: 2, node: 'standby', feedAddress: 'localhost:8082' } });
  t.match(claim!.entries.slice(0, 2), [{ payloads: [] }, { content: ['a record'] }]);
  t.match(deposed.by, { epoch: 2, node: 'standby' });
});

t.test('a page of the largest entries comes back', { skip }, async (t) => {
  const core = await OpenLog.start(t, { urls, prefix: '/pages' });
  const { head } = await core.claim();
  t.same(head.number, 0);
  const record = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
  for (let count = 0; count < STORE_BOUNDS.entriesARead; count += 1) {
    core.log.append(batch(1, 0), [record, record]);
    await core.next('committed');
  }
  const reader = await OpenLog.start(t, { urls, prefix: '/pages' });
  const page = await reader.log.entries(LOG_START);
  t.same(page.length, STORE_BOUNDS.entriesARead);
  t.same(page.at(-1)?.content, [record, record]);
});

t.test('registered nodes are listed until they are forgotten', { skip }, async (t) => {
  const core = await OpenLog.start(t, { urls, prefix: '/nodes', node: 'core' });
  await core.log.keepFor(LOG_START);
  const gateway = await OpenLog.start(t, { urls, prefix: '/nodes', node: 'gateway' });
  await gateway.log.keepFor({ number: 5, check: LOG_START.check });
  t.same(
    (await core.log.registered()).map(({ node, number }) => [node, number]),
    [
      ['core', 0],
      ['gateway', 5],
    ],
  );
  await core.log.forget('gateway');
  t.match(await core.log.registered(), [{ node: 'core', isSought: false }]);
});

t.test('says how etcd is', { skip }, async (t) => {
  const { log } = await OpenLog.start(t, { urls, prefix: '/status' });
  const { endpoints, sizeBytes = 0, quotaBytes } = await log.status();
  t.same(
    endpoints.map(({ url }) => url),
    urls,
  );
  t.ok(endpoints.every(({ isAnswering }) => isAnswering));
  t.same(endpoints.filter(({ isLeader }) => isLeader).length, 1);
  t.ok(sizeBytes > 0);
  t.same(quotaBytes, 2 * 1024 ** 3);
});

t.test('refuses what does not belong together', { skip }, async (t) => {
  const prefix = '/terms';
  const { log } = await OpenLog.start(t, { urls, prefix });
  const join = (changes: Parameters<typeof terms>[0], at = prefix) =>
    OpenLog.start(t, { urls, prefix: at, terms: terms(changes) });
  const masterSecret = Buffer.alloc(32, 8);
  const table = [
    [{ masterSecret }, prefix, 'log_refused', /master secret is not that of the log below \/terms/],
    [{ funding: 'ledger' }, prefix, 'funding_changed', /begun with --funding paper/],
    [{ logId: 'other' }, prefix, 'log_differs', /follows log other, and \/terms\/ is log/],
    [{ logId: 'other' }, '/none', 'log_differs', /follows log other, and etcd has none/],
    [{ mustCreate: true }, prefix, 'log_refused', /--new-log begins a log where there is none/],
    [{ mayCreate: false }, '/none', 'log_refused', /start the core first, or correct/],
  ] as const;
  for (const [changes, at, code, message] of table) {
    await t.rejects(join(changes, at), { code, message });
  }
  t.not((await join({}, '/te')).log.logId, log.logId, 'a prefix ends with a slash');
  const again = await join({ logId: log.logId, mayCreate: false });
  t.same(again.log.logId, log.logId);
});

t.test(
  'an append outlasts a killed leader, a paused one, and a lost majority',
  { skip },
  async (t) => {
    const core = await OpenLog.start(t, { urls, prefix: '/faults' });
    const claim = await core.claim();
    t.ok(claim);
    const append = async (seq: number): Promise<LogPosition> => {
      core.log.append(batch(seq), []);
      const { entry } = await core.next('committed');
      return entry!;
    };
    await append(1);
    assert(nodes !== undefined, 'etcd is installed');
    const leader = await nodes.leader();
    await leader.child.kill();
    await append(2);
    leader.child.start();
    await nodes.waitUntilReady();
    const next = await nodes.leader();
    next.child.pause();
    await append(3);
    next.child.resume();
    await nodes.waitUntilReady();
    const [one, two] = nodes.nodes;
    one!.child.pause();
    two!.child.pause();
    const outage = core.next('outage');
    const committed = append(4);
    t.match(await outage, { message: /did not answer within/ });
    await t.rejects(core.log.look(LOG_START), { code: 'log_unavailable' });
    one!.child.resume();
    two!.child.resume();
    const { number } = await committed;
    const reader = await OpenLog.start(t, { urls, prefix: '/faults' });
    const entries: string[] = [];
    for (let known = LOG_START; known.number < number; ) {
      const page = await reader.log.entries(known);
      entries.push(...page.flatMap(({ payloads }) => payloads.map(String)));
      known = page.at(-1)!;
    }
    t.same(
      entries,
      [1, 2, 3, 4].map((seq) => `{"seq":${seq}}`),
    );
    t.same(
      core.events.some(({ kind }) => kind === 'deposed' || kind === 'failed'),
      false,
    );
  },
);

// The error lost its code on the way from the thread, and the process its exit code.
t.test('a log that can not go on says why with its code', { skip }, async (t) => {
  const core = await OpenLog.start(t, { urls, prefix: '/lost', node: 'core' });
  await core.claim();
  const failed = core.next('failed');
  const key = Buffer.from('/lost/head').toString('base64');
  const body = JSON.stringify({ key });
  await fetch(`${urls[0]}/v3/kv/deleterange`, { method: 'POST', body });
  const { error } = await failed;
  t.match(error, { code: 'log_differs', message: /has no head/ });
  t.equal(exitCodeOf(error), 2);
});
