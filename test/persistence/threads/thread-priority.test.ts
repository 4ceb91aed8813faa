// Threads have names and priorities of their own, and what they take is told by name.
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import t from 'tap';
import {
  THREAD_PLACES,
  takePlace,
  threadSeconds,
} from '../../../persistence/threads/thread-priority.ts';
import { ProgramProcess } from '../../program-process.ts';
import { readProject, readProjectFile } from '../../shape/project.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFollowed } from '../store-fixture.ts';

/** Only Linux tells of single threads. */
const skip = process.platform === 'linux' ? false : 'names and priorities of threads are of Linux';

/** Names of the threads of this process with their niceness, as the kernel has them. */
function threads(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((id) => [
      readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
      getPriority(Number(id)),
    ]),
  );
}

/** Whether a thread is started with it, and not a file about threads. */
function isEntry(path: string): boolean {
  return /^(runThread|takePlace)\(/m.test(readProjectFile(path));
}

t.test('every entry file of a thread has a place, with a name that the kernel keeps', async (t) => {
  const entries = readProject()
    .map(({ path }) => path)
    .filter((path) => /^(persistence|http)\//.test(path) && /-thread\.ts$/.test(path))
    .filter(isEntry)
    .map((path) => basename(path));
  t.strictSame(entries.toSorted(), Object.keys(THREAD_PLACES).toSorted());
  const names = Object.values(THREAD_PLACES).map(({ name }) => name);
  t.strictSame([...new Set(names)], names, 'no two are called the same');
  t.strictSame(
    names.filter((name) => name.length > 15 || name === 'matching' || name === 'runtime'),
    [],
  );
});

t.test('what orders wait for gives way to nothing', async (t) => {
  for (const { name, niceness } of Object.values(THREAD_PLACES)) {
    t.equal(niceness === 0, name === 'journal' || name === 'verifier', `${name}: ${niceness}`);
  }
});

t.test('threads of an exchange take their places', { skip }, async (t) => {
  // One that is nice already: places count from there. (Nobody may take that back again.)
  setPriority(Math.max(getPriority(), 4));
  const exchange = await openFollowed(t, temporaryFolder(t));
  await exchange.audit(); // which starts the follower
  const own = getPriority();
  const seen = threads();
  for (const name of ['journal', 'projector', 'reader', 'catalog', 'catalog-reader', 'follower']) {
    const place = Object.values(THREAD_PLACES).find((one) => one.name === name);
    t.equal(seen.get(name), Math.min(own + (place?.niceness ?? 0), 19), name);
  }
  t.equal(getPriority(), own, 'the matching thread keeps its own');
  const told = [...threadSeconds().keys()];
  for (const name of ['matching', 'runtime', 'journal', 'follower'])
    t.ok(told.includes(name), name);
  t.ok([...threadSeconds().values()].every((seconds) => seconds >= 0));
});

t.test(
  "the program's own runtime gives way, and the matching thread does not",
  { skip },
  async (t) => {
    const words = [
      'serve',
      '--json',
      '--port',
      '0',
      '--admin-port',
      '0',
      '--data',
      temporaryFolder(t),
    ];
    const program = new ProgramProcess(t, words);
    await program.firstOutput();
    const own = getPriority();
    const seen = new Map<string, number[]>();
    for (const id of readdirSync(`/proc/${program.pid}/task`)) {
      const isMain = id === String(program.pid);
      const name = isMain
        ? 'main'
        : readFileSync(`/proc/${program.pid}/task/${id}/comm`, 'utf8').trim();
      seen.set(name, [...(seen.get(name) ?? []), getPriority(Number(id)) - own]);
    }
    t.strictSame(seen.get('main'), [0]);
    t.strictSame(seen.get('journal'), [0]);
    t.strictSame(seen.get('projector'), [3]);
    // Node's workers are called as the program is; a few more come later, for files.
    t.ok((seen.get('node') ?? []).filter((niceness) => niceness === 5).length >= 4);
    await program.stop();
  },
);

t.test('a thread that is not in the table is left as it is', { skip }, async (t) => {
  const before = threads();
  takePlace('/somewhere/else.ts');
  takePlace(undefined);
  t.strictSame(threads(), before);
});
