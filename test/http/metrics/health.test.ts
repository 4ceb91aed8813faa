import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { Health, type HealthParts, type Report } from '../../../http/metrics/health.ts';
import { getHealthz, getReadyz } from '../../../http/routes/system/health.ts';
import { createLog } from '../../../http/runtime/log.ts';
import { Server } from '../../../http/server/server.ts';
import { slowDisk } from '../../persistence/journal/test-disk.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { bareParts } from '../bare-server.ts';
import { sendTo, shareTestExchange, startTestExchange } from '../exchange-fixture.ts';

type StoreHealth = ReturnType<HealthParts['exchange']['health']>;

const UP = [
  { name: 'journal', isUp: true },
  { name: 'projector', isUp: true },
  { name: 'reader', isUp: true },
  { name: 'follower', isUp: true },
] as const;

/** Parts of an exchange, with values and a clock that a test can change. */
function makeParts() {
  const store = { isAccepting: true, waitingCount: 0, waitingLimit: 10, threads: UP };
  const state = {
    nowMs: 0,
    /** Commands that are applied and wait for their commit. */
    uncommitted: 0,
    durableSeq: 5,
    projectedSeq: 5,
    upCount: 2,
    // Widened, so that tests can assign other values.
    store: store as StoreHealth,
  };
  const parts: HealthParts = {
    exchange: {
      health: () => state.store,
      get appliedSeq() {
        return state.durableSeq + state.uncommitted;
      },
      get durableSeq() {
        return state.durableSeq;
      },
      get projectedSeq() {
        return state.projectedSeq;
      },
    },
    verifiers: {
      size: 2,
      get upCount() {
        return state.upCount;
      },
    },
    clock: { pausesOrders: false, isTrusted: true, jumpMs: 0, journalLeadMs: 0 },
  };
  return { state, parts };
}

function down(name: string): StoreHealth {
  const threads = UP.map((thread) => (thread.name === name ? { ...thread, isUp: false } : thread));
  return { isAccepting: true, waitingCount: 0, waitingLimit: 10, threads };
}

// Before the first test, which would run meanwhile: one of them counts threads.
const shareSlow = await shareTestExchange(t, { journalDisk: slowDisk(150) });

t.test('a failed part is named and makes the exchange not ready', async (t) => {
  const store = down('');
  const rows: readonly (readonly [what: string, change: object, failed: readonly string[]])[] = [
    ['all is well', {}, []],
    ['one verifier of two', { upCount: 1 }, []],
    ['no verifier', { upCount: 0 }, ['verifiers']],
    ['no journal', { store: down('journal') }, ['journal']],
    ['no projector', { store: down('projector') }, ['projector']],
    ['no reader', { store: down('reader') }, ['reader']],
    ['no follower, which only audits need', { store: down('follower') }, []],
    ['nearly full', { store: { ...store, waitingCount: 9 } }, []],
    ['full', { store: { ...store, waitingCount: 10 } }, ['accepting']],
    ['failed or closing', { store: { ...store, isAccepting: false } }, ['accepting']],
    ['two at once', { upCount: 0, store: down('reader') }, ['reader', 'verifiers']],
  ];
  for (const [what, change, failed] of rows) {
    const { state, parts } = makeParts();
    const health = new Health(() => state.nowMs);
    health.watch(parts);
    Object.assign(state, change);
    const report = health.report();
    t.strictSame(report.failed, failed, what);
    t.equal(report.ready, failed.length === 0, what);
    t.match(health.report(true).failed, failed.includes('accepting') ? failed : ['accepting']);
  }
});

t.test('the lag grows until reads show a durable command', async (t) => {
  const { state, parts } = makeParts();
  const health = new Health(() => state.nowMs);
  t.match(health.report(), { ready: false, checks: { recovered: { ok: false } } });
  health.noteDurable();
  state.durableSeq = 7;
  health.watch(parts);
  /** The ms that pass, the durable and the projected seq; then the lag in ms and in commands. */
  const rows = [
    ['read from the journal and not shown yet', 40, 7, 5, 40, 2],
    ['more is durable', 10, 9, 6, 50, 3],
    ['the first is shown', 10, 9, 7, 0, 2],
    ['more is durable, and counts from then', 10, 12, 8, 0, 4],
    ['nothing is shown', 30, 15, 8, 30, 7],
    ['all is shown', 10, 15, 15, 0, 0],
  ] as const;
  for (const [what, stepMs, durableSeq, projectedSeq, lagMs, lagCommands] of rows) {
    state.nowMs += stepMs;
    state.projectedSeq = projectedSeq;
    const isNew = durableSeq > state.durableSeq;
    state.durableSeq = durableSeq;
    if (isNew) health.noteDurable();
    t.match(health.report().checks.projector, { lagMs, lagCommands, ok: true }, what);
  }
  state.durableSeq = 16;
  health.noteDurable();
  state.nowMs += HTTP_BOUNDS.readyLagMs - 1;
  t.equal(health.report().ready, true);
  state.nowMs += 1;
  t.strictSame(health.report().failed, ['projector'], 'reads are too far behind');
});

t.test('a journal that commits nothing while something waits is not ready', async (t) => {
  const { state, parts } = makeParts();
  const health = new Health(() => state.nowMs);
  health.watch(parts);
  const limit = HTTP_BOUNDS.readyCommitMs;
  /** The ms that pass, the durable seq, the commands that wait; then what has failed. */
  const rows = [
    ['nothing waits for a long time', 5 * limit, 5, 0, []],
    ['one begins to wait', 1, 5, 1, []],
    ['it has waited for long', limit, 5, 2, ['journal']],
    ['it is committed, and others wait', 1, 6, 3, []],
    ['these have not waited for long', limit - 1, 6, 3, []],
    ['now they have', 1, 6, 3, ['journal']],
    ['all is committed', 1, 9, 0, []],
  ] as const;
  for (const [what, stepMs, durableSeq, uncommitted, failed] of rows) {
    Object.assign(state, { durableSeq, projectedSeq: durableSeq, uncommitted });
    state.nowMs += stepMs;
    t.strictSame(health.report().failed, failed, what);
  }
});

