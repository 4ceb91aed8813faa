import { cpSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Engine, stateHash } from '../../../engine/index.ts';
import type {
  AuditReport,
  DurableCommand,
  Exchange,
  RestoredState,
  SnapshotMade,
} from '../../../persistence/index.ts';
import { listSnapshots } from '../../../persistence/snapshots/folder.ts';
import { GATE, SnapshotMaker } from '../../../persistence/snapshots/maker.ts';
import { isLong, times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import type { EventHandlers } from '../event-handlers.ts';
import { makeClosedFolder } from '../journal/fixture.ts';
import { restoredOracle } from '../shared/restored-oracle.ts';
import {
  closeSpoilt,
  openBeside,
  openFollowed,
  openSpoilt,
  order,
  randomStream,
  type StreamStep,
  submitAll,
  until,
  WORLD,
} from '../store-fixture.ts';

function snapshotsOf(dataDir: string): string {
  return join(dataDir, 'snapshots');
}
/** Starts the follower by an audit, because its timer takes a second. */
async function startFollower(exchange: Exchange): Promise<void> {
  await exchange.audit();
}

function seqsIn(dataDir: string): number[] {
  return listSnapshots(snapshotsOf(dataDir)).map(({ seq }) => seq);
}

const ONLY_AT_STOPS = { everyMs: 0 };

/** Submits steps at their times and returns the events of their answers. */
async function submitSteps(
  exchange: Exchange,
  clock: { nowMs: number },
  steps: readonly StreamStep[],
): Promise<unknown[]> {
  const answers = steps.map(({ timeMs, command }) => {
    clock.nowMs = timeMs;
    return exchange.submit(command);
  });
  return (await Promise.all(answers)).map(({ events }) => events);
}

/** Turns iterables into arrays. */
function factsOf({ markets, apiKeys, orderKeys }: RestoredState) {
  return {
    markets: [...markets],
    apiKeys: [...apiKeys],
    orderKeys: [...orderKeys],
  };
}

/** A closed folder with a market, two accounts and orders of these numbers, from seq 4 on. */
function folderOf(scope: Scope, numbers: readonly number[], snapshots: readonly number[]): string {
  const orders = numbers.map((number) => order(number));
  return makeClosedFolder(scope, [...WORLD, ...orders], { snapshots });
}

/** The exchange stops after these parts of its commands. */
const STOPS = isLong ? [0, 0.05, 0.3, 0.6, 0.61, 1] : [0.3, 0.6, 1];

t.test('an exchange continues from a snapshot as without a restart', async (t) => {
  for (const seed of [21]) {
    const { steps, durable, engine } = randomStream(seed, times(600, 1_200));
    const dataDir = temporaryFolder(t);
    const clock = { nowMs: 0 };
    const answers: unknown[] = [];
    const begun: number[] = [];
    const stops = STOPS.map((part) => Math.floor(part * steps.length));
    for (const [index, stop] of stops.entries()) {
      const restored: RestoredState[] = [];
      const delivered: DurableCommand[] = [];
      const exchange = await openFollowed(t, dataDir, {
        now: () => clock.nowMs,
        // Some starts use a snapshot that is older than the journal's end, as after a crash.
        snapshotPace: index % 2 === 0 ? ONLY_AT_STOPS : 'never',
        on: {
          restored: ({ state }) => {
            t.same(delivered, [], 'before any command');
            restored.push(state);
            const before = durable.slice(0, state.seq);
            t.strictSame(factsOf(state), factsOf(restoredOracle(before)), `seq ${state.seq}`);
          },
          durable: ({ commands }) => delivered.push(...commands),
        },
      });
      const { snapshotSeq, replayed } = exchange.recovered;
      t.equal(restored[0]?.seq ?? 0, exchange.appliedSeq, 'the state after the last command');
      t.strictSame(delivered, [], 'which contains the replayed ones');
      t.equal(snapshotSeq + replayed, exchange.appliedSeq);
      begun.push(snapshotSeq);
      const from = stops[index - 1] ?? 0;
      answers.push(...(await submitSteps(exchange, clock, steps.slice(from, stop))));
      const report = await exchange.audit();
      t.match(report, { ok: true, stateHash: exchange.stateHash() });
      await exchange.close();
    }
    t.strictSame(
      answers,
      steps.map(({ events }) => events),
      'each answer is the same as without a restart',
    );
    const last = await openFollowed(t, dataDir, { now: () => clock.nowMs });
    t.equal(last.appliedSeq, durable.length);
    t.equal(last.stateHash(), stateHash(engine.state()));
    begun.push(last.recovered.snapshotSeq);
    t.ok(new Set(begun).size >= 3, `begun from ${begun}`);
  }
});

t.test('an unusable snapshot is reported, and the one before it is used', async (t) => {
  const dataDir = folderOf(t, [1, 2, 3, 4], [5, 7]);
  const [newest] = listSnapshots(snapshotsOf(dataDir));
  truncateSync(newest!.path, 1_000);
  writeFileSync(join(snapshotsOf(dataDir), '000000000000009.snapshot.new'), 'half');
  const unusable: [string, Error][] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { snapshot_unusable: ({ path, error }) => unusable.push([path, error]) },
  });
  t.match(exchange.recovered, { snapshotSeq: 5, replayed: 2 });
  t.match(unusable, [[newest?.path, { code: 'snapshot_damaged' }]]);
  t.equal(exchange.state.totals().liveOrders, 4);
  await exchange.submit(order(9));
  await exchange.close();
  t.same(seqsIn(dataDir), [8, 7, 5], 'the next one is made');
  t.equal(readdirSync(snapshotsOf(dataDir)).length, 3, 'the half-written one is removed');
});

