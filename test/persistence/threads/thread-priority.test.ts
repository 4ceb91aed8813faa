// Each thread has a name and a priority, and its processor time is reported by name.
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import t from 'tap';
import { THREAD_NICENESS, threadSeconds } from '../../../persistence/threads/thread-priority.ts';
import { ProgramProcess } from '../../program-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFollowed } from '../store-fixture.ts';

const skip = process.platform === 'linux' ? false : 'only Linux has priorities of threads';

/** The niceness of each thread of this process by its name, read from the kernel. */
function threads(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((id) => [
      readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
      getPriority(Number(id)),
    ]),
  );
}

t.test('every name fits the kernel, and none is a name that the metrics use', async (t) => {
  for (const name of Object.keys(THREAD_NICENESS)) {
    t.ok(name.length <= 15, name);
    t.not(name, 'matching');
    t.not(name, 'runtime');
  }
});

t.test('only threads that no order waits for have a lower priority', async (t) => {
  for (const [name, niceness] of Object.entries(THREAD_NICENESS)) {
    t.equal(niceness === 0, ['journal', 'etcd', 'verifier'].includes(name), `${name}: ${niceness}`);
  }
});

t.test('the threads of an exchange have their names and priorities', { skip }, async (t) => {
  // Niceness is relative to the process, so the process gets a niceness that is not zero.
  setPriority(Math.max(getPriority(), 4));
  const exchange = await openFollowed(t, temporaryFolder(t));
  await exchange.audit(); // starts the follower
  const own = getPriority();
  const seen = threads();
  for (const [name, niceness] of Object.entries(THREAD_NICENESS)) {
    // Not started here.
    if (['etcd', 'history', 'verifier', 'sync', 'analytics'].includes(name)) continue;
    t.equal(seen.get(name), Math.min(own + niceness, 19), name);
  }
  t.equal(getPriority(), own, 'the matching thread keeps its own');
  const seconds = threadSeconds();
  for (const name of ['matching', 'runtime', 'journal', 'follower']) t.ok(seconds.has(name), name);
  t.ok([...seconds.values()].every((used) => used >= 0));
});

t.test("the program lowers Node's own threads, but not the main thread", { skip }, async (t) => {
  const ports = ['--port', '0', '--admin-port', '0'];
  const words = ['serve', '--json', ...ports, '--data', temporaryFolder(t)];
  const program = new ProgramProcess(t, words);
  await program.firstOutput();
  const own = getPriority();
  const seen = new Map<string, number[]>();
  for (const id of readdirSync(`/proc/${program.pid}/task`)) {
    const comm = readFileSync(`/proc/${program.pid}/task/${id}/comm`, 'utf8').trim();
    const name = id === String(program.pid) ? 'main' : comm;
    seen.set(name, [...(seen.get(name) ?? []), getPriority(Number(id)) - own]);
  }
  t.strictSame(seen.get('main'), [0]);
  t.strictSame(seen.get('journal'), [0]);
  t.strictSame(seen.get('projector'), [3]);
  // Node's threads have the name of the process. Those that it starts later are not lowered.
  t.ok((seen.get('node') ?? []).filter((niceness) => niceness === 5).length >= 4);
  await program.stop();
});
