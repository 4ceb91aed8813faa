/** Joins the cluster to the exchange: a process with settings of a cluster is a node of it. */
import type {
  PlotBase,
  PlotCore,
  PlotPart,
  PlotProcess,
  PlotShare,
  VenueNode,
} from '../http/services/index.ts';
import { type ClusterSettings, runsPublicApi } from '../http/settings/cluster.ts';
import type { NodeEvent } from './cluster.ts';
import { CoreApprovals, CoreHeartbeats } from './core-questions.ts';
import { NodeGate } from './node-gate.ts';
import { NodeOpening, type NodeOpeningOptions } from './opening.ts';

export const CLUSTER_PART: PlotPart = {
  begin: (base): PlotProcess => {
    const { cluster } = base.settings;
    return cluster === undefined ? {} : { join: (core) => join(cluster, base, core) };
  },
};

function join(cluster: ClusterSettings, base: PlotBase, core: PlotCore): PlotShare {
  const { settings, clock } = base;
  // Safe: only tests set it, with a function of this type.
  const openLog = cluster.openLog as NodeOpeningOptions['openLog'];
  const opening = new NodeOpening({
    cluster: { ...cluster, clockJumpMs: settings.clockJumpMs },
    onEvent: (event) => takeEvent(event, base, core),
    ...(openLog && { openLog }),
  });
  let heartbeats: CoreHeartbeats | undefined;
  const node: VenueNode = {
    part: opening,
    get shown() {
      return opening.node;
    },
    gate: () => new NodeGate({ node: opening.node, runsPublicApi: runsPublicApi(settings) }),
    approvals: () => new CoreApprovals({ node: opening.node, now: () => clock.shownMs() }),
    heartbeats: (begin) => {
      heartbeats = new CoreHeartbeats({ node: opening.node, begin });
      return heartbeats;
    },
    lead: () => heartbeats?.lead(),
  };
  return { node };
}

function takeEvent(event: NodeEvent, { settings, log }: PlotBase, core: PlotCore): void {
  switch (event.kind) {
    case 'node_state':
      log.info({ state: event.state, epoch: event.epoch }, 'the node has another state');
      if (event.state === 'leading') core.lead();
      return;
    case 'cluster_trouble':
      log.warn({ err: event.error }, 'the node has trouble with the cluster, and tries again');
      return;
    case 'content_applied':
      if (runsPublicApi(settings)) core.noteContent(event.applied);
      return;
    case 'snapshot_taken': {
      const { kind: _, ...taken } = event;
      log.info(taken, 'a standby sent a snapshot');
      return;
    }
    default:
      core.noteEvent(event);
  }
}