t.test('without a usable snapshot the whole journal is replayed', async (t) => {
  const dataDir = folderOf(t, [1, 2, 3, 4], [5, 7]);
  for (const { path } of listSnapshots(snapshotsOf(dataDir))) truncateSync(path, 300);
  const unusable: string[] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { snapshot_unusable: ({ path }) => unusable.push(path) },
  });
  t.match(exchange.recovered, { snapshotSeq: 0, replayed: 7 });
  t.equal(unusable.length, 2);
});

t.test('a snapshot that is ahead of the journal makes the start fail', async (t) => {
  const newer = folderOf(t, [1, 2, 3, 4], [5, 7]);
  // An older copy of the journal. Only the snapshot shows that it is older.
  const dataDir = folderOf(t, [1, 2], []);
  cpSync(snapshotsOf(newer), snapshotsOf(dataDir), { recursive: true });
  await t.rejects(openFollowed(t, dataDir), {
    code: 'journal_behind',
    message: /ends at seq 5, but the snapshot .*000000000000007.snapshot shows that seq 7 was/,
  });
  const seven = join(snapshotsOf(dataDir), '000000000000007.snapshot');
  writeFileSync(seven, '');
  await t.rejects(openFollowed(t, dataDir), { code: 'journal_behind' }, 'by its name alone');
  renameSync(seven, join(newer, 'moved'));
  const back = await openFollowed(t, dataDir);
  t.match(back.recovered, { snapshotSeq: 5, replayed: 0 }, 'the remedy of the error works');
});

t.test('an older copy of a journal that has grown again is refused', async (t) => {
  const dataDir = folderOf(t, [1, 2, 3, 4], [5, 7]);
  const other = folderOf(t, [1, 2, 5, 6, 7], []);
  cpSync(snapshotsOf(dataDir), snapshotsOf(other), { recursive: true });
  await t.rejects(openFollowed(t, other), {
    code: 'journal_replaced',
    message: /000000000000007.snapshot is of another journal: its command 7 has the checksum/,
  });
});

t.test('a snapshot is made after a number of commands', async (t) => {
  const dataDir = temporaryFolder(t);
  const made: SnapshotMade[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 10 },
    on: { snapshot_made: ({ snapshot }) => made.push(snapshot) },
  });
  await startFollower(exchange);
  await submitAll(exchange, WORLD);
  for (let number = 1; number <= 48; number += 1) {
    await exchange.submit(order(number));
    if (number % 12 === 0) await until(() => made.length >= number / 12);
  }
  t.ok(made.length >= 4, `${made.length} were made`);
  t.equal(seqsIn(dataDir).length, 3, 'the newest three are kept');
  t.same(exchange.health().lastSnapshot, made.at(-1));
  t.equal(seqsIn(dataDir)[0], made.at(-1)?.seq);
  for (const [index, { seq, bytes }] of made.entries()) {
    t.ok(seq - (made[index - 1]?.seq ?? 0) >= 10 && bytes > 0);
  }
});

