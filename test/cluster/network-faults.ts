/** Hosts that can't reach each other, both ways or in one direction alone. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterNode } from '../../deploy/cluster/cluster-node.ts';
import { type Fault, type FaultPlace, SOME, takeover, takeoverWords } from './fault.ts';
import { LinkProxy } from './link-proxy.ts';

const CUT_MS = 6_000;
const ENDS_MS = 15_000;
const LOST_ANSWERS = 10;

/** `out`: what the first host sends is dropped; `in`: what it is sent. */
type Way = 'both' | 'out' | 'in';

function cut(
  { network }: FaultPlace,
  host: string,
  others: readonly { readonly name: string }[],
  way: Way,
): void {
  for (const { name } of others) {
    if (way !== 'in') network.cut(host, name);
    if (way !== 'out') network.cut(name, host);
  }
}

/** Waits until a core that lost its role has ended. */
async function mustEnd(node: ClusterNode): Promise<string> {
  const ended = await Promise.race([node.child.ended, sleep(ENDS_MS)]);
  assert.ok(ended !== undefined, `${node.name} lost its role and must end:\n${node.log}`);
  assert.notEqual(ended.code, 0);
  return `the old core ended with exit code ${ended.code}`;
}

function coreFromEtcd(way: Way): Fault['act'] {
  return async (place) => {
    const { world, cluster, network } = place;
    const seen = await takeover(world, async () => {
      cut(place, (await cluster.leader()).name, cluster.etcd.nodes, way);
    });
    await world.acknowledge(SOME);
    network.heal();
    const end = await mustEnd(seen.old);
    await world.acknowledge(SOME);
    await world.revive(seen.old);
    return `${takeoverWords(seen)}; ${end}`;
  };
}

/** The standby hears the gateways: the core gives its place away. */
function coreFromGateways(way: Way): Fault['act'] {
  return async (place) => {
    const { world, cluster, network } = place;
    const seen = await takeover(world, async () => {
      cut(place, (await cluster.leader()).name, cluster.gateways, way);
    });
    const end = await mustEnd(seen.old);
    await world.acknowledge(SOME);
    network.heal();
    await world.revive(seen.old);
    return `${takeoverWords(seen)}, during the cut; ${end}`;
  };
}

function standbyFromEtcd(way: Way): Fault['act'] {
  return async (place) => {
    const { world, cluster, network } = place;
    const before = await cluster.holder();
    const standby = cluster.cores.find(({ name }) => name !== before?.node);
    assert.ok(standby !== undefined);
    cut(place, standby.name, cluster.etcd.nodes, way);
    await world.acknowledge(SOME);
    await sleep(CUT_MS);
    network.heal();
    await world.acknowledge(SOME);
    assert.equal((await cluster.holder())?.epoch, before?.epoch, 'the core keeps its role');
    const seen = await takeover(world, async () => {
      await (await cluster.leader()).child.kill();
    });
    await world.revive(seen.old);
    return `no takeover meanwhile; afterwards it can: ${takeoverWords(seen)}`;
  };
}

/** The standby hears neither the core nor the reverse, while etcd answers both. */
function standbyFromCore(way: Way): Fault['act'] {
  return async (place) => {
    const { world, cluster, network } = place;
    const before = await cluster.holder();
    const standby = cluster.cores.filter(({ name }) => name !== before?.node);
    cut(place, before?.node ?? '', standby, way);
    await world.acknowledge(SOME);
    await sleep(CUT_MS);
    network.heal();
    await world.acknowledge(SOME);
    assert.equal((await cluster.holder())?.epoch, before?.epoch, 'the log is not silent');
    return 'no takeover: the standby looked at etcd';
  };
}

/** The connections of both cores to etcd pass these. */
const proxies: LinkProxy[] = [];

async function proxied(name: string, urls: readonly string[]): Promise<readonly string[]> {
  if (!name.startsWith('core')) return urls;
  const opened = await Promise.all(
    urls.map((url) => LinkProxy.open(new URL(url).hostname, Number(new URL(url).port))),
  );
  proxies.push(...opened);
  return opened.map(({ port }) => `http://127.0.0.1:${port}`);
}

async function loseAnswers({ world }: FaultPlace): Promise<string> {
  const lost = (): number => proxies.reduce((sum, one) => sum + one.lost, 0);
  while (lost() < LOST_ANSWERS) {
    const before = lost();
    for (const proxy of proxies) proxy.loseAnswer((request) => request.includes('/v3/kv/txn'));
    await world.acknowledge(SOME);
    assert.ok(lost() > before, 'an answer was lost');
  }
  return `${lost()} answers of etcd lost after the commit`;
}

export const NETWORK_FAULTS: readonly Fault[] = [
  ...(['both', 'out', 'in'] as const).flatMap((way): Fault[] => {
    const words = { both: 'both ways', out: 'what it sends', in: 'what it is sent' }[way];
    const onNetwork = true;
    return [
      {
        name: `core-from-etcd-${way}`,
        what: `the core is cut off from etcd: ${words}`,
        onNetwork,
        act: coreFromEtcd(way),
      },
      {
        name: `core-from-gateways-${way}`,
        what: `the core is cut off from the gateways: ${words}`,
        onNetwork,
        act: coreFromGateways(way),
      },
      {
        name: `standby-from-etcd-${way}`,
        what: `the standby is cut off from etcd: ${words}`,
        onNetwork,
        act: standbyFromEtcd(way),
      },
      {
        name: `core-from-standby-${way}`,
        what: `the core is cut off from the standby: ${words}`,
        onNetwork,
        act: standbyFromCore(way),
      },
    ];
  }),
  {
    name: 'answers-lost',
    what: 'answers of etcd are lost after the commit',
    options: () => ({ etcdUrlsOf: proxied }),
    act: loseAnswers,
    end: async () => {
      for (const proxy of proxies.splice(0)) proxy.close();
    },
  },
];
