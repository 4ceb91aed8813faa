/** What a fault of a cluster is: a name, what it does, and what must be seen meanwhile. */
import type { Cluster, ClusterOptions } from '../../deploy/cluster/cluster.ts';
import type { ClusterNode } from '../../deploy/cluster/cluster-node.ts';
import type { TestNetwork } from './network.ts';
import type { ClusterWorld } from './world.ts';

export interface FaultPlace {
  readonly world: ClusterWorld;
  readonly cluster: Cluster;
  /** A folder for what the fault needs. */
  readonly folder: string;
  /** The hosts, if the fault has `onNetwork`. */
  readonly network: TestNetwork;
}

export interface Fault {
  readonly name: string;
  /** What happens, in words for the table. */
  readonly what: string;
  /** Each process runs on a host of its own. */
  readonly onNetwork?: boolean;
  readonly options?: (folder: string) => Promise<Partial<ClusterOptions>> | Partial<ClusterOptions>;
  /** Runs under load; throws if something else is seen than what must be. Returns what was seen. */
  readonly act: (place: FaultPlace) => Promise<string>;
  /** Undoes what `options` made, when all processes have ended. */
  readonly end?: (folder: string) => Promise<void>;
}

/** Acknowledgements before and after each fault. */
export const SOME = 60;

export interface Takeover {
  /** The core that was replaced, and the new one. */
  readonly old: ClusterNode;
  readonly next: ClusterNode;
  /** From the fault until etcd had the new epoch, and until a client had an acknowledgement. */
  readonly epochMs: number;
  readonly acknowledgedMs: number;
}

/** Makes a fault that a standby must answer with a takeover, and measures it. */
export async function takeover(world: ClusterWorld, fault: () => Promise<void>): Promise<Takeover> {
  const { cluster } = world;
  const before = await cluster.nextHolder(0);
  const old = cluster.node(before.node);
  const startMs = performance.now();
  await fault();
  const next = cluster.node((await cluster.nextHolder(before.epoch)).node);
  const epochMs = Math.round(performance.now() - startMs);
  await world.acknowledge(1);
  const acknowledgedMs = Math.round(performance.now() - startMs);
  if (next === old) throw new Error(`${old.name} followed itself`);
  return { old, next, epochMs, acknowledgedMs };
}

/** What a takeover took, in words. */
export function takeoverWords({ epochMs, acknowledgedMs }: Takeover): string {
  return `new epoch after ${epochMs} ms, next acknowledgement after ${acknowledgedMs} ms`;
}
