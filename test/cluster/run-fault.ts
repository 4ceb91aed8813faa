/** Runs one fault on a fresh cluster under load, and compares everything at the end. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterOptions } from '../../deploy/cluster/cluster.ts';
import { DISK_FAULTS } from './disk-faults.ts';
import { type Fault, SOME } from './fault.ts';
import { TestNetwork } from './network.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { OPERATIONS } from './operations.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { PUBLISHED_CLIENT } from './published-trader.ts';
import { STANDBY_FAULTS } from './standby-faults.ts';
import { ClusterWorld, type Verdict } from './world.ts';

export const FAULTS: readonly Fault[] = [
  PUBLISHED_CLIENT,
  ...PROCESS_FAULTS,
  ...NETWORK_FAULTS,
  ...DISK_FAULTS,
  ...STANDBY_FAULTS,
  ...OPERATIONS,
];

export interface FaultResult extends Verdict {
  /** What was seen while the fault was there. */
  readonly seen: string;
}

/** Names of hosts are those of the processes. */
function onNetwork(network: TestNetwork): Partial<ClusterOptions> {
  const etcd = [1, 2, 3].map((number) => network.host(`etcd-${number}`));
  const [first = '', second = '', third = ''] = etcd.map(({ address }) => address);
  return {
    flags: ['--cluster-plaintext'],
    hostOf: (name) => network.host(name).address,
    wrapperOf: (name) => network.host(name).wrapper,
    etcd: { hosts: [first, second, third], wrapper: (index) => etcd[index]?.wrapper ?? [] },
  };
}

/** The folder is removed, unless the run fails. */
export async function runFault(fault: Fault, folder: string, seed = 1): Promise<FaultResult> {
  mkdirSync(folder, { recursive: true });
  const network = fault.onNetwork === true ? TestNetwork.open() : undefined;
  let world: ClusterWorld | undefined;
  try {
    const hosts = network === undefined ? {} : onNetwork(network);
    const own = (await fault.options?.(folder)) ?? {};
    world = await ClusterWorld.start({ ...hosts, ...own, folder });
    world.load(seed);
    await world.acknowledge(SOME);
    const { cluster } = world;
    // Safe: a fault that uses the network says so by `onNetwork`.
    const place = { world, cluster, folder, network: network as TestNetwork };
    const seen = await fault.act(place);
    const verdict = await world.conclude();
    await end(fault, folder, network);
    rmSync(folder, { recursive: true, force: true });
    return { seen, ...verdict };
  } catch (error) {
    await world?.stop();
    await end(fault, folder, network);
    const logs = world === undefined ? '' : `\n${world.cluster.logs()}`;
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`${fault.name}: ${message}\nThe folder is kept: ${join(folder)}${logs}`);
  }
}

async function end(fault: Fault, folder: string, network: TestNetwork | undefined): Promise<void> {
  await fault.end?.(folder);
  network?.close();
}