t.test('snapshots are made at intervals, but only after a change', async (t) => {
  const dataDir = temporaryFolder(t);
  const made: SnapshotMade[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 50 },
    on: { snapshot_made: ({ snapshot }) => made.push(snapshot) },
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  await until(() => made.at(-1)?.seq === 4);
  t.match(exchange.health().threads.at(-1), { name: 'follower', isUp: true }, 'by itself');
  t.equal(exchange.health().followedSeq, 4);
  const count = made.length;
  await exchange.audit();
  await exchange.submit(order(2));
  await until(() => made.at(-1)?.seq === 5);
  t.equal(made.length, count + 1, 'only one, after the change');
  await exchange.close();
  t.equal(made.length, count + 1, 'none at the stop');
});

t.test('a stop makes a snapshot if anything changed, also soon after the start', async (t) => {
  const dataDir = temporaryFolder(t);
  const made: number[] = [];
  const on: EventHandlers = { snapshot_made: ({ snapshot }) => made.push(snapshot.seq) };
  for (const commands of [[], [...WORLD, order(1)], []]) {
    const exchange = await openFollowed(t, dataDir, { on });
    const answers = submitAll(exchange, commands);
    await exchange.close();
    await answers;
  }
  t.same(made, [4]);
});

t.test('a temporary exchange makes no snapshots', async (t) => {
  const made: SnapshotMade[] = [];
  const dataDir = temporaryFolder(t);
  const exchange = await openFollowed(t, dataDir, {
    temporary: true,
    snapshotPace: { everyMs: 1, everyCommands: 1 },
    on: { snapshot_made: ({ snapshot }) => made.push(snapshot) },
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  t.match(await exchange.audit(), { ok: true });
  await exchange.close();
  t.same(made, []);
  t.same(seqsIn(dataDir), []);
});

/** The gate that each part of a snapshot passes; see `ExchangeOptions.snapshotGate`. */
class Gate {
  readonly cells = new Int32Array(new SharedArrayBuffer(8));

  set(state: number): void {
    Atomics.store(this.cells, 0, state);
    Atomics.notify(this.cells, 0);
  }

  reached(): Promise<void> {
    return until(() => Atomics.load(this.cells, 1) === 1);
  }
}

t.test('trading continues whatever happens to a snapshot', async (t) => {
  const gate = new Gate();
  const dataDir = temporaryFolder(t);
  const down: string[] = [];
  const failed: string[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 4 },
    snapshotGate: gate.cells,
    on: {
      thread_down: ({ name }) => down.push(name),
      snapshot_failed: ({ error }) => failed.push(error.message),
    },
  });
  await startFollower(exchange);
  let restartedAt = 0;

  await t.test('trading continues while a snapshot is written', async (t) => {
    gate.set(GATE.closed);
    await submitAll(exchange, [...WORLD, order(1)]);
    await gate.reached();
    t.match(await exchange.submit(order(2)), { seq: 5 });
    t.equal(exchange.durableSeq, 5);
    t.equal(exchange.health().lastSnapshot, undefined, 'the snapshot is still being written');
    gate.set(GATE.open);
    await until(() => exchange.health().lastSnapshot?.seq === 4);
  });

  await t.test(
    'a follower that dies while it writes leaves no half-written snapshot, and is restarted',
    async (t) => {
      gate.set(GATE.deadly);
      await submitAll(exchange, [order(3), order(4), order(5)]);
      await until(() => down.length > 0);
      t.equal(down[0], "the follower's thread");
      t.same(seqsIn(dataDir), [4]);
      t.match(await exchange.submit(order(6)), { seq: 9 }, 'trading continues');
      gate.set(GATE.open);
      // The new thread may begin before it is told that order 6 is durable.
      await until(() => (exchange.health().lastSnapshot?.seq ?? 0) >= 8);
      restartedAt = exchange.health().lastSnapshot?.seq ?? 0;
      t.same(seqsIn(dataDir), [restartedAt, 4]);
      t.equal(readdirSync(snapshotsOf(dataDir)).length, 2, 'no leftover');
    },
  );

  await t.test('a full disk fails a snapshot, and nothing else', async (t) => {
    t.same(failed, []);
    gate.set(GATE.full);
    await submitAll(exchange, [order(7), order(8), order(9), order(10)]);
    await until(() => failed.length > 0);
    t.same(failed, ['no space left']);
    t.equal(readdirSync(snapshotsOf(dataDir)).length, 2, 'its partial file is removed');
    t.match(await exchange.submit(order(11)), { seq: 14 });
    t.match(await exchange.audit(), { ok: true, seq: 14 });
    t.equal(failed.length, 1, 'it is not retried at every step');
    gate.set(GATE.open);
    await exchange.close();
    t.same(seqsIn(dataDir), [14, restartedAt, 4]);
  });
});

