/** Nodes of a cluster without a feed: requests of the one reach the handlers of the other. */
import type { ClusterNode, NodeState, RequestHandler } from '../../cluster/cluster.ts';
import { StoreError } from '../../persistence/shared/store-error.ts';

export interface FakeNode extends ClusterNode {
  state: NodeState;
  epoch: number;
  isCurrent: boolean;
  core: ClusterNode['core'];
  entryNumber: number;
  heardSeq: number;
  silenceMs: number;
  replicas: ClusterNode['replicas'];
  etcdStatus: ClusterNode['etcdStatus'];
  /** The node that answers requests; undefined while there is none. */
  leader: FakeNode | undefined;
  readonly handlers: Map<string, RequestHandler>;
}

export function fakeNode(name: string, state: NodeState = 'following'): FakeNode {
  const handlers = new Map<string, RequestHandler>();
  const node: FakeNode = {
    node: name,
    state,
    epoch: 1,
    isCurrent: true,
    core: { node: 'core-a', feedAddress: '127.0.0.1:1' },
    entryNumber: 0,
    heardSeq: 0,
    silenceMs: 0,
    replicas: [],
    handlers,
    leader: undefined,
    etcdStatus: async () => ({ endpoints: [], sizeBytes: undefined, quotaBytes: undefined }),
    request: async (kind, body) => {
      const handler = node.leader?.handlers.get(kind);
      if (handler === undefined) throw new StoreError('no_core', 'there is no core');
      const from = { node: name, role: 'gateway', entry: 0, seq: 0 } as const;
      try {
        return await handler(body, from);
      } catch (error) {
        if (error instanceof StoreError) throw error;
        // As from another process: the feed carries errors of the store alone.
        throw new Error('the handler failed', { cause: error });
      }
    },
    handle: (kind, handler) => {
      handlers.set(kind, handler);
    },
  };
  return node;
}

/** A core and a gateway that asks it. */
export function coreAndGateway() {
  const core = fakeNode('core-a', 'leading');
  const gateway = fakeNode('gateway-a');
  core.leader = core;
  gateway.leader = core;
  return { core, gateway };
}
