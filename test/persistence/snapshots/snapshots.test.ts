import { cpSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import type { EventHandlers } from '../event-handlers.ts';
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
  type TestOptions,
  until,
  WORLD,
} from '../store-fixture.ts';

function snapshotsOf(dataDir: string): string {
  return join(dataDir, 'snapshots');
}
function seqsIn(dataDir: string): number[] {
  return listSnapshots(snapshotsOf(dataDir)).map(({ seq }) => seq);
}

const ONLY_AT_STOPS = { everyMs: 0 };

/** Submits steps at their times and gives what was answered. */
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

/** Lists instead of what can be walked over. */
function factsOf({ markets, apiKeys, orderKeys, builderAccounts }: RestoredState) {
  return {
    markets: [...markets],
    apiKeys: [...apiKeys],
    orderKeys: [...orderKeys],
    builderAccounts: [...builderAccounts],
  };
}

/** Folders that `folderOf` made, by their stops: tests get copies. */
const made = new Map<string, string>();

/** A closed folder with these orders; its exchange was stopped after each list. */
async function folderOf(scope: Scope, stops: readonly (readonly number[])[]): Promise<string> {
  const key = JSON.stringify(stops);
  const known = made.get(key) ?? (await makeFolder(stops));
  made.set(key, known);
  const dataDir = temporaryFolder(scope);
  cpSync(known, dataDir, { recursive: true });
  return dataDir;
}

async function makeFolder(stops: readonly (readonly number[])[]): Promise<string> {
  const dataDir = temporaryFolder(t);
  for (const [index, numbers] of stops.entries()) {
    const exchange = await openFollowed(t, dataDir, { snapshotPace: ONLY_AT_STOPS });
    if (index === 0) await submitAll(exchange, WORLD);
    await submitAll(
      exchange,
      numbers.map((number) => order(number)),
    );
    await exchange.close();
  }
  return dataDir;
}

t.test('an exchange goes on from a snapshot as if there were none', async (t) => {
  for (const seed of [21]) {
    const { steps, durable, engine } = randomStream(seed, 1_200);
    const dataDir = temporaryFolder(t);
    const clock = { nowMs: 0 };
    const answers: unknown[] = [];
    const begun: number[] = [];
    const stops = [0, 0.05, 0.3, 0.6, 0.61, 1].map((part) => Math.floor(part * steps.length));
    for (const [index, stop] of stops.entries()) {
      const told: RestoredState[] = [];
      const heard: DurableCommand[] = [];
      const exchange = await openFollowed(t, dataDir, {
        now: () => clock.nowMs,
        // Some begin from a snapshot that is not the end of the journal, as after a crash.
        snapshotPace: index % 2 === 0 ? ONLY_AT_STOPS : 'never',
        on: {
          restored: ({ state }) => {
            t.same(heard, [], 'before any command');
            told.push(state);
            const before = durable.slice(0, state.seq);
            t.strictSame(factsOf(state), factsOf(restoredOracle(before)), `seq ${state.seq}`);
          },
          durable: ({ commands }) => heard.push(...commands),
        },
      });
      const { snapshotSeq, replayed } = exchange.recovered;
      t.equal(told[0]?.seq ?? 0, snapshotSeq);
      t.equal(heard.length, replayed, 'what comes after it was told as commands');
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
      'each answer is the one that an exchange without a restart gives',
    );
    const last = await openFollowed(t, dataDir, { now: () => clock.nowMs });
    t.equal(last.appliedSeq, durable.length);
    t.equal(last.stateHash(), stateHash(engine.state()));
    t.ok(new Set(begun).size >= 3, `begun from ${begun}`);
  }
});

t.test('a snapshot that can not be used is told of, and the one before it is used', async (t) => {
  const dataDir = await folderOf(t, [
    [1, 2],
    [3, 4],
  ]);
  const [newest] = listSnapshots(snapshotsOf(dataDir));
  truncateSync(newest!.path, 1_000);
  const told: [string, Error][] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { snapshot_unusable: ({ path, error }) => told.push([path, error]) },
  });
  t.match(exchange.recovered, { snapshotSeq: 5, replayed: 2 });
  t.match(told, [[newest?.path, { code: 'snapshot_damaged' }]]);
  t.equal(exchange.state.totals().liveOrders, 4);
  await exchange.submit(order(9));
  await exchange.close();
  t.same(seqsIn(dataDir)[0], 8, 'the next one is made');
});

