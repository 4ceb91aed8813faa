/**
 * A cluster for measurements: etcd, a core, a standby and two gateways on this machine, with
 * accounts that trade through the first gateway. A closed loop that is pointed at it counts the
 * processor time of the core.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../deploy/cluster/cluster.ts';
import type { ClusterNode } from '../../deploy/cluster/cluster-node.ts';
import type { Target } from '../harness/closed-loop.ts';
import type { LoadAccount } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { FLAGS } from '../orders/servers.ts';

export interface Venue {
  readonly cluster: Cluster;
  /** The gateway that gets the orders. */
  readonly gateway: ClusterNode;
  readonly accounts: readonly LoadAccount[];
  readonly orders: Orders;
  /** Orders go to the gateway; the processor time is that of the core of the moment. */
  target(): Promise<Target>;
}

/** The line that a node prints when it is ready. */
interface ReadyLine {
  readonly devAccounts: readonly LoadAccount[];
}

function accountsOf({ log }: ClusterNode): readonly LoadAccount[] {
  const line = log.split('\n').find((text) => text.includes('"ready":true')) ?? '';
  // The form of this line is part of the program's contract.
  return (JSON.parse(line) as ReadyLine).devAccounts;
}

async function venueOf(cluster: Cluster): Promise<Venue> {
  const gateway = cluster.gateway(0);
  const accounts = accountsOf(gateway);
  const get = async <Reply>(path: string): Promise<Reply> => {
    const answer = await fetch(`${gateway.url}${path}`);
    if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`);
    return (await answer.json()) as Reply; // our own route
  };
  const target = async (): Promise<Target> => {
    const { child } = await cluster.leader();
    return { url: gateway.url, pid: child.pid };
  };
  const orders = await Orders.of({ devAccounts: accounts, get });
  return { cluster, gateway, accounts, orders, target };
}

/** Starts a cluster, works with it, stops it and removes its folder. */
export async function withVenue<Done>(work: (venue: Venue) => Promise<Done>): Promise<Done> {
  return await withFolder(async (folder) => {
    const flagsOf = (name: string): readonly string[] =>
      name === 'gateway-1' ? FLAGS : ['--log-level', 'error'];
    const cluster = await startCluster({ folder, flagsOf });
    try {
      return await work(await venueOf(cluster));
    } finally {
      await cluster.stop();
    }
  });
}

/** Works with a new folder, and removes it. */
export async function withFolder<Done>(work: (folder: string) => Promise<Done>): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-cluster-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
