/**
 * A whole cluster on this machine: three etcd nodes, a core, standbys and gateways, each a process
 * with a folder of its own below one folder.
 *
 * Invariant: `stop` ends every process; if a start fails, those that were started are ended.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterNode, type NodeRole } from './cluster-node.ts';
import { EtcdNodes, type EtcdOptions } from './etcd-nodes.ts';
import { freePorts } from './ports.ts';

const ETCD_PORTS = 6;
const PORTS_A_NODE = 3;
const HOLDER_MS = 30_000;
const LOOK_MS = 50;
const ASK_MS = 1_000;
export const CLUSTER_PREFIX = '/outcome-exchange';

export interface ClusterOptions {
  /** Empty or not there yet. A folder with the data of an earlier start goes on where it ended. */
  readonly folder: string;
  readonly standbys?: number;
  readonly gateways?: number;
  /** Flags of every node of the exchange, and those of cores and standbys, or gateways, alone. */
  readonly flags?: readonly string[];
  readonly coreFlags?: readonly string[];
  readonly gatewayFlags?: readonly string[];
  readonly etcd?: Omit<EtcdOptions, 'folder' | 'ports'>;
  /** The address of a node; 127.0.0.1 by default. */
  readonly hostOf?: (name: string) => string;
  /** Words in front of the program of a node, such as `ip netns exec NAME`. */
  readonly wrapperOf?: (name: string) => readonly string[];
  readonly environmentOf?: (name: string) => Readonly<Record<string, string>>;
  /** The URLs of etcd that a node is given, for a proxy in between. */
  readonly etcdUrlsOf?: (name: string, urls: readonly string[]) => Promise<readonly string[]>;
  /** Flags of one node. */
  readonly flagsOf?: (name: string) => readonly string[];
}

/** The core of the newest epoch, as etcd has it. */
export interface Holder {
  readonly epoch: number;
  readonly node: string;
}

export class Cluster {
  readonly folder: string;
  readonly etcd: EtcdNodes;
  /** The node that is the core at first, then the standbys. Each may become the core. */
  readonly cores: readonly ClusterNode[];
  readonly gateways: readonly ClusterNode[];
  /** The bearer token of every operator's API. */
  readonly adminToken: string;

  constructor(parts: Pick<Cluster, 'folder' | 'etcd' | 'cores' | 'gateways' | 'adminToken'>) {
    this.folder = parts.folder;
    this.etcd = parts.etcd;
    this.cores = parts.cores;
    this.gateways = parts.gateways;
    this.adminToken = parts.adminToken;
  }

  get nodes(): ClusterNode[] {
    return [...this.cores, ...this.gateways];
  }

  node(name: string): ClusterNode {
    const node = this.nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }

  gateway(index: number): ClusterNode {
    const gateway = this.gateways[index];
    if (gateway === undefined) throw new Error(`there is no gateway ${index}`);
    return gateway;
  }

  /** Asks every etcd node that runs and takes the newest answer. */
  async holder(): Promise<Holder | undefined> {
    const running = this.etcd.nodes.filter(({ child }) => child.isRunning);
    const found = await Promise.all(running.map(({ url }) => readHolder(url)));
    return found
      .filter((holder) => holder !== undefined)
      .toSorted((one, other) => other.epoch - one.epoch)[0];
  }

  /** The node that holds the newest epoch. */
  async leader(): Promise<ClusterNode> {
    return this.node((await this.nextHolder(0)).node);
  }

  /** Waits for a core of a newer epoch. */
  async nextHolder(after: number, mostMs = HOLDER_MS): Promise<Holder> {
    const lastMs = performance.now() + mostMs;
    while (performance.now() < lastMs) {
      const holder = await this.holder();
      if (holder !== undefined && holder.epoch > after) return holder;
      await sleep(LOOK_MS);
    }
    throw new Error(`no core of an epoch after ${after} within ${mostMs} ms:\n${this.logs()}`);
  }

  /** Starts the first core, then all other nodes, and waits until they are ready. */
  async startNodes(): Promise<void> {
    const [core, ...standbys] = this.cores;
    core?.start();
    await core?.waitUntilReady();
    const others = [...standbys, ...this.gateways];
    for (const node of others) node.start();
    await Promise.all(others.map((node) => node.waitUntilReady()));
  }

  /** The last words of all nodes, for a message. */
  logs(): string {
    const started = this.nodes.filter(({ child }) => child.pid > 0);
    return started.map(({ name, child }) => `--- ${name}\n${child.lastOutput}`).join('\n');
  }