t.test('with no snapshot that can be used, the whole journal is replayed', async (t) => {
  const dataDir = await folderOf(t, [
    [1, 2],
    [3, 4],
  ]);
  for (const { path } of listSnapshots(snapshotsOf(dataDir))) truncateSync(path, 300);
  const told: string[] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { snapshot_unusable: ({ path }) => told.push(path) },
  });
  t.match(exchange.recovered, { snapshotSeq: 0, replayed: 7 });
  t.equal(told.length, 2);
});

t.test('a snapshot that shows more than the journal has refuses the start', async (t) => {
  const dataDir = await folderOf(t, [[1, 2]]);
  const older = join(temporaryFolder(t), 'older');
  cpSync(dataDir, older, { recursive: true });
  const exchange = await openFollowed(t, dataDir);
  await submitAll(exchange, [order(3), order(4)]);
  await exchange.close();
  // An older copy of the journal, and nothing else that would say so.
  for (const name of readdirSync(dataDir)) {
    if (name !== 'snapshots') rmSync(join(dataDir, name), { recursive: true });
  }
  cpSync(join(older, 'journal.db'), join(dataDir, 'journal.db'));
  await t.rejects(openFollowed(t, dataDir), {
    code: 'journal_behind',
    message: /ends at seq 5, but the snapshot .*000000000000007.snapshot shows that seq 7 was/,
  });
  const seven = join(snapshotsOf(dataDir), '000000000000007.snapshot');
  writeFileSync(seven, '');
  await t.rejects(openFollowed(t, dataDir), { code: 'journal_behind' }, 'its name alone says so');
  renameSync(seven, join(older, 'moved'));
  const back = await openFollowed(t, dataDir);
  t.match(back.recovered, { snapshotSeq: 5, replayed: 0 }, 'the way on that was named');
});

t.test('an older journal that grew again is refused, for it is another one', async (t) => {
  const dataDir = await folderOf(t, [
    [1, 2],
    [3, 4],
  ]);
  const other = await folderOf(t, [
    [1, 2],
    [5, 6, 7],
  ]);
  rmSync(snapshotsOf(other), { recursive: true });
  cpSync(snapshotsOf(dataDir), snapshotsOf(other), { recursive: true });
  await t.rejects(openFollowed(t, other), {
    code: 'journal_replaced',
    message: /000000000000007.snapshot is of another journal: its command 7 has the checksum/,
  });
});

t.test('snapshots are made as commands come, of the newest state', async (t) => {
  const dataDir = temporaryFolder(t);
  const made: SnapshotMade[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 10 },
    on: { snapshot_made: ({ snapshot }) => made.push(snapshot) },
  });
  await submitAll(exchange, WORLD);
  for (let number = 1; number <= 60; number += 1) {
    await exchange.submit(order(number));
    if (number % 12 === 0) await until(() => made.length >= number / 12);
  }
  t.ok(made.length >= 5, `${made.length} were made`);
  t.equal(seqsIn(dataDir).length, 3, 'the newest three are kept');
  t.same(exchange.health().lastSnapshot, made.at(-1));
  t.equal(seqsIn(dataDir)[0], made.at(-1)?.seq);
  for (const [index, { seq, bytes }] of made.entries()) {
    t.ok(seq - (made[index - 1]?.seq ?? 0) >= 10 && bytes > 0);
  }
});

t.test('snapshots are made as time goes by, and only of what changed', async (t) => {
  const dataDir = temporaryFolder(t);
  const made: SnapshotMade[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 50 },
    on: { snapshot_made: ({ snapshot }) => made.push(snapshot) },
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  await until(() => made.at(-1)?.seq === 4);
  const count = made.length;
  await exchange.audit();
  await exchange.submit(order(2));
  await until(() => made.at(-1)?.seq === 5);
  t.equal(made.length, count + 1, 'one for the change, none for the time before it');
  await exchange.close();
  t.equal(made.length, count + 1, 'nor at the stop');
});

t.test(
  'a stop makes one of everything, also soon after the start; never of nothing new',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const made: number[] = [];
    const on: EventHandlers = { snapshot_made: ({ snapshot }) => made.push(snapshot.seq) };
    for (const commands of [[], [...WORLD, order(1)], [], [order(2)]]) {
      const exchange = await openFollowed(t, dataDir, { on });
      const answers = submitAll(exchange, commands);
      await exchange.close();
      await answers;
    }
    t.same(made, [4, 5]);
  },
);

t.test('a folder that goes away is not written to, nor is one that is told never', async (t) => {
  const made: SnapshotMade[] = [];
  const on: EventHandlers = { snapshot_made: ({ snapshot }) => made.push(snapshot) };
  const dataDir = temporaryFolder(t);
  const kinds: readonly TestOptions[] = [
    { temporary: true, snapshotPace: { everyMs: 1, everyCommands: 1 } },
    { snapshotPace: 'never' },
  ];
  for (const options of kinds) {
    const exchange = await openFollowed(t, dataDir, { ...options, on });
    await submitAll(exchange, [...WORLD, order(1)]);
    t.match(await exchange.audit(), { ok: true });
    await exchange.close();
  }
  t.same(made, []);
  t.same(seqsIn(dataDir), []);
});

