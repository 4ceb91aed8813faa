/** Processes that are killed or paused. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterNode } from '../../deploy/cluster/cluster-node.ts';
import type { EtcdNode } from '../../deploy/cluster/etcd-nodes.ts';
import { type Fault, type FaultPlace, SOME, takeover, takeoverWords } from './fault.ts';
import { preloading } from './preloads.ts';

const PAUSE_MS = 10_000;
const OUTAGE_MS = 5_000;
/** Requests that were on their way when etcd lost its majority are answered by then. */
const SETTLED_MS = 1_000;
const ASK_MS = 2_000;
const ENDS_MS = 15_000;

async function killCore({ world }: FaultPlace): Promise<string> {
  const seen = await takeover(world, async () => {
    await (await world.cluster.leader()).child.kill();
  });
  await world.acknowledge(SOME);
  await world.revive(seen.old);
  return takeoverWords(seen);
}

async function killCoreAndLeader({ world, cluster }: FaultPlace): Promise<string> {
  const leader = await cluster.etcd.leader();
  const seen = await takeover(world, async () => {
    await Promise.all([(await cluster.leader()).child.kill(), leader.child.kill()]);
  });
  await world.acknowledge(SOME);
  leader.child.start();
  await cluster.etcd.waitUntilReady();
  await world.revive(seen.old);
  return takeoverWords(seen);
}

/** As after a power failure: afterwards every core and standby is started as a standby. */
async function killAll({ world, cluster }: FaultPlace): Promise<string> {
  const before = await cluster.holder();
  await Promise.all(cluster.nodes.map(({ child }) => child.kill()));
  for (const node of cluster.cores) node.start('standby');
  for (const node of cluster.gateways) node.start();
  await Promise.all(cluster.nodes.map((node) => node.waitUntilReady()));
  await world.acknowledge(SOME);
  const after = await cluster.holder();
  return `epoch ${before?.epoch}, then ${after?.epoch} of ${after?.node}`;
}

async function killFollower({ world, cluster }: FaultPlace): Promise<string> {
  const before = await cluster.holder();
  const [follower] = await cluster.etcd.followers();
  assert.ok(follower !== undefined);
  await follower.child.kill();
  await world.acknowledge(3 * SOME);
  follower.child.start();
  await cluster.etcd.waitUntilReady();
  assert.deepEqual(await cluster.holder(), before, 'the core stays');
  return 'no takeover';
}

async function killTwo({ world, cluster }: FaultPlace): Promise<string> {
  const killed = cluster.etcd.nodes.slice(0, 2);
  await Promise.all(killed.map(({ child }) => child.kill()));
  await sleep(SETTLED_MS);
  assert.ok(await world.isQuiet(OUTAGE_MS), 'nothing is acknowledged without a majority');
  const startMs = performance.now();
  for (const { child } of killed) child.start();
  await world.acknowledge(1);
  const backMs = Math.round(performance.now() - startMs);
  await world.acknowledge(SOME);
  return `nothing acknowledged for ${OUTAGE_MS} ms; back ${backMs} ms after the nodes started`;
}

