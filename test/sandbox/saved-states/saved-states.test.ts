import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { DataFolder } from '../../../persistence/folder/data-folder.ts';
import { commitSwap, finishSwap } from '../../../persistence/folder/folder-swap.ts';
import { keepThreads } from '../../../persistence/threads/index.ts';
import { backupFolder } from '../../../persistence/tools/index.ts';
import { SavedStates } from '../../../sandbox/saved-states/saved-states.ts';
import {
  ALICE,
  createMarket,
  openAccount,
  openFor,
  order,
  replayFolder,
} from '../../persistence/store-fixture.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';

const CHILD = fileURLToPath(new URL('./saved-state-child.ts', import.meta.url));
const ABOUT = { version: '1', nowMs: 0 };
/** A step at which some files are those of the one state, and some of the other. */
const KILLED_STEP = 6;

// The many exchanges of this file start much faster with the threads of those before.
t.teardown(keepThreads());

/** A closed folder with a saved state 1, and what it and the folder have. */
async function folderWithState(scope: Scope) {
  const dataDir = join(temporaryFolder(scope), 'data');
  const first = await openFor(scope, dataDir);
  for (const command of [createMarket, openAccount(ALICE), order(1)]) await first.submit(command);
  const saved = { seq: first.appliedSeq, hash: first.stateHash() };
  await first.close();
  const folder = new DataFolder({ dataDir, temporary: false });
  const states = new SavedStates(folder, '1');
  await states.save({ name: 'one order', timeMs: 1_000, madeMs: 2_000 });
  folder.release();
  const second = await openFor(scope, dataDir);
  await second.submit(order(2));
  const latest = { seq: second.appliedSeq, hash: second.stateHash() };
  await second.close();
  return { dataDir, saved, latest };
}

function copyOf(scope: Scope, dataDir: string): string {
  const copy = join(temporaryFolder(scope), 'data');
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** Runs the child until its step. Returns whether it got to the end. */
function runChild(act: 'save' | 'restore', dataDir: string, step: number): boolean {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [CHILD, act, dataDir, `${step}`]);
  if (signal !== 'SIGKILL' && stdout.toString() !== 'done\n') throw new Error(stderr.toString());
  return signal === null;
}

async function stateOf(scope: Scope, dataDir: string): Promise<{ seq: number; hash: string }> {
  const exchange = await openFor(scope, dataDir);
  const state = { seq: exchange.appliedSeq, hash: exchange.stateHash() };
  await exchange.close();
  return state;
}

class Interrupted extends Error {}

/** Restores state 1. `step` 0 stops it when it is staged, a higher one before a later change. */
async function restoreUntil(dataDir: string, step: number): Promise<boolean> {
  const folder = new DataFolder({ dataDir, temporary: false });
  try {
    await new SavedStates(folder, '1').stage('1', 1);
    if (step === 0) return false;
    commitSwap(folder.path);
    let left = step - 1;
    finishSwap(folder.path, () => {
      if (left === 0) throw new Interrupted();
      left -= 1;
    });
    return true;
  } catch (error) {
    if (error instanceof Interrupted) return false;
    throw error;
  } finally {
    folder.release();
  }
}

t.test('a restore that ends at any step leaves one state or the other', async (t) => {
  const { dataDir, saved, latest } = await folderWithState(t);
  let steps = 0;
  for (let isDone = false; !isDone; steps += 1) {
    const copy = copyOf(t, dataDir);
    isDone = await restoreUntil(copy, steps);
    if (existsSync(join(copy, 'swap.ready'))) {
      const backup = backupFolder({ ...ABOUT, dataDir: copy, file: join(copy, 'backup.tar') });
      await t.rejects(backup, /a checkpoint was being restored/);
    }
    t.strictSame(await stateOf(t, copy), steps === 0 ? latest : saved, `ended at step ${steps}`);
    t.notOk(
      readdirSync(copy).some((name) => name.startsWith('swap.')),
      'nothing is left over',
    );
    // After the start has finished it.
    if (steps === KILLED_STEP) await replayFolder(copy);
  }
  t.ok(steps > 12, `${steps} steps`);
});

t.test('a process killed in the middle of a restore leaves the state to return to', async (t) => {
  const { dataDir, saved } = await folderWithState(t);
  t.notOk(runChild('restore', dataDir, KILLED_STEP));
  t.ok(existsSync(join(dataDir, 'swap.ready')));
  t.strictSame(await stateOf(t, dataDir), saved);
  await replayFolder(dataDir);
});

t.test('tools refuse a folder in the middle of a restore, and say what to do', async (t) => {
  const { dataDir } = await folderWithState(t);
  await restoreUntil(dataDir, KILLED_STEP);
  t.equal(readFileSync(join(dataDir, 'durable.seq'), 'utf8'), 'swapping\n');
  await t.rejects(replayFolder(dataDir), /start one on it, which finishes the restore/);
});

