/** Opens an exchange that is a node of a cluster, for tests. */
import type { ClusterNode, ClusterOptions, NodeEvent } from '../../cluster/cluster.ts';
import { NodeOpening, type NodeOpeningOptions } from '../../cluster/opening.ts';
import {
  type Exchange,
  type ExchangeEvent,
  type ExchangeOptions,
  openExchange,
} from '../../persistence/index.ts';

export type AnyEvent = ExchangeEvent | NodeEvent;
export type OpenLog = NonNullable<NodeOpeningOptions['openLog']>;
export type NodeExchange = Exchange & { readonly cluster: ClusterNode };

export interface OpenNodeOptions extends Partial<Omit<ExchangeOptions, 'node' | 'onEvent'>> {
  readonly dataDir: string;
  readonly cluster: Partial<ClusterOptions> & Pick<ClusterOptions, 'role' | 'node'>;
  readonly openLog: OpenLog;
  readonly onEvent?: (event: AnyEvent) => void;
}

export async function openNode(options: OpenNodeOptions): Promise<NodeExchange> {
  const { cluster, openLog, onEvent = () => undefined, ...changes } = options;
  const node = new NodeOpening({
    cluster: {
      etcdUrls: [],
      prefix: '/test',
      feedHost: '127.0.0.1',
      feedPort: 0,
      masterSecret: Buffer.alloc(32, 7),
      clockJumpMs: Number.POSITIVE_INFINITY,
      ...cluster,
    },
    openLog,
    onEvent,
  });
  const exchange = await openExchange({
    temporary: false,
    now: Date.now,
    funding: 'paper',
    snapshotPace: 'never',
    reservedOrders: 1_024,
    ...changes,
    onEvent,
    node,
  });
  return Object.assign(exchange, { cluster: node.node });
}