/** Reads what the core tells an operator, again and again, until the process has ended. */
async function readsOf(node: ClusterNode, token: string): Promise<{ seq: number; atMs: number }[]> {
  const reads: { seq: number; atMs: number }[] = [];
  while (node.child.isRunning) {
    try {
      const signal = AbortSignal.timeout(ASK_MS);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${node.adminUrl}/audit`, { headers, signal });
      const body = (await response.json()) as { readonly seq?: number };
      if (response.ok) reads.push({ seq: body.seq ?? 0, atMs: performance.now() });
    } catch {
      // It is paused or has ended.
    }
    await sleep(1);
  }
  return reads;
}

/** Waits until a process has ended by itself. */
async function endOf(node: ClusterNode): Promise<number | null> {
  const ended = await Promise.race([node.child.ended, sleep(ENDS_MS)]);
  assert.ok(ended !== undefined, `${node.name} was deposed and must end:\n${node.log}`);
  return ended.code;
}

async function pauseCore({ world, cluster }: FaultPlace): Promise<string> {
  const old = await cluster.leader();
  const seen = await takeover(world, async () => {
    old.child.pause();
    await Promise.resolve();
  });
  await world.acknowledge(SOME);
  await sleep(Math.max(0, PAUSE_MS - seen.acknowledgedMs));
  const reads = readsOf(old, cluster.adminToken);
  await sleep(SETTLED_MS);
  const resumedMs = performance.now();
  old.child.resume();
  const code = await endOf(old);
  const endedMs = Math.round(performance.now() - resumedMs);
  const stale = (await reads).filter(({ atMs }) => atMs > resumedMs);
  assert.deepEqual(stale, [], 'a deposed core shows nothing');
  assert.notEqual(code, 0);
  await world.acknowledge(SOME);
  await world.revive(old);
  return `${takeoverWords(seen)}; resumed, it ended after ${endedMs} ms with exit code ${code}`;
}

/** Its main thread alone hangs: the thread of its log could write beats. */
async function hangCore({ world, cluster }: FaultPlace): Promise<string> {
  const old = await cluster.leader();
  const seen = await takeover(world, async () => {
    process.kill(old.child.pid, 'SIGUSR2');
    await Promise.resolve();
  });
  await world.acknowledge(SOME);
  const code = await endOf(old);
  assert.notEqual(code, 0);
  await world.revive(old);
  return `${takeoverWords(seen)}; it ended with exit code ${code}`;
}

async function pauseLeader({ world, cluster }: FaultPlace): Promise<string> {
  const leader: EtcdNode = await cluster.etcd.leader();
  const before = await cluster.holder();
  leader.child.pause();
  const startMs = performance.now();
  await sleep(SETTLED_MS);
  await world.acknowledge(1);
  const backMs = Math.round(performance.now() - startMs);
  await world.acknowledge(SOME);
  await sleep(Math.max(0, PAUSE_MS - backMs));
  leader.child.resume();
  await world.acknowledge(SOME);
  const after = await cluster.holder();
  return `acknowledged again after ${backMs} ms; epoch ${before?.epoch}, then ${after?.epoch}`;
}

async function killGateway({ world, cluster }: FaultPlace): Promise<string> {
  const gateway = cluster.gateway(0);
  await gateway.child.kill();
  await world.acknowledge(SOME);
  const resumed = world.subscribers.reduce((sum, one) => sum + one.resumed, 0);
  assert.ok(resumed > 0, 'its subscriber went on at the other gateway');
  await world.revive(gateway);
  await world.acknowledge(SOME);
  // The subscriber goes back, too.
  const other = cluster.gateway(1);
  await other.child.kill();
  await world.acknowledge(SOME);
  await world.revive(other);
  const fresh = world.subscribers.reduce((sum, one) => sum + one.freshStates, 0);
  const all = world.subscribers.reduce((sum, one) => sum + one.resumed, 0);
  return `subscribers resumed ${all} times; ${fresh} markets needed fresh books`;
}

const MOVES = 24;
const BETWEEN_MOVES = 10;

/** Subscribers of both channels change their gateway again and again; one gateway is killed. */
async function moveSubscribers({ world, cluster }: FaultPlace): Promise<string> {
  const listeners = [...world.subscribers, ...world.owners];
  const gateway = cluster.gateway(0);
  for (let move = 0; move < MOVES; move += 1) {
    if (move === MOVES / 3) await gateway.child.kill();
    if (move === (2 * MOVES) / 3) await world.revive(gateway);
    listeners[move % listeners.length]?.move();
    await world.acknowledge(BETWEEN_MOVES);
  }
  const resumed = listeners.reduce((sum, one) => sum + one.resumed, 0);
  assert.ok(resumed >= MOVES / 2, `they resumed ${resumed} times`);
  const fresh = listeners.reduce((sum, one) => sum + one.freshStates, 0);
  return `subscribers resumed ${resumed} times; ${fresh} fresh books and snapshots`;
}

export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'core-killed', what: 'the core is killed', act: killCore },
  {
    name: 'core-and-etcd-leader-killed',
    what: 'the core and the leader of etcd are killed together',
    act: killCoreAndLeader,
  },
  {
    name: 'all-nodes-killed',
    what: 'core, standby and gateways are killed together; both cores come back as standbys',
    act: killAll,
  },
  { name: 'etcd-follower-killed', what: 'a follower of etcd is killed', act: killFollower },
  { name: 'two-etcd-killed', what: 'two of three etcd nodes are killed', act: killTwo },
  { name: 'core-paused', what: 'the core is paused for 10 s and resumed', act: pauseCore },
  {
    name: 'core-hangs',
    what: 'the main thread of the core hangs for 20 s',
    options: () => ({ environmentOf: () => preloading('./hang.mjs') }),
    act: hangCore,
  },
  { name: 'etcd-leader-paused', what: 'the leader of etcd is paused for 10 s', act: pauseLeader },
  {
    name: 'subscribers-move',
    what: 'subscribers change their gateway all the time, while a gateway is killed',
    act: moveSubscribers,
  },
  {
    name: 'gateway-killed',
    what: 'a gateway is killed with open sockets, then the other one',
    act: killGateway,
  },
];
