import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { openBeside, openFor } from '../store-fixture.ts';

const CHILD = fileURLToPath(new URL('../store-child.ts', import.meta.url));

function startChild(scope: Scope, dataDir: string, number = 1): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [CHILD, dataDir, String(number)]);
  scope.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Reads what it says until it has said so many lines; then kills it and reads what was left. */
async function linesUntilKilled(
  child: ChildProcessWithoutNullStreams,
  count: number,
): Promise<string[]> {
  const exited = once(child, 'exit');
  child.stderr.pipe(process.stderr);
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (said.length === count) child.kill('SIGKILL');
  }
  await exited; // only then has the system let its lock go
  return said;
}

/** Lives of an exchange that each end with a SIGKILL. */
const LIVES = times(2, 3);

t.test('every order acknowledged before a SIGKILL is there once after the restart', async (t) => {
  const dataDir = temporaryFolder(t);
  const acknowledged: string[] = [];
  for (let life = 0; life < LIVES; life += 1) {
    const child = startChild(t, dataDir, 1 + life * 1_000_000);
    if (life === 0) {
      await once(child.stdout, 'readable');
      await t.rejects(openFor(t, dataDir), {
        code: 'folder_locked',
        message: new RegExp(`in use by process ${child.pid}: stop that one first, or .* --data`),
      });
    }
    const [ready, ...orderIds] = await linesUntilKilled(child, 300 + 400 * life);
    t.match(ready, /^ready /);
    t.ok(orderIds.length >= 299);
    acknowledged.push(...orderIds);
  }
  const exchange = await openFor(t, dataDir);
  t.match(await exchange.audit(), { ok: true, fault: '' });
  const accepted = openBeside(t, join(dataDir, 'journal.db'))
    .prepare<[], string>("SELECT payload ->> '$[0]' FROM commands WHERE kind = 'place_order'")
    .pluck()
    .all();
  t.equal(new Set(accepted).size, accepted.length, 'none twice');
  const inJournal = new Set(accepted);
  t.same(
    acknowledged.filter((orderId) => !inJournal.has(orderId)),
    [],
  );
  const last = await exchange.reader.order(acknowledged.at(-1) ?? '');
  t.equal(last?.orderId, acknowledged.at(-1));
  await t.rejects(openFor(t, dataDir), { code: 'folder_locked' }, 'this process has it too');
});

t.test('what a killed temporary exchange left is removed by the next one', async (t) => {
  const child = startChild(t, '--memory');
  const [ready = ''] = await linesUntilKilled(child, 20);
  const folder = ready.replace('ready ', '');
  t.ok(existsSync(folder), 'a killed process can not tidy up');
  const living = await openFor(t, '', { temporary: true });
  t.notOk(existsSync(folder));
  await openFor(t, '', { temporary: true });
  t.ok(existsSync(living.journalPath), 'the living are left alone');
});