  /** Stops gateways before the core and the core before etcd, so that each can finish its work. */
  async stop(): Promise<void> {
    await stopAll(this.gateways);
    await stopAll(this.cores);
    await this.etcd.stop();
  }
}

async function stopAll(nodes: readonly ClusterNode[]): Promise<void> {
  const running = nodes.filter(({ child }) => child.isRunning);
  await Promise.all(running.map(({ child }) => child.stop()));
}

async function readHolder(url: string): Promise<Holder | undefined> {
  const key = Buffer.from(`${CLUSTER_PREFIX}/epoch`).toString('base64');
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const body = JSON.stringify({ key });
    const response = await fetch(`${url}/v3/kv/range`, { method: 'POST', body, signal });
    const answer = (await response.json()) as { readonly kvs?: readonly { value: string }[] };
    const value = answer.kvs?.[0]?.value;
    if (value === undefined) return undefined;
    return JSON.parse(Buffer.from(value, 'base64').toString()) as Holder;
  } catch {
    // A node without a majority does not answer; the others do.
    return undefined;
  }
}

/** Names in the order in which ports are given out. */
function namesOf(standbys: number, gateways: number): { name: string; role: NodeRole }[] {
  const numbered = (role: NodeRole, count: number): { name: string; role: NodeRole }[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${role}-${index + 1}`, role }));
  return [
    { name: 'core-1', role: 'core' },
    // A node keeps its name when its role changes: these may all be the core.
    ...numbered('standby', standbys).map(({ role }, index) => ({
      name: `core-${index + 2}`,
      role,
    })),
    ...numbered('gateway', gateways),
  ];
}

/** Returns the text of a file that only this user can read; makes the file if it is not there. */
function keptText(path: string, make: () => string): string {
  if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}

/** The ports of a folder stay the same, because the etcd nodes keep each other's addresses. */
async function keptPorts(folder: string, count: number): Promise<number[]> {
  const fresh = await freePorts(count);
  const kept: unknown = JSON.parse(
    keptText(join(folder, 'ports.json'), () => JSON.stringify(fresh)),
  );
  if (!Array.isArray(kept) || kept.length !== count) {
    throw new Error(`${folder} is of a cluster with another number of nodes: give another folder`);
  }
  return kept.map(Number);
}

/** Makes folders, secrets and plans; starts etcd, and no other process yet. */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, standbys = 1, gateways = 2, flags = [] } = options;
  const { coreFlags = [], gatewayFlags = [] } = options;
  const { hostOf = () => '127.0.0.1', wrapperOf = () => [], environmentOf = () => ({}) } = options;
  const { etcdUrlsOf = async (_name, urls) => urls, flagsOf = () => [] } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = namesOf(standbys, gateways);
  const ports = await keptPorts(folder, ETCD_PORTS + PORTS_A_NODE * names.length);
  const tokenFile = join(folder, 'admin.token');
  const adminToken = keptText(tokenFile, () => randomBytes(24).toString('hex'));
  const secretFile = join(folder, 'master.secret');
  keptText(secretFile, () => randomBytes(32).toString('hex'));
  const shared = [
    ...['--admin-token-file', tokenFile, '--master-secret-file', secretFile],
    ...['--etcd-prefix', CLUSTER_PREFIX, '--gateways', `${gateways}`, ...flags],
  ];
  const etcd = await EtcdNodes.start({
    ...options.etcd,
    folder: join(folder, 'etcd'),
    ports: ports.slice(0, ETCD_PORTS),
  });
  const nodes: ClusterNode[] = [];
  for (const [index, { name, role }] of names.entries()) {
    const start = ETCD_PORTS + PORTS_A_NODE * index;
    const [first = 0, second = 0, third = 0] = ports.slice(start, start + PORTS_A_NODE);
    const etcdUrls = (await etcdUrlsOf(name, etcd.urls)).join(',');
    const node = new ClusterNode({
      name,
      role,
      host: hostOf(name),
      ports: [first, second, third],
      folder,
      flags: [
        ...['--etcd', etcdUrls, ...shared],
        ...(role === 'gateway' ? gatewayFlags : coreFlags),
        ...flagsOf(name),
      ],
      wrapper: wrapperOf(name),
      environment: environmentOf(name),
    });
    nodes.push(node);
  }
  return new Cluster({
    folder,
    etcd,
    adminToken,
    cores: nodes.filter(({ role }) => role !== 'gateway'),
    gateways: nodes.filter(({ role }) => role === 'gateway'),
  });
}

/** Starts everything and waits until all nodes are ready. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await prepareCluster(options);
  try {
    await cluster.startNodes();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
