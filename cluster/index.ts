/**
 * A cluster: several processes that are one exchange. One of them, the core, gives commands their
 * order and puts them into a log on etcd. Replicas follow the log: gateways have the public API,
 * and standbys take over when the core is gone.
 *
 * Invariants: commands are applied in the order of the log, once each, at every node; at most one
 * node appends to the log; a node whose state is not current shows nothing of it.
 */
import type { Plot } from '../http/services/index.ts';

export const clusterPlot: Plot = {
  name: 'cluster',
  load: async () => (await import('./plot-node.ts')).CLUSTER_PART,
};
