// A process that is killed while it restores a checkpoint: the next start has one state, whole.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { verifyFolder } from '../../persistence/tools/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type ExchangeChild, startChild } from './exchange-child.ts';

const ACCOUNT = `0x${'e1'.repeat(20)}`;
const KEPT = { by: 'test', reason: 'to see which state it is' };
/** How long after the request the process is killed: a restore takes some 100 ms. */
const KILLED_AFTER_MS = [20, 70, 130];

interface Started {
  readonly child: ExchangeChild;
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
}

async function start(dataDir: string): Promise<Started> {
  const flags = ['--dev-accounts', '0'];
  const { child, line } = await startChild({ dataDir, flags });
  const headers = { authorization: `Bearer ${child.adminToken}` };
  const ask: Started['ask'] = (method, path, body) =>
    fetch(`http://127.0.0.1:${line.adminPort}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  return { child, ask };
}

t.test('a kill in the middle of a restore leaves a folder that starts and verifies', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  let { child, ask } = await start(dataDir);
  t.teardown(() => child.kill());
  t.equal((await ask('POST', '/checkpoints', {})).status, 200);
  const account = { address: ACCOUNT, owner: ACCOUNT, wallet: 'eoa', ...KEPT };
  for (const afterMs of KILLED_AFTER_MS) {
    t.equal((await ask('POST', '/accounts', account)).status, 200);
    // It is killed before it answers, or after.
    const answered = ask('POST', '/checkpoints/1/restore').then(
      ({ status }) => status === 200,
      () => false,
    );
    await sleep(afterMs);
    await child.kill();
    const isRestored = await answered;
    ({ child, ask } = await start(dataDir));
    const { status } = await ask('GET', `/accounts/${ACCOUNT}`);
    t.ok(status === 400 || (status === 200 && !isRestored), `${status} after ${afterMs} ms`);
    t.equal((await ask('GET', '/audit')).status, 200);
  }
  await child.stop();
  t.strictSame((await verifyFolder({ dataDir })).findings, []);
});
