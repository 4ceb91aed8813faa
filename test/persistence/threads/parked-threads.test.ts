import { spawnSync } from 'node:child_process';
import t from 'tap';
import {
  endParked,
  keepParked,
  keepThreads,
  takeParked,
} from '../../../persistence/threads/parked-threads.ts';
import {
  prepareThread,
  startWorker,
  type WorkerOptions,
} from '../../../persistence/threads/start-worker.ts';
import { until } from '../store-fixture.ts';
import type { Echo } from './echo-worker.ts';

/** Opens an echo thread. `place` is its data: it refuses to open where that is a file. */
async function openEcho(place: string, name = 'the echo thread') {
  const heard: string[] = [];
  const deaths: string[] = [];
  const options: WorkerOptions<Echo> = {
    entry: new URL('./echo-worker.ts', import.meta.url),
    name,
    data: { refusePath: place },
    onMessage: ({ text }) => heard.push(text),
    onDeath: ({ message }) => deaths.push(message),
  };
  const { worker } = await startWorker<string, string, Echo>(options);
  const whoAmI = async (): Promise<string> => {
    worker.post('who');
    await until(() => heard.some((text) => text.includes(' /')));
    return heard.find((text) => text.includes(' /'))?.split(' ')[0] ?? '';
  };
  return { worker, heard, deaths, whoAmI };
}

t.test('a thread that stops while threads are kept opens again with other data', async (t) => {
  const release = keepThreads();
  const first = await openEcho('/one');
  const id = await first.whoAmI();
  first.worker.post('later');
  await first.worker.stop();
  t.strictSame(first.heard, [`${id} /one`, 'closing'], 'it closes as always');

  const second = await openEcho('/two');
  t.equal(await second.whoAmI(), id, 'the same thread');
  t.strictSame(second.heard, [`${id} /two`]);
  t.same(first.heard.length, 2, 'the one before hears nothing more');
  const other = await openEcho('/two', 'another kind of thread');
  t.not(await other.whoAmI(), id, 'not one of the same name');
  await Promise.all([second.worker.stop(), other.worker.stop()]);
  release();

  const third = await openEcho('/three');
  t.not(await third.whoAmI(), id, 'released threads have ended');
  await third.worker.stop();
});

t.test('what a closed handler posts later reaches nobody', async (t) => {
  const release = keepThreads();
  t.teardown(release);
  const first = await openEcho('/one');
  first.worker.post('later');
  await first.worker.stop();
  const second = await openEcho('/two');
  await second.whoAmI();
  second.worker.post('later');
  await until(() => second.heard.includes('later'));
  t.equal(second.heard.filter((text) => text === 'later').length, 1, 'only its own');
  await second.worker.stop();
});

// An answer that the sync got while its thread was being parked was taken for data to open with.
t.test('a message that comes after the stop does not open a parked thread', async (t) => {
  const release = keepThreads();
  t.teardown(release);
  const first = await openEcho('/one');
  const id = await first.whoAmI();
  const stopping = first.worker.stop();
  first.worker.post('who');
  await stopping;
  const second = await openEcho('/two');
  t.equal(await second.whoAmI(), id, 'the same thread');
  t.strictSame(second.heard, [`${id} /two`], 'with its own data');
  await second.worker.stop();
});

t.test('a thread that is parked after the release ends', async (t) => {
  const release = keepThreads();
  const first = await openEcho('/one');
  const id = await first.whoAmI();
  const stopping = first.worker.stop();
  release();
  await stopping;
  const releaseAgain = keepThreads();
  t.teardown(releaseAgain);
  const second = await openEcho('/two');
  t.not(await second.whoAmI(), id, 'another thread');
  await second.worker.stop();
});

t.test('a thread that fails to close, or refuses to open, is not kept', async (t) => {
  const release = keepThreads();
  t.teardown(release);
  const first = await openEcho('/one');
  const id = await first.whoAmI();
  first.worker.post('fail to close');
  await t.rejects(first.worker.stop(), { code: 'thread_failed' });
  const second = await openEcho('/two');
  const next = await second.whoAmI();
  t.not(next, id);
  await second.worker.stop();
  await t.rejects(openEcho(new URL(import.meta.url).pathname), { code: 'projection_ahead' });
  const third = await openEcho('/three');
  t.not(await third.whoAmI(), next);
  third.worker.post('die');
  await until(() => third.deaths.length > 0);
  t.strictSame(third.deaths, ['as told'], 'a thread that was parked before reports its death');
});

const PREPARED = {
  entry: new URL('./echo-worker.ts', import.meta.url),
  name: 'the prepared thread',
};

t.test('a thread that was prepared opens with the data of the next start', async (t) => {
  prepareThread(PREPARED);
  const later = await openEcho('/later');
  const prepared = await openEcho('/one', PREPARED.name);
  const second = await openEcho('/one', PREPARED.name);
  const [id, laterId, secondId] = await Promise.all(
    [prepared, later, second].map(({ whoAmI }) => whoAmI()),
  );
  t.ok(Number(id) < Number(laterId), 'it began before');
  t.ok(Number(secondId) > Number(laterId), 'it is taken once');
  await Promise.all([prepared, later, second].map(({ worker }) => worker.stop()));
});

t.test('a prepared thread that fails is not taken, and the next one says why', async (t) => {
  const entry = new URL('./no-such-worker.ts', import.meta.url);
  let hasEnded = false;
  process.once('worker', (worker) => worker.once('exit', () => (hasEnded = true)));
  prepareThread({ ...PREPARED, entry });
  await until(() => hasEnded);
  const options = { ...PREPARED, entry, data: undefined, onMessage: () => {}, onDeath: () => {} };
  await t.rejects(startWorker(options), { code: 'thread_failed', message: /no-such-worker/ });
});

t.test('a prepared thread does not keep the process running', async (t) => {
  const file = JSON.stringify(new URL('../../../persistence/threads/index.ts', import.meta.url));
  const code = `import { prepareThread } from ${file};
    prepareThread({ name: 'echo', entry: new URL(${JSON.stringify(PREPARED.entry)}) });`;
  const words = ['--input-type=module', '--eval', code];
  const { NODE_OPTIONS = '' } = process.env;
  const limits = { timeout: 30_000, env: { NODE_OPTIONS } };
  const { error } = spawnSync(process.execPath, words, limits);
  t.equal(error, undefined);
});

// A start that failed exited while its prepared threads loaded their modules, and crashed.
t.test('prepared threads have loaded and ended before a failed start exits', async (t) => {
  const entry = new URL('./echo-worker.ts', import.meta.url);
  prepareThread({ name: 'a prepared thread', entry });
  const kind = `a prepared thread ${entry.href}`;
  const thread = takeParked(kind);
  if (thread === undefined) throw new Error('the thread is parked');
  keepParked(kind, thread);
  let hasEnded = false;
  thread.once('exit', () => {
    hasEnded = true;
  });
  await endParked();
  t.ok(hasEnded);
  t.equal(takeParked(kind), undefined);
});
