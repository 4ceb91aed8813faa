/**
 * A core and gateways in this process, over loopback, with a log in memory. With
 * `TEST_ROLE=gateway`, tests of the shell run through a gateway in place of an exchange of its own:
 * `test/suite.ts` does that with the published clients. Tests of the sandbox can't hold there (a
 * cluster has none), nor those that look into the process of the exchange between a submit and its
 * commit, which is another node's.
 */

import type { ClusterRole } from '../../http/settings/cluster.ts';
import type { Settings } from '../../http/settings/settings.ts';
import type { StartOptions } from '../../venue/core-parts.ts';
import { type Running, runExchange } from '../../venue/program.ts';
import { MemoryLogs } from '../cluster/replica/memory-log.ts';

/** Whether tests that start an exchange get a gateway. */
export const THROUGH_GATEWAY = process.env.TEST_ROLE === 'gateway';

type NodeChanges = Partial<Settings> & { readonly secretByte?: number };

export interface TestNodes {
  readonly logs: MemoryLogs;
  /** Starts a node. The caller closes it. */
  start(role: ClusterRole, node: string, changes?: NodeChanges): Promise<Running>;
}

/** Nodes of one cluster, each with these settings. */
export function makeNodes(
  settings: Settings,
  options: StartOptions,
  logs = new MemoryLogs(),
): TestNodes {
  const start = (
    role: ClusterRole,
    node: string,
    { secretByte = 7, ...changes }: NodeChanges = {},
  ) =>
    runExchange(
      {
        ...settings,
        ...changes,
        cluster: {
          role,
          node,
          etcdUrls: ['http://127.0.0.1:1'],
          prefix: '/test',
          feedHost: '127.0.0.1',
          feedPort: 0,
          beginsLog: false,
          gateways: 1,
          masterSecret: Buffer.alloc(32, secretByte),
          allowsPlaintext: false,
          openLog: logs.open,
        },
      },
      options,
    );
  return { logs, start };
}

/** The logs of gateways with a data folder, which a test may start again, by that folder. */
const keptLogs = new Map<string, MemoryLogs>();

/** A gateway and its core, which closes after it. */
export async function runGateway(settings: Settings, options: StartOptions): Promise<Running> {
  const { dataDir, temporary } = settings;
  const logs = (temporary ? undefined : keptLogs.get(dataDir)) ?? new MemoryLogs();
  if (!temporary) keptLogs.set(dataDir, logs);
  const nodes = makeNodes(settings, options, logs);
  const core = await nodes.start('core', 'core-a', { dataDir: `${dataDir}-core` });
  try {
    const gateway = await nodes.start('gateway', 'gateway-a');
    const close = async (): Promise<void> => {
      await gateway.close();
      await core.close();
    };
    // Its getters stay those of the gateway.
    return Object.create(gateway, { close: { value: close } });
  } catch (error) {
    await core.close();
    throw error;
  }
}
