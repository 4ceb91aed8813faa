import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
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

t.test('every order acknowledged before a SIGKILL is there once after the restart', async (t) => {
  const dataDir = temporaryFolder(t);
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const child = startChild(t, dataDir, 1 + round * 1_000_000);
    const [ready, ...orderIds] = await linesUntilKilled(child, 300 + 400 * round);
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
});

t.test('a folder that another process has is refused, and let go when that one dies', async (t) => {
  const dataDir = temporaryFolder(t);
  const child = startChild(t, dataDir);
  await once(child.stdout, 'data');
  await t.rejects(openFor(t, dataDir), {
    code: 'folder_locked',
    message: new RegExp(`in use by process ${child.pid}: stop that one first, or .* --data`),
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await openFor(t, dataDir);
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

t.test('a folder that this process has is refused too', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir);
  await t.rejects(openFor(t, dataDir), { code: 'folder_locked' });
  await exchange.close();
  await openFor(t, dataDir);
});
