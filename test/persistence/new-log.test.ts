// What an operator does when etcd has lost the log for good: a node's folder begins a new one.
import { join } from 'node:path';
import t from 'tap';
import type { ClusterOptions } from '../../cluster/cluster.ts';
import { micros } from '../../engine/index.ts';
import { openNode } from '../cluster/open-node.ts';
import { MemoryLogs } from '../cluster/replica/memory-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createMarket } from './store-fixture.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;
const EMPTY = { wallet: 'eoa', paperMicros: micros(0) } as const;

t.test('a core begins a new log with its folder, and others get all of it', async (t) => {
  const folder = temporaryFolder(t);
  const open = async (logs: MemoryLogs, node: string, changes: Partial<ClusterOptions> = {}) => {
    const exchange = await openNode({
      dataDir: join(folder, node),
      openLog: logs.open,
      cluster: { role: 'core', node, ...changes },
    });
    t.teardown(() => exchange.close());
    return exchange;
  };
  const lost = new MemoryLogs();
  const before = await open(lost, 'core');
  await before.submit(createMarket);
  const { appliedSeq } = before;
  await before.close();

  const logs = new MemoryLogs();
  const refusal = { code: 'log_differs', message: /this node follows log .*, and etcd has none/ };
  await t.rejects(open(logs, 'core'), refusal);
  const core = await open(logs, 'core', { beginsLog: true });
  t.equal(core.appliedSeq, appliedSeq);
  t.not(core.streamId, before.streamId, 'streams begin again');
  await core.catalog.found();
  await core.submit({ kind: 'open_account', address: ADDRESS, owner: ADDRESS, ...EMPTY });
  const standby = await open(logs, 'standby', { role: 'standby' });
  t.equal(standby.stateHash(), core.stateHash());

  await core.close();
  const message = /--new-log begins a log where there is none, and below .* etcd has log/;
  await t.rejects(open(logs, 'core', { beginsLog: true }), { code: 'log_refused', message });
});
