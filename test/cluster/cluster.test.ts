/**
 * A short set of a cluster's faults on one cluster; `npm run test:cluster` has all of them, each on
 * a cluster of its own.
 */
import { join } from 'node:path';
import t from 'tap';
import { etcdVersion } from '../../deploy/cluster/etcd-nodes.ts';
import { leaveNote } from '../notes.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SOME, takeover, takeoverWords } from './fault.ts';
import { ClusterWorld } from './world.ts';

const version = etcdVersion();
if (version === undefined) {
  leaveNote('\nTHE CLUSTER WAS NOT TESTED: etcd is not installed (npm run cluster:install)\n');
  t.pass('skipped: etcd is not installed');
} else {
  t.test('a cluster loses nothing when core, etcd leader and gateway are killed', async (t) => {
    const folder = join(temporaryFolder(t), 'cluster');
    const world = await ClusterWorld.start({ folder });
    try {
      const { cluster } = world;
      world.load(1);
      await world.acknowledge(SOME);
      const leader = await cluster.etcd.leader();
      const seen = await takeover(world, async () => {
        await Promise.all([(await cluster.leader()).child.kill(), leader.child.kill()]);
      });
      leader.child.start();
      await world.acknowledge(SOME);
      await cluster.gateway(0).child.kill();
      await world.acknowledge(SOME);
      await Promise.all([world.revive(cluster.gateway(0)), world.revive(seen.old)]);
      await cluster.etcd.waitUntilReady();
      const verdict = await world.conclude();
      t.ok(verdict.acknowledged >= 3 * SOME, JSON.stringify(verdict));
      t.ok(verdict.resumed > 0, 'a subscriber went on at the other gateway');
      t.comment(`${takeoverWords(seen)}; ${JSON.stringify(verdict)}`);
    } finally {
      await world.stop();
    }
  });
}
