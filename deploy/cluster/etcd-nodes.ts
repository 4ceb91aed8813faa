/**
 * Three etcd nodes, each a process with a folder of its own, with the settings that the exchange
 * asks for. They use plain HTTP and are for one machine, or for hosts that only the tests can
 * reach.
 *
 * Invariant: a node that is started again has the same addresses and the same data.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterChild } from './child.ts';
import { freePorts } from './ports.ts';

const NODES = 3;
const READY_MS = 30_000;
const ASK_MS = 1_000;
const LOOK_MS = 50;
const QUOTA_BYTES = 2 * 1024 ** 3;

export interface EtcdOptions {
  /** Each node makes its own folder in it. */
  readonly folder: string;
  /** Of each node; by default all are on 127.0.0.1. */
  readonly hosts?: readonly [string, string, string];
  /** Three for clients, then three for peers. Free ones by default. */
  readonly ports?: readonly number[];
  /** Words in front of the program of a node, such as `ip netns exec NAME`. */
  readonly wrapper?: (index: number) => readonly string[];
  /** The folder of one node may be elsewhere, for instance on a small disk. */
  readonly folderOf?: (index: number) => string | undefined;
  readonly environmentOf?: (index: number) => Readonly<Record<string, string>>;
}

export interface EtcdNode {
  readonly name: string;
  /** For clients, and for the other nodes. */
  readonly url: string;
  readonly peerUrl: string;
  readonly dataDir: string;
  readonly child: ClusterChild;
  /** The next start joins a cluster that exists: these nodes, this one among them. */
  join(members: readonly EtcdNode[]): void;
}

/** The version of the installed etcd, or undefined if there is none. */
export function etcdVersion(): string | undefined {
  const { status, stdout } = spawnSync('etcd', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  return /etcd Version: (\S+)/.exec(stdout)?.[1];
}

/** What to say if there is no `etcdVersion`. */
export const ETCD_MISSING = 'etcd is not installed: run "npm run cluster:install" as root';

/** What a node says of itself, or undefined if it does not answer in time. */
async function etcdStatus(
  url: string,
): Promise<{ readonly isLeader: boolean; readonly dbBytes: number } | undefined> {
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const options = { method: 'POST', body: '{}', signal };
    const response = await fetch(`${url}/v3/maintenance/status`, options);
    const status = (await response.json()) as {
      readonly header: { readonly member_id: string };
      readonly leader?: string;
      readonly dbSize?: string;
    };
    const isLeader = status.header.member_id === status.leader;
    return { isLeader, dbBytes: Number(status.dbSize ?? 0) };
  } catch {
    // Not there, or not in time: for the caller that is the same.
    return undefined;
  }
}

export class EtcdNodes {
  readonly nodes: readonly EtcdNode[];

  private constructor(nodes: readonly EtcdNode[]) {
    this.nodes = nodes;
  }

  /** Starts all nodes and waits until they have a leader. */
  static async start(options: EtcdOptions): Promise<EtcdNodes> {
    const { folder, hosts = ['127.0.0.1', '127.0.0.1', '127.0.0.1'] } = options;
    const { wrapper = () => [], folderOf = () => undefined, environmentOf = () => ({}) } = options;
    const ports = options.ports ?? (await freePorts(2 * NODES));
    const places = hosts.map((host, index) => ({
      name: `etcd-${index + 1}`,
      url: `http://${host}:${ports[index]}`,
      peerUrl: `http://${host}:${ports[NODES + index]}`,
    }));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const nodes = places.map(({ name, url, peerUrl }, index) => {
      const dataDir = folderOf(index) ?? join(folder, name);
      const wordsFor = (members: readonly Member[], state: 'new' | 'existing'): string[] => {
        const place = { name, url, peerUrl, dataDir, state, members: membersText(members) };
        return [...wrapper(index), 'etcd', ...flagsOf(place)];
      };
      const logFile = join(folder, `${name}.log`);
      const environment = environmentOf(index);
      const words = wordsFor(places, 'new');
      const child = new ClusterChild({ name, words, logFile, environment });
      const joinThem = (members: readonly Member[]): void =>
        child.change({ words: wordsFor(members, 'existing') });
      return { name, url, peerUrl, dataDir, child, join: joinThem };
    });
    const made = new EtcdNodes(nodes);
    try {
      for (const { child } of nodes) child.start();
      await made.waitUntilReady();
      return made;
    } catch (error) {
      await made.stop();
      throw error;
    }
  }

