/** What operators do to a cluster that runs: they upgrade, add and remove nodes, one at a time. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterNode, StartChanges } from '../../deploy/cluster/cluster-node.ts';
import type { EtcdNode } from '../../deploy/cluster/etcd-nodes.ts';
import { type Fault, type FaultPlace, SOME, takeover, takeoverWords } from './fault.ts';
import { deleteKey, readRecord } from './keys.ts';
import { OLDER_PROGRAM, THIS_PROGRAM } from './preloads.ts';
import type { ClusterWorld } from './world.ts';

const OUTAGE_MS = 3_000;
const ADD_TRIES = 20;
/** Requests that were on their way when etcd lost its majority are answered by then. */
const SETTLED_MS = 1_000;

/** Starts a node again, and waits until it is ready. */
async function restart(node: ClusterNode, changes: StartChanges = {}): Promise<void> {
  node.start(node.role === 'gateway' ? 'gateway' : 'standby', changes);
  await node.waitUntilReady();
}

/** Does something while no client is answered 425. */
async function withoutPause(world: ClusterWorld, act: () => Promise<void>): Promise<void> {
  const { refused } = world.requests;
  await act();
  await world.acknowledge(SOME);
  assert.equal(world.requests.refused, refused, 'every request is answered at its first try');
}

/** As a load balancer does: clients go to the other gateways while one of two is away. */
async function replaceGateway(
  { world, cluster }: FaultPlace,
  index: number,
  replace: (gateway: ClusterNode) => Promise<void>,
): Promise<void> {
  world.requests.pin(1 - index);
  await world.acknowledge(SOME);
  await withoutPause(world, async () => {
    const gateway = cluster.gateway(index);
    await gateway.child.stop();
    await replace(gateway);
  });
  world.requests.unpin();
}

/** The rules under which the core of the newest epoch works. */
async function rulesOf({ cluster }: FaultPlace): Promise<number> {
  const { rules } = await readRecord<{ readonly rules: number }>(cluster, 'epoch');
  return rules;
}

async function upgrade(place: FaultPlace): Promise<string> {
  const { world, cluster } = place;
  const before = await rulesOf(place);
  for (const index of cluster.gateways.keys()) {
    await replaceGateway(place, index, (gateway) => restart(gateway, THIS_PROGRAM));
  }
  const leader = await cluster.leader();
  for (const standby of cluster.cores.filter((node) => node !== leader)) {
    await withoutPause(world, async () => {
      await standby.child.stop();
      await restart(standby, THIS_PROGRAM);
    });
  }
  assert.equal(await rulesOf(place), before, 'the rules are those of the core');
  const seen = await takeover(world, async () => {
    await leader.child.stop();
  });
  await restart(leader, THIS_PROGRAM);
  await world.acknowledge(SOME);
  const after = await rulesOf(place);
  assert.equal(after, before + 1, 'the rules are those of the new program');
  return `rules ${before}, then ${after}; the core was upgraded last: ${takeoverWords(seen)}`;
}

async function changeNodes(place: FaultPlace): Promise<string> {
  const { world, cluster } = place;
  await replaceGateway(place, 1, async (gateway) => {
    await world.acknowledge(SOME);
    rmSync(gateway.dataDir, { recursive: true });
    await restart(gateway);
  });
  const leader = await cluster.leader();
  const standby = cluster.cores.find((node) => node !== leader);
  assert.ok(standby !== undefined);
  await withoutPause(world, async () => {
    await standby.child.stop();
    await deleteKey(cluster, `replica/${standby.name}`);
    await world.acknowledge(SOME);
    rmSync(standby.dataDir, { recursive: true });
    await restart(standby);
  });
  const seen = await takeover(world, async () => {
    await leader.child.stop();
  });
  await restart(leader);
  await world.acknowledge(SOME);
  return `a gateway and a standby left, and came with empty folders; then ${takeoverWords(seen)}`;
}

/** etcd refuses a member until the one before it has started. */
async function addMember({ url }: EtcdNode, { name, peerUrl }: EtcdNode): Promise<void> {
  const words = ['--endpoints', url, 'member', 'add', name, `--peer-urls=${peerUrl}`];
  for (let left = ADD_TRIES; ; left -= 1) {
    const { status, stderr } = spawnSync('etcdctl', words, { encoding: 'utf8' });
    if (status === 0) return;
    assert.ok(left > 0, `etcdctl can't add ${name}: ${stderr}`);
    await sleep(1_000);
  }
}

/** As docs/cluster.md says, step by step. The survivor is the leader, so it has all entries. */
async function replaceTwo({ world, cluster }: FaultPlace): Promise<string> {
  const { etcd } = cluster;
  const survivor = await etcd.leader();
  const lost = etcd.nodes.filter((node) => node !== survivor);
  await Promise.all(lost.map(({ child }) => child.kill()));
  for (const { dataDir } of lost) rmSync(dataDir, { recursive: true });
  await sleep(SETTLED_MS);
  assert.ok(await world.isQuiet(OUTAGE_MS), 'nothing is acknowledged without a majority');
  await survivor.child.stop();
  survivor.child.change({ environment: { ETCD_FORCE_NEW_CLUSTER: 'true' } });
  survivor.child.start();
  await world.acknowledge(SOME);
  survivor.child.change({ environment: {} });
  const members = [survivor];
  for (const node of lost) {
    await addMember(survivor, node);
    members.push(node);
    node.join(members);
    node.child.start();
    await world.acknowledge(SOME);
  }
  await etcd.waitUntilReady();
  await survivor.child.stop();
  survivor.child.start();
  await etcd.waitUntilReady();
  await world.acknowledge(SOME);
  const [first] = lost;
  assert.ok(first !== undefined);
  await survivor.child.kill();
  await world.acknowledge(SOME);
  survivor.child.start();
  await etcd.waitUntilReady();
  return 'the survivor went on alone, then with two new nodes, and these without it';
}

export const OPERATIONS: readonly Fault[] = [
  {
    name: 'rolling-upgrade',
    what: 'gateways, standby and core get a program with newer rules, one after the other',
    options: () => ({ environmentOf: () => OLDER_PROGRAM.environment }),
    act: upgrade,
  },
  {
    name: 'nodes-changed',
    what: 'a gateway and a standby are removed, and added with empty folders',
    act: changeNodes,
  },
  {
    name: 'etcd-two-lost',
    what: 'two of three etcd nodes are lost with their disks, and replaced',
    act: replaceTwo,
  },
];