/** What parts of snapshots meet, as the test says at any moment. */
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

t.test('trading goes on while a snapshot is made', async (t) => {
  const gate = new Gate();
  gate.set(GATE.closed);
  const exchange = await openFollowed(t, temporaryFolder(t), {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 4 },
    snapshotGate: gate.cells,
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  await gate.reached();
  t.match(await exchange.submit(order(2)), { seq: 5 });
  t.equal(exchange.durableSeq, 5);
  t.equal(exchange.health().lastSnapshot, undefined, 'all of that in the middle of it');
  gate.set(GATE.open);
  await until(() => exchange.health().lastSnapshot?.seq === 4);
});

t.test('a full disk keeps no snapshot and nothing else from going on', async (t) => {
  const gate = new Gate();
  gate.set(GATE.full);
  const dataDir = temporaryFolder(t);
  const failed: string[] = [];
  const exchange = await openFollowed(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 4 },
    snapshotGate: gate.cells,
    on: { snapshot_failed: ({ error }) => failed.push(error.message) },
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  await until(() => failed.length > 0);
  t.same(failed, ['no space left']);
  t.same(readdirSync(snapshotsOf(dataDir)), [], 'what was written of it is gone');
  t.match(await exchange.submit(order(2)), { seq: 5 });
  t.match(await exchange.audit(), { ok: true, seq: 5 });
  t.equal(failed.length, 1, 'it is not tried at every step');
  gate.set(GATE.open);
  await exchange.close();
  t.same(seqsIn(dataDir), [5]);
});

t.test('a place that can not be written to is told at the stop too', async (t) => {
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

t.test(
  'a follower that dies while it writes leaves no half snapshot, and begins again',
  async (t) => {
    const gate = new Gate();
    gate.set(GATE.deadly);
    const dataDir = temporaryFolder(t);
    const down: string[] = [];
    const exchange = await openFollowed(t, dataDir, {
      snapshotPace: { everyMs: 3_600_000, everyCommands: 4 },
      snapshotGate: gate.cells,
      on: { thread_down: ({ name }) => down.push(name) },
    });
    await submitAll(exchange, [...WORLD, order(1)]);
    await until(() => down.length > 0);
    t.equal(down[0], "the follower's thread");
    t.same(seqsIn(dataDir), []);
    t.match(await exchange.submit(order(2)), { seq: 5 }, 'trading goes on');
    gate.set(GATE.open);
    await until(() => exchange.health().lastSnapshot?.seq === 5);
    t.same(readdirSync(snapshotsOf(dataDir)), ['000000000000005.snapshot'], 'no leftover');
  },
);

t.test('what a crash left half-written is removed by the next follower', async (t) => {
  const dataDir = await folderOf(t, [[1]]);
  writeFileSync(join(snapshotsOf(dataDir), '000000000000009.snapshot.new'), 'half');
  const exchange = await openFollowed(t, dataDir);
  t.match(exchange.recovered, { snapshotSeq: 4 });
  await exchange.submit(order(2));
  await exchange.close();
  t.same(seqsIn(dataDir), [5, 4]);
  t.equal(readdirSync(snapshotsOf(dataDir)).length, 2);
});

t.test('a broken state is told of and never written', async (t) => {
  const dataDir = temporaryFolder(t);
  const found: AuditReport[] = [];
  const exchange = await openSpoilt(t, dataDir, {
    snapshotPace: { everyMs: 3_600_000, everyCommands: 5 },
    on: { audit_fault: ({ report }) => found.push(report) },
  });
  await submitAll(exchange, [...WORLD, order(1)]);
  // What the follower alone sees: the journal is not what was written.
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

t.test('an engine that does not hold what it must is never written', (t) => {
  const folder = snapshotsOf(temporaryFolder(t));
  const engine = new Engine();
  const maker = new SnapshotMaker({ folder, funding: 'paper', pace: ONLY_AT_STOPS });
  t.capture(engine, 'validate', () => {
    throw new Error('tokens 0 of 0xc0: expected 1, found 2');
  });
  const details = { commandChecksum: 1, deadlineMs: Number.POSITIVE_INFINITY };
  t.throws(() => maker.make(engine, { seq: 1, timeMs: 1 }, details), /expected 1, found 2/);
  t.same(listSnapshots(folder), []);
  t.end();
});