t.test('a process killed while it saves a state leaves a whole one or none', async (t) => {
  const { dataDir, latest } = await folderWithState(t);
  const counts = new Set<number>();
  for (const step of [0, 3, 8, Number.MAX_SAFE_INTEGER]) {
    const copy = copyOf(t, dataDir);
    runChild('save', copy, step);
    const folder = new DataFolder({ dataDir: copy, temporary: false });
    const states = new SavedStates(folder, '1');
    t.notOk(readdirSync(join(copy, 'checkpoints')).some((name) => name.endsWith('.new')));
    const list = states.list();
    counts.add(list.length);
    for (const { id } of list) await states.stage(id, 0);
    folder.release();
    t.strictSame(await stateOf(t, copy), latest, `killed at turn ${step}`);
  }
  t.strictSame(counts, new Set([1, 2]));
});

t.test('a state that this program cannot use is refused, and nothing changes', async (t) => {
  const { dataDir, latest } = await folderWithState(t);
  const rows: readonly [string, (place: string) => void, version: string, object][] = [
    ['another version', () => {}, '2', { field: 'version', limit: '2', actual: '1' }],
    [
      'another format',
      (place) => describeAnew(place, { format: 2 }),
      '1',
      { field: 'format', limit: 1, actual: 2 },
    ],
    [
      'a file that has grown',
      (place) => appendFileSync(join(place, 'journal.db'), 'x'),
      '1',
      { field: 'bytes' },
    ],
    ['a file that is gone', (place) => describeAnew(place, { bytes: 7 }), '1', { field: 'bytes' }],
  ];
  for (const [name, spoil, version, details] of rows) {
    const copy = copyOf(t, dataDir);
    spoil(join(copy, 'checkpoints', '1'));
    const folder = new DataFolder({ dataDir: copy, temporary: false });
    const states = new SavedStates(folder, version);
    await t.rejects(states.stage('1', 0), { code: 'checkpoint_unusable', details }, name);
    folder.release();
    t.strictSame(await stateOf(t, copy), latest, name);
  }
});

// What a failed copy left behind could keep the disk full until the next start.
t.test('a state that cannot be copied leaves no part of a copy behind', async (t) => {
  const { dataDir } = await folderWithState(t);
  rmSync(join(dataDir, 'checkpoints', '1', 'snapshots'), { recursive: true });
  const folder = new DataFolder({ dataDir, temporary: false });
  t.teardown(() => folder.release());
  await t.rejects(new SavedStates(folder, '1').stage('1', 0), { code: 'ENOENT' });
  t.notOk(existsSync(join(dataDir, 'swap.parts')));
});

function describeAnew(place: string, changes: object): void {
  const path = join(place, 'checkpoint.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }));
}

t.test('states have numbers, which are not used again; half-made ones are removed', async (t) => {
  const { dataDir } = await folderWithState(t);
  mkdirSync(join(dataDir, 'checkpoints', '9.new'));
  mkdirSync(join(dataDir, 'checkpoints', 'mine'));
  // Its description is lost: it is not listed, and its number is taken.
  mkdirSync(join(dataDir, 'checkpoints', '2', 'archive'), { recursive: true });
  const folder = new DataFolder({ dataDir, temporary: false });
  t.teardown(() => folder.release());
  const states = new SavedStates(folder, '1');
  t.strictSame(readdirSync(join(dataDir, 'checkpoints')).sort(), ['1', '2', 'mine']);
  t.match(await states.save({ name: '', timeMs: 1, madeMs: 1 }), { id: '3' });
  t.match(states.remove('3'), { id: '3' });
  t.match(await states.save({ name: '', timeMs: 1, madeMs: 1 }), { id: '4' });
  t.strictSame(
    states.list().map(({ id, name }) => [id, name]),
    [
      ['1', 'one order'],
      ['4', ''],
    ],
  );
  t.throws(() => states.remove('mine'), { code: 'checkpoint_unknown' });
  t.throws(() => states.remove('../checkpoints/1'), { code: 'checkpoint_unknown' });
});

t.test('a swap that was not committed is forgotten', async (t) => {
  const { dataDir, latest } = await folderWithState(t);
  const folder = new DataFolder({ dataDir, temporary: false });
  await new SavedStates(folder, '1').stage('1', 0);
  t.ok(existsSync(join(dataDir, 'swap.parts')));
  folder.release();
  t.strictSame(await stateOf(t, dataDir), latest);
  t.notOk(existsSync(join(dataDir, 'swap.parts')));
});

t.test('a restored state has the archives and snapshots of its own time', async (t) => {
  const { dataDir, saved } = await folderWithState(t);
  mkdirSync(join(dataDir, 'snapshots'), { recursive: true });
  writeFileSync(join(dataDir, 'snapshots', '000000000000009.snapshot'), 'of another history');
  writeFileSync(join(dataDir, 'catalog.db-wal'), 'of another history');
  const folder = new DataFolder({ dataDir, temporary: false });
  await new SavedStates(folder, '1').stage('1', 0);
  commitSwap(folder.path);
  finishSwap(folder.path);
  folder.release();
  t.strictSame(readdirSync(join(dataDir, 'snapshots')), []);
  t.notOk(existsSync(join(dataDir, 'catalog.db-wal')));
  t.strictSame(await stateOf(t, dataDir), saved);
});
