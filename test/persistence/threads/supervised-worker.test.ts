import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startWorker } from '../../../persistence/threads/start-worker.ts';
import { SupervisedWorker } from '../../../persistence/threads/supervised-worker.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../store-fixture.ts';
import type { Echo } from './echo-worker.ts';

const PAUSES: ReadonlySet<number> = new Set([100, 200, 400, 800]);

/** A supervised worker and a log of its messages and events. */
function supervise(scope: Scope) {
  const refusePath = join(temporaryFolder(scope), 'refuse');
  const log: string[] = [];
  const thread = new SupervisedWorker<string, string, Echo>({
    entry: new URL('./echo-worker.ts', import.meta.url),
    name: 'the echo thread',
    data: { refusePath },
    onOpen: (opened) => log.push(`opened ${opened}`),
    onMessage: ({ text }) => {
      log.push(text);
      if (text === 'work') thread.noteProgress();
    },
    onDown: (error) => log.push(`down: ${error.message}`),
    onRefused: (error) => log.push(`refused: ${error.message}`),
  });
  scope.teardown(() => thread.stop());
  return { thread, log, refuse: () => writeFileSync(refusePath, '') };
}

t.test('a thread is restarted each time it dies', async (t) => {
  const { thread, log } = supervise(t);
  await thread.start();
  for (let round = 0; round < 2; round += 1) {
    t.ok(thread.post('die'));
    await until(() => log.at(-1) === 'down: as told');
    t.notOk(thread.post('lost'), 'the thread is down');
    await until(() => log.at(-1) === 'opened hello');
    thread.post('again');
    await until(() => log.at(-1) === 'again');
  }
  const round = ['opened hello', 'again'];
  t.same(log, ['opened hello', 'down: as told', ...round, 'down: as told', ...round]);
});

t.test('the pause before a restart doubles until the thread makes progress', async (t) => {
  const wait = globalThis.setTimeout;
  const asked: (number | undefined)[] = [];
  const pauses = () => asked.filter((ms) => PAUSES.has(ms ?? 0));
  t.capture(globalThis, 'setTimeout', (task: () => void, ms?: number) => {
    asked.push(ms);
    return wait(task, ms);
  });
  const { thread, log } = supervise(t);
  await thread.start();
  const dieOnce = async () => {
    thread.post('die');
    await until(() => log.at(-1) === 'down: as told');
    await until(() => log.at(-1) === 'opened hello');
  };
  for (let round = 0; round < 3; round += 1) await dieOnce();
  t.same(pauses(), [100, 200, 400], 'opening is not progress');
  thread.post('work');
  await until(() => log.at(-1) === 'work');
  await dieOnce();
  t.same(pauses(), [100, 200, 400, 100]);
});

t.test('a stopped thread finishes its messages and is not restarted', async (t) => {
  const { thread, log } = supervise(t);
  await thread.start();
  for (const text of ['one', 'two']) thread.post(text);
  await thread.stop();
  t.same(log, ['opened hello', 'one', 'two', 'closing']);
  t.notOk(thread.post('three'));
});

t.test('a refusal at the first start is thrown', async (t) => {
  const { thread, log, refuse } = supervise(t);
  refuse();
  await t.rejects(thread.start(), { code: 'projection_ahead', message: 'not like this' });
  t.same(log, []);
});

t.test('a refusal at a later start is reported, and it stays down', async (t) => {
  const { thread, log, refuse } = supervise(t);
  await thread.start();
  refuse();
  thread.post('die');
  await until(() => log.length === 3);
  t.same(log, ['opened hello', 'down: as told', 'refused: not like this']);
  t.notOk(thread.post('is dropped'));
});

t.test('a failure to close is thrown by `stop` and not reported again', async (t) => {
  const { thread, log } = supervise(t);
  await thread.start();
  thread.post('fail to close');
  await t.rejects(thread.stop(), {
    code: 'thread_failed',
    message: 'the echo thread failed while it closed: as told',
  });
  t.notOk(thread.isUp);
  t.notMatch(log.join(), /down/);
  await thread.stop();
});

/** A worker without supervision. */
function start(scope: Scope, onDeath: (error: Error) => void) {
  return startWorker<string, string, Echo>({
    entry: new URL('./echo-worker.ts', import.meta.url),
    name: 'the echo thread',
    data: { refusePath: join(temporaryFolder(scope), 'refuse') },
    onMessage: () => undefined,
    onDeath,
  });
}

t.test('a death before the stop is reported once', async (t) => {
  const deaths: string[] = [];
  const { worker } = await start(t, ({ message }) => deaths.push(message));
  worker.post('die');
  await until(() => deaths.length > 0);
  await worker.stop();
  t.strictSame(deaths, ['as told']);
});

t.test('`stop` throws if the thread dies while it closes', async (t) => {
  for (const [how, message] of [
    ['die', 'the echo thread failed while it closed: as told'],
    ['exit', 'the echo thread failed while it closed: it exited with code 3'],
  ] as const) {
    const { worker } = await start(t, () => t.fail('a death during a stop is not reported'));
    worker.post(how);
    await t.rejects(worker.stop(), { code: 'thread_failed', message });
  }
});
