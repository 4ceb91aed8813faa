import { renameSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import type { AuditReport, Exchange } from '../../../persistence/index.ts';
import { commandChecksum } from '../../../persistence/journal/schema.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/store-bounds.ts';
import type { StoreError } from '../../../persistence/shared/store-error.ts';
import { listSnapshots } from '../../../persistence/snapshots/folder.ts';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { slowDisk } from '../journal/test-disk.ts';
import {
  counterOrder,
  openBeside,
  openFollowed,
  openSpoilt,
  order,
  randomStream,
  submitAll,
  until,
  WORLD,
} from '../store-fixture.ts';

/** Makes each audit wait until the test opens the gate. */
class Gate {
  readonly cell = new Int32Array(new SharedArrayBuffer(4));

  /** Resolves when an audit waits at the gate. */
  reached(): Promise<void> {
    return until(() => Atomics.load(this.cell, 0) === 1);
  }

  open(): void {
    Atomics.store(this.cell, 0, 0);
    Atomics.notify(this.cell, 0);
  }
}

/** Opens an exchange whose follower is started by the first audit, not by a timer. */
const openLazy: typeof openFollowed = (scope, dataDir, changes = {}) =>
  openFollowed(scope, dataDir, { snapshotPace: 'never', ...changes });

/** Like `openLazy`, for a test that alters the journal while it is open. */
const openLazySpoilt: typeof openSpoilt = (scope, dataDir, changes = {}) =>
  openSpoilt(scope, dataDir, { snapshotPace: 'never', ...changes });

/** An audit, with a flag that is set when it settles. */
function noting(audit: Promise<AuditReport>) {
  const noted = { isAnswered: false, report: audit };
  const note = () => {
    noted.isAnswered = true;
  };
  audit.then(note, note);
  return noted;
}

function sumOf({ totals }: AuditReport): number {
  return (
    totals.availableMicros +
    totals.heldMicros +
    totals.lockedMicros -
    (totals.depositedMicros - totals.withdrawnMicros)
  );
}

t.test('audits that wait at a gate', async (t) => {
  const gate = new Gate();
  const exchange = await openLazy(t, temporaryFolder(t), { auditGate: gate.cell });
  await submitAll(exchange, [...WORLD, order(1), order(2)]);

  await t.test('orders are placed, matched and answered while an audit is made', async (t) => {
    const audit = noting(exchange.audit());
    await gate.reached();
    const [placed, filled] = await submitAll(exchange, [order(3), counterOrder(4)]);
    t.match(placed, { seq: 6, events: [{ kind: 'order_accepted' }] });
    t.ok(filled?.events.some(({ kind }) => kind === 'fill'));
    t.equal(audit.isAnswered, false, 'the audit is still running');
    gate.open();
    const report = await audit.report;
    t.match(report, { ok: true, fault: '', seq: 5, totals: { liveOrders: 2, accounts: 2 } });
    t.equal(sumOf(report), 0);
    const next = exchange.audit();
    await gate.reached();
    gate.open();
    t.match(await next, { ok: true, seq: 7, stateHash: exchange.stateHash() });
  });

  await t.test('requests share the running audit, or the next one after a change', async (t) => {
    const running = exchange.audit();
    await gate.reached();
    const same = exchange.audit();
    await exchange.submit(order(5));
    const later = [exchange.audit(), exchange.audit()];
    gate.open();
    const first = await running;
    t.equal(await same, first, 'nothing had changed');
    t.equal(first.seq, 7);
    await gate.reached();
    gate.open();
    const [third, fourth] = await Promise.all(later);
    t.match(third, { ok: true, seq: 8 });
    t.equal(fourth, third);
  });

  await t.test('audits beyond the limit are refused', async (t) => {
    const audits = Array.from({ length: STORE_BOUNDS.waitingAudits }, () => exchange.audit());
    await t.rejects(exchange.audit(), { code: 'overloaded' });
    await gate.reached();
    gate.open();
    t.equal(new Set(await Promise.all(audits)).size, 1);
  });

  await t.test('an exchange that closes rejects waiting audits', async (t) => {
    const audit = exchange.audit();
    await gate.reached();
    const closed = exchange.close();
    await t.rejects(audit, { code: 'reader_unavailable', message: /is stopping/ });
    gate.open();
    await closed;
    await t.rejects(exchange.audit(), { code: 'reader_unavailable' });
  });
});

t.test('an audit shows the state at its request, once that is durable', async (t) => {
  const exchange = await openLazy(t, temporaryFolder(t), { journalDisk: slowDisk(100) });
  await exchange.audit();
  const answers = submitAll(exchange, [...WORLD, order(1)]);
  t.equal(exchange.durableSeq, 0);
  const stateHash = exchange.stateHash();
  const audit = exchange.audit();
  // These may become durable in the same batch, but the audit must not show them.
  const later = submitAll(exchange, [order(2), order(3)]);
  t.match(await audit, { ok: true, seq: 4, stateHash });
  t.ok(exchange.durableSeq >= 4);
  await Promise.all([answers, later]);
});

t.test('audits find no fault during random commands', async (t) => {
  const { steps, durable } = randomStream(17, times(1_500, 4_000));
  let nowMs = 0;
  const exchange = await openLazy(t, temporaryFolder(t), { now: () => nowMs });
  const audits: Promise<AuditReport>[] = [];
  const atLeast: number[] = [];
  for (const [index, { timeMs, command }] of steps.entries()) {
    nowMs = timeMs;
    void exchange.submit(command);
    if (index % 250 !== 0) continue;
    atLeast.push(exchange.appliedSeq);
    audits.push(exchange.audit());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reports = await Promise.all([...audits, exchange.audit()]);
  for (const [index, report] of reports.entries()) {
    t.match(report, { ok: true, fault: '' });
    t.ok(report.seq >= (atLeast[index] ?? durable.length), `${report.seq} of ${atLeast[index]}`);
    t.equal(sumOf(report), 0);
  }
  t.match(reports.at(-1), { seq: durable.length, timeMs: durable.at(-1)?.timeMs });
  t.equal(reports.at(-1)?.stateHash, exchange.stateHash());
});

t.test('an exchange closes while the follower is being started', async (t) => {
  const exchange = await openLazy(t, temporaryFolder(t));
  const [, closed] = await Promise.allSettled([exchange.audit(), exchange.close()]);
  t.equal(closed.status, 'fulfilled');
});

t.test('a stop that starts the follower for the last snapshot refuses audits', async (t) => {
  const exchange = await openFollowed(t, temporaryFolder(t));
  await submitAll(exchange, [...WORLD, order(1)]);
  let isClosed = false;
  const closed = exchange.close().then(() => {
    isClosed = true;
  });
  const codes = new Set<string>();
  while (!isClosed) {
    // Before this was mended, an audit after the thread had opened was never answered.
    const { code } = await exchange.audit().then(
      () => ({ code: 'made' }),
      (error: StoreError) => error,
    );
    codes.add(code);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  // One that begins before the stop does is still made.
  codes.delete('made');
  t.same([...codes], ['reader_unavailable']);
  t.ok(exchange.health().lastSnapshot?.seq === 4, 'the snapshot was made');
});

/** Makes reads of fills, as the follower does them, fail until the returned function is called. */
function spoilFills(scope: Scope, dataDir: string) {
  const beside = openBeside(scope, join(dataDir, 'journal.db'));
  const columns = beside
    .prepare<[], string>("SELECT name FROM pragma_table_info('fills')")
    .pluck()
    .all()
    .map((name) => (name === 'lots' ? 'abs(-9223372036854775807 - 1) AS lots' : name));
  beside.exec(
    'ALTER TABLE fills RENAME TO hidden; ' +
      `CREATE VIEW fills AS SELECT ${columns.join(', ')} FROM hidden`,
  );
  return () => beside.exec('DROP VIEW fills; ALTER TABLE hidden RENAME TO fills');
}

/** The first audit that is not refused. */
async function auditAtLast(exchange: Exchange): Promise<AuditReport> {
  let report: AuditReport | undefined;
  await until(async () => {
    report = await exchange.audit().catch(() => undefined);
    return report !== undefined;
  });
  if (report === undefined) throw new Error('the loop ends with a report');
  return report;
}

t.test('an audit starts a follower that was not started, failed to start or died', async (t) => {
  const dataDir = temporaryFolder(t);
  const downs: string[] = [];
  const exchange = await openLazy(t, dataDir, {
    on: { thread_down: ({ name, error }) => downs.push(`${name}: ${error.message}`) },
  });
  const find = () => exchange.health().threads.find(({ name }) => name === 'follower');
  await submitAll(exchange, [...WORLD, order(1), counterOrder(2)]);

  await t.test('without snapshots there is no follower until the first audit', async (t) => {
    t.same([find(), exchange.health().followedSeq], [undefined, undefined]);
  });

  await t.test('a follower that could not start is started by the next audit', async (t) => {
    const path = join(dataDir, 'journal.db');
    renameSync(path, `${path}.away`);
    const refusal = { code: 'reader_unavailable', message: /unable to open database file/ };
    await Promise.all([1, 2].map(() => t.rejects(exchange.audit(), refusal)));
    await t.rejects(exchange.audit(), refusal, 'tried again');
    renameSync(`${path}.away`, path);
  });

  await t.test('audits are refused while it is down, and accepted when it is back', async (t) => {
    const restoreFills = spoilFills(t, dataDir);
    downs.splice(0);
    await t.rejects(exchange.audit(), { code: 'reader_unavailable' }, 'the follower dies');
    t.same(downs, ["the follower's thread: integer overflow"]);
    t.same(find(), { name: 'follower', isUp: false });
    await t.rejects(exchange.audit(), { code: 'reader_unavailable' }, 'at once');
    t.match(await exchange.submit(order(3)), { seq: 6 }, 'trading continues');
    restoreFills();
    t.match(await auditAtLast(exchange), { ok: true, seq: 6, stateHash: exchange.stateHash() });
    t.same([find(), exchange.health().followedSeq], [{ name: 'follower', isUp: true }, 6]);
    await exchange.submit(order(4));
    await until(() => exchange.health().followedSeq === 7);
    t.same(listSnapshots(join(dataDir, 'snapshots')), [], 'no snapshot was made');
  });
});

/** Replaces a text in a journaled command and updates its checksum. */
function forge(scope: Scope, dataDir: string, [from, to]: readonly [string, string]): void {
  const beside = openBeside(scope, join(dataDir, 'journal.db'));
  const row = beside
    .prepare<
      [string],
      { seq: number; timeMs: number; kind: string; payload: string; ends: number; digest: number }
    >(
      'SELECT seq, time_ms AS timeMs, kind, payload, ends_batch AS ends, digest FROM commands ' +
        "WHERE payload LIKE '%' || ? || '%'",
    )
    .get(from);
  if (row === undefined) throw new Error(`no command has ${from}`);
  const payload = row.payload.replace(from, to);
  beside
    .prepare('UPDATE commands SET payload = ?, checksum = ? WHERE seq = ?')
    .run(payload, commandChecksum({ ...row, payload, endsBatch: row.ends === 1 }), row.seq);
}

const PAID_MORE = ['"paperMicros":1000000000', '"paperMicros":1000000001'] as const;

/** Changes of a journal while its exchange is open, and the fault that the audit reports. */
const ALTERED: readonly (readonly [
  what: string,
  alter: (scope: Scope, dataDir: string) => void,
  fault: RegExp,
  seq: number,
])[] = [
  [
    'an account that was opened with more cash',
    (scope, dataDir) => forge(scope, dataDir, PAID_MORE),
    /command \d does not replay as it ran: the balances after it are other ones/,
    0,
  ],
  [
    'a fill of another size',
    (scope, dataDir) =>
      openBeside(scope, join(dataDir, 'journal.db')).exec('UPDATE fills SET lots = 9'),
    /command 5 does not replay as it ran: fill 0 has lots 9 stored and 10 replayed/,
    0,
  ],
  [
    'a command that was changed',
    (scope, dataDir) =>
      openBeside(scope, join(dataDir, 'journal.db')).exec(
        'UPDATE commands SET time_ms = time_ms + 1 WHERE seq = 6',
      ),
    /command 6 does not match its checksum/,
    0,
  ],
];

t.test('a follower that finds a fault reports it, and is replaced', async (t) => {
  for (const [what, alter, fault, seq] of ALTERED) {
    await t.test(what, async (t) => {
      const dataDir = temporaryFolder(t);
      const downs: string[] = [];
      const found: AuditReport[] = [];
      const exchange = await openLazySpoilt(t, dataDir, {
        on: {
          thread_down: ({ name, error }) => {
            if (name === "the follower's thread") downs.push(error.message);
          },
          audit_fault: ({ report }) => found.push(report),
        },
      });
      await submitAll(exchange, [...WORLD, order(1), counterOrder(2), order(3)]);
      // The projector would die of the change too.
      await until(() => exchange.projectedSeq === exchange.durableSeq);
      alter(t, dataDir);
      const report = await exchange.audit();
      t.match(report, { ok: false, fault, seq });
      t.same(found, [report], 'the fault is reported to handlers');
      await until(() => downs.length === 1);
      t.match(downs[0], fault, 'the follower died');
      t.match(
        await auditAtLast(exchange),
        { ok: false, fault, seq },
        'the next follower finds the same fault',
      );
      t.match(await exchange.submit(order(4)), { seq: 7 }, 'trading continues');
    });
  }
});

t.test('a fault is reported when it is found, and again by the next audit', async (t) => {
  const dataDir = temporaryFolder(t);
  const found: AuditReport[] = [];
  const exchange = await openLazySpoilt(t, dataDir, {
    journalDisk: slowDisk(20),
    snapshotPace: { everyMs: 0 },
    on: { audit_fault: ({ report }) => found.push(report) },
  });
  await submitAll(exchange, WORLD);
  t.match(await exchange.audit(), { ok: true });
  const beside = openBeside(t, join(dataDir, 'journal.db'));
  beside.exec(
    'CREATE TRIGGER damage AFTER INSERT ON commands BEGIN ' +
      'UPDATE commands SET time_ms = new.time_ms + 1 WHERE seq = new.seq; END',
  );
  await exchange.submit(order(1));
  await until(() => found.length > 0);
  t.match(found, [{ ok: false, seq: 3, fault: /command 4 does not match its checksum/ }]);
  await t.rejects(exchange.makeSnapshot(), {
    code: 'snapshot_failed',
    details: { reason: /^the state is broken: .*command 4 does not match/ },
  });
  t.same(await exchange.audit(), found[0]);
});

t.test('a fault that the live engine has too stops the exchange', async (t) => {
  const dataDir = temporaryFolder(t);
  const fatal: string[] = [];
  const exchange = await openLazySpoilt(t, dataDir, {
    on: { failed: ({ error }) => fatal.push(error.message) },
  });
  await submitAll(exchange, [...WORLD, order(1), counterOrder(2)]);
  t.capture(Engine.prototype, 'validate', () => {
    throw new Error('YES tokens of 0xc0: expected 1, found 2');
  });
  const restoreFills = spoilFills(t, dataDir);
  await t.rejects(exchange.audit(), { code: 'reader_unavailable' });
  t.same(fatal, [], 'the exchange runs on until a fault is found');
  forge(t, dataDir, PAID_MORE);
  restoreFills();
  t.match(await auditAtLast(exchange), { ok: false, fault: /the balances after it/ });
  t.same(fatal, ['YES tokens of 0xc0: expected 1, found 2']);
  await t.rejects(exchange.submit(order(3)), { code: 'stopping' });
});