t.test('snapshots on request', async (t) => {
  const gate = new Gate();
  const dataDir = temporaryFolder(t);
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 0 },
    snapshotGate: gate.cells,
  });

  await t.test('one shows all that was applied before, durable or not', async (t) => {
    const placing = submitAll(exchange, [...WORLD, order(1)]);
    t.match([exchange.appliedSeq, exchange.durableSeq], [4, 0]);
    t.match(await exchange.makeSnapshot(), { seq: 4, bytes: Number, madeMs: Number });
    t.match(await placing, [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }]);
    t.match(await exchange.makeSnapshot(), { seq: 4 }, 'nothing changed since');
    t.strictSame(seqsIn(dataDir), [4]);
  });

  await t.test('requests share one, and a later one waits for what it asks for', async (t) => {
    gate.set(GATE.closed);
    await submitAll(exchange, [order(2)]);
    const early = [exchange.makeSnapshot(), exchange.makeSnapshot()];
    await gate.reached();
    await submitAll(exchange, [order(3)]);
    const late = exchange.makeSnapshot();
    gate.set(GATE.open);
    t.match(await late, { seq: 6 });
    for (const made of await Promise.all(early)) t.ok(made.seq >= 5);
    t.strictSame(
      exchange.snapshots().map(({ seq }) => seq),
      [6, 5, 4],
    );
  });

  await t.test('a failure is told, and the next request tries again', async (t) => {
    await submitAll(exchange, [order(4)]);
    gate.set(GATE.full);
    await t.rejects(exchange.makeSnapshot(), {
      code: 'snapshot_failed',
      details: { reason: 'no space left' },
    });
    gate.set(GATE.open);
    t.match(await exchange.makeSnapshot(), { seq: 7 });
  });

  await t.test('the death of the thread is told too', async (t) => {
    await submitAll(exchange, [order(5)]);
    gate.set(GATE.deadly);
    await t.rejects(exchange.makeSnapshot(), { code: 'reader_unavailable' });
    gate.set(GATE.open);
    await until(async () => (await exchange.makeSnapshot().catch(() => undefined))?.seq === 8);
  });
});

t.test('a snapshot that fails at the stop is reported', async (t) => {
  const dataDir = temporaryFolder(t);
  const failed: string[] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { snapshot_failed: ({ error }) => failed.push(error.message) },
  });
  writeFileSync(snapshotsOf(dataDir), 'a file where a folder should be');
  await submitAll(exchange, [...WORLD, order(1)]);
  await exchange.close();
  t.match(failed, [/ENOTDIR|EEXIST/]);
});

t.test('a state with a fault is reported and never written', async (t) => {
  const dataDir = temporaryFolder(t);
  const found: AuditReport[] = [];
  const exchange = await openSpoilt(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 5 },
    on: { audit_fault: ({ report }) => found.push(report) },
  });
  await startFollower(exchange);
  await submitAll(exchange, [...WORLD, order(1)]);
  // Only the follower sees this damage of the journal.
  openBeside(t, join(dataDir, 'journal.db')).exec(
    'CREATE TRIGGER damage AFTER INSERT ON commands BEGIN ' +
      'UPDATE commands SET time_ms = new.time_ms + 1 WHERE seq = new.seq; END',
  );
  await exchange.submit(order(2));
  await until(() => found.length > 0);
  t.match(found, [{ ok: false, fault: /command 5 does not match its checksum/ }]);
  await closeSpoilt(exchange);
  t.same(seqsIn(dataDir), []);
});

t.test('an engine with a broken invariant is never written', (t) => {
  const folder = snapshotsOf(temporaryFolder(t));
  const engine = new Engine();
  const maker = new SnapshotMaker({ folder, funding: 'paper', pace: ONLY_AT_STOPS });
  t.capture(engine, 'validate', () => {
    throw new Error('YES tokens of 0xc0: expected 1, found 2');
  });
  const details = { commandChecksum: 1, deadlineMs: Number.POSITIVE_INFINITY };
  t.throws(() => maker.make(engine, { seq: 1, timeMs: 1 }, details), /expected 1, found 2/);
  t.same(listSnapshots(folder), []);
  t.end();
});