  /** As `--etcd` takes them. */
  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  node(index: number): EtcdNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`there is no etcd node ${index}`);
    return node;
  }

  /** Waits until a node answers as the leader. */
  async leader(): Promise<EtcdNode> {
    const lastMs = performance.now() + READY_MS;
    while (performance.now() < lastMs) {
      const running = this.nodes.filter(({ child }) => child.isRunning);
      const statuses = await Promise.all(running.map(({ url }) => etcdStatus(url)));
      const leader = running[statuses.findIndex((status) => status?.isLeader === true)];
      if (leader !== undefined) return leader;
      await sleep(LOOK_MS);
    }
    throw new Error(`etcd has no leader:\n${this.nodes[0]?.child.lastOutput}`);
  }

  async followers(): Promise<EtcdNode[]> {
    const leader = await this.leader();
    return this.nodes.filter((node) => node !== leader);
  }

  /** Waits until every node that runs takes part: a read that needs a majority answers. */
  async waitUntilReady(): Promise<void> {
    await Promise.all(this.nodes.map((node) => waitForNode(node)));
  }

  /** Makes the data of a node from a snapshot of etcd; each node must be given the same one. */
  restore({ name, dataDir, peerUrl }: EtcdNode, snapshot: string): void {
    const members = membersText(this.nodes);
    const words = ['snapshot', 'restore', snapshot, '--name', name, '--data-dir', dataDir];
    const place = ['--initial-cluster', members, '--initial-advertise-peer-urls', peerUrl];
    const { status, stderr } = spawnSync('etcdctl', [...words, ...place], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`etcdctl could not restore ${snapshot}: ${stderr}`);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.nodes.map(({ child }) => (child.isRunning ? child.stop(2_000) : undefined)),
    );
  }
}

async function waitForNode({ name, url, child }: EtcdNode): Promise<void> {
  const lastMs = performance.now() + READY_MS;
  const body = JSON.stringify({ key: Buffer.from('ready').toString('base64') });
  while (child.isRunning && performance.now() < lastMs) {
    try {
      const signal = AbortSignal.timeout(ASK_MS);
      const answer = await fetch(`${url}/v3/kv/range`, { method: 'POST', body, signal });
      if (answer.ok) return;
    } catch {
      // It does not listen yet, or there is no leader yet.
    }
    await sleep(LOOK_MS);
  }
  throw new Error(`${name} did not become ready:\n${child.lastOutput}`);
}

type Member = Pick<EtcdNode, 'name' | 'peerUrl'>;

function membersText(members: readonly Member[]): string {
  return members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
}

function flagsOf(place: {
  readonly name: string;
  readonly url: string;
  readonly peerUrl: string;
  readonly members: string;
  readonly state: 'new' | 'existing';
  readonly dataDir: string;
}): string[] {
  const { name, url, peerUrl, members, state, dataDir } = place;
  return [
    ...['--name', name, '--data-dir', dataDir],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', members, '--initial-cluster-state', state],
    // The history of keys is of no use: the exchange never reads an older revision.
    ...['--auto-compaction-mode', 'revision', '--auto-compaction-retention', '1000'],
    ...['--quota-backend-bytes', `${QUOTA_BYTES}`],
    // A node that comes back does not disturb a leader that the others follow.
    '--pre-vote',
    ...['--logger', 'zap', '--log-level', 'warn'],
  ];
}
