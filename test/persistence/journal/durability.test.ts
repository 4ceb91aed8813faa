import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { applyStored } from '../../../persistence/recovery/recovery.ts';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { openFor } from '../store-fixture.ts';

const CHILD = fileURLToPath(new URL('../store-child.ts', import.meta.url));

function startChild(scope: Scope, dataDir: string, number = 1): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [CHILD, dataDir, String(number)]);
  scope.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Kills the child after `count` lines of its output. Returns these and any lines after them. */
async function linesUntilKilled(
  child: ChildProcessWithoutNullStreams,
  count: number,
): Promise<string[]> {
  const exited = once(child, 'exit');
  child.stderr.pipe(process.stderr);
  const output: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    if (output.length === count) child.kill('SIGKILL');
  }
  await exited; // the system releases its lock only then
  return output;
}

/** How often the exchange is started and killed. */
const LIVES = times(2, 3);

t.test('every order acknowledged before a SIGKILL is in the journal exactly once', async (t) => {
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
  const engine = new Engine();
  const accepted: string[] = [];
  const journal = new JournalReader(join(dataDir, 'journal.db'));
  for (const one of journal.commands(0, journal.lastSeq)) {
    const command = applyStored(engine, one).command;
    if (command.kind === 'place_order') accepted.push(command.orderId);
  }
  journal.close();
  t.equal(new Set(accepted).size, accepted.length, 'no order is there twice');
  const inJournal = new Set(accepted);
  t.same(
    acknowledged.filter((orderId) => !inJournal.has(orderId)),
    [],
  );
  const last = await exchange.reader.order(acknowledged.at(-1) ?? '');
  t.equal(last?.orderId, acknowledged.at(-1));
  await t.rejects(openFor(t, dataDir), { code: 'folder_locked' }, 'locked in this process too');
});

t.test('the folder of a killed temporary exchange is removed by the next one', async (t) => {
  const child = startChild(t, '--memory');
  const [ready = ''] = await linesUntilKilled(child, 20);
  const folder = ready.replace('ready ', '');
  t.ok(existsSync(folder), 'a killed process leaves its folder');
  const living = await openFor(t, '', { temporary: true });
  t.notOk(existsSync(folder));
  await openFor(t, '', { temporary: true });
  t.ok(existsSync(living.journalPath), 'the folder of a running exchange stays');
});