t.test('GET /healthz always answers; GET /readyz is 503 until every check passes', async (t) => {
  const { state, parts } = makeParts();
  const health = new Health(() => state.nowMs);
  const routes = [getHealthz, getReadyz];
  const server = new Server({ routes, cors: false, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  const ask = async (path: string) => {
    const { status, body } = await sendTo(`http://127.0.0.1:${port}`, 'GET', path);
    return { status, body: body as unknown };
  };
  const alive = { status: 200, body: { alive: true } };
  t.strictSame(await ask('/healthz'), alive);
  t.match(await ask('/readyz'), { status: 503, body: { ready: false, failed: ['recovered'] } });
  health.watch(parts);
  server.open({ ...bareParts, services: { health } });
  t.strictSame(await ask('/readyz'), {
    status: 200,
    body: {
      ready: true,
      failed: [],
      clock: { pausesOrders: false, trusted: true, jumpMs: 0, journalLeadMs: 0 },
      checks: {
        recovered: { ok: true },
        accepting: { ok: true, waitingCommands: 0, waitingLimit: 10 },
        journal: { ok: true, durableSeq: 5 },
        projector: { ok: true, lagCommands: 0, lagMs: 0 },
        reader: { ok: true },
        verifiers: { ok: true, up: 2, threads: 2 },
      },
    },
  });
  state.upCount = 0;
  t.match(await ask('/readyz'), { status: 503, body: { ready: false, failed: ['verifiers'] } });
  t.strictSame(await ask('/healthz'), alive, 'a restart would not help');
});

/** Collects the threads that start from now on, in order. */
function startedThreads(t: Test): Worker[] {
  const workers: Worker[] = [];
  const keep = (worker: Worker): void => {
    workers.push(worker);
  };
  process.on('worker', keep);
  t.teardown(() => process.off('worker', keep));
  return workers;
}

/** Polls GET /readyz until `isEnough` accepts the report. */
async function readinessUntil(url: string, isEnough: (report: Report) => boolean): Promise<Report> {
  for (;;) {
    const { status, body } = await sendTo(url, 'GET', '/readyz');
    // Safe: the test before this one checks the whole body.
    const report = body as unknown as Report;
    assert.equal(status, report.ready ? 200 : 503);
    if (isEnough(report)) return report;
    await sleep(5);
  }
}

t.test('a thread that died makes both listeners not ready until it is back', async (t) => {
  const workers = startedThreads(t);
  const { running } = await startTestExchange(t);
  const { health } = running.services;
  const operatorUrl = `http://127.0.0.1:${running.adminPort}`;
  t.equal((await readinessUntil(operatorUrl, () => true)).ready, true, 'no token is needed');
  // Readiness does not depend on the others, those of the journal and the catalog.
  const rows = [
    ['projector', "the projector's thread"],
    ['reader', 'the reader thread'],
    ['verifiers', "a verifier's thread"],
  ] as const;
  for (const [name, thread] of rows) {
    const worker = workers.find(({ threadName }) => threadName === thread);
    t.ok(worker !== undefined, thread);
    await worker?.terminate();
    // A timer restarts the thread, but has not run yet.
    t.strictSame(health.report().failed, [name]);
    await readinessUntil(running.url, ({ ready }) => ready);
  }
});

t.test('reads that fall behind show as lag and as a failed projector', async (t) => {
  const dataDir = temporaryFolder(t);
  const { running, trader, plain } = await startTestExchange(t, { temporary: false, dataDir });
  const alice = await trader(1);
  await readinessUntil(running.url, ({ checks }) => checks.projector.lagCommands === 0);
  const foreign = new Database(join(dataDir, 'analytics.db'));
  t.teardown(() => foreign.close());
  foreign.exec('BEGIN IMMEDIATE');
  t.match((await alice.place({ tokenId: plain.tokenIds[0] })).body, { success: true });
  const late = await readinessUntil(running.url, ({ checks }) => checks.projector.lagMs > 0);
  t.match(late, { ready: true, checks: { projector: { ok: true, lagCommands: 1 } } });
  // As if the projector had waited for the lock that long.
  const { now } = performance;
  t.intercept(performance, 'now', { value: () => now.call(performance) + HTTP_BOUNDS.readyLagMs });
  const dead = await readinessUntil(running.url, ({ ready }) => !ready);
  t.match(dead, { failed: ['projector'], checks: { projector: { ok: false, lagCommands: 1 } } });
  foreign.exec('ROLLBACK');
  const back = await readinessUntil(
    running.url,
    ({ checks }) => checks.projector.lagCommands === 0,
  );
  t.match(back, { ready: true, checks: { projector: { ok: true, lagMs: 0 } } });
});

t.test('commands that wait for a slow disk are counted', async (t) => {
  const { running, trader, plain } = shareSlow();
  const alice = await trader(1);
  const placed = alice.place({ tokenId: plain.tokenIds[0] });
  const busy = await readinessUntil(
    running.url,
    ({ checks }) => checks.accepting.waitingCommands === 1,
  );
  t.match(busy, { ready: true, checks: { accepting: { ok: true } } });
  t.match((await placed).body, { success: true });
  t.equal(running.services.health.report().checks.accepting.waitingCommands, 0);
});
