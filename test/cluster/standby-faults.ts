/** Standbys that race, that are far behind, and that are too old; clocks that are off. */
import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../deploy/cluster/cluster.ts';
import {
  type Fault,
  type FaultPlace,
  SOME,
  type Takeover,
  takeover,
  takeoverWords,
} from './fault.ts';
import { deleteKey, readRecord } from './keys.ts';
import { OLDER_PROGRAM, preloading } from './preloads.ts';

const HOUR_MS = 3_600_000;
const RACES = 3;
const ENDS_MS = 20_000;
const PRUNED_MS = 90_000;
const LOOK_MS = 200;

async function race({ world, cluster }: FaultPlace): Promise<string> {
  const words: string[] = [];
  for (let round = 0; round < RACES; round += 1) {
    const before = await cluster.holder();
    const seen = await takeover(world, async () => {
      await (await cluster.leader()).child.kill();
    });
    await world.acknowledge(SOME);
    const after = await cluster.holder();
    words.push(`epoch ${before?.epoch} to ${after?.epoch} in ${seen.acknowledgedMs} ms`);
    const running = cluster.cores.filter(({ child }) => child.isRunning);
    assert.equal(running.length, 2, 'the standby that came second goes on as a standby');
    await world.revive(seen.old);
  }
  return words.join(', ');
}

/** The number of the oldest entry that the log has. */
async function oldestEntry(cluster: Cluster): Promise<number> {
  const { below } = await readRecord<{ readonly below: number }>(cluster, 'pruned');
  return below;
}

/** A standby is away while entries that it lacks are pruned: the log no longer waits for it. */
async function fallBehind({ world, cluster }: FaultPlace): Promise<string> {
  const leader = await cluster.leader();
  const standby = cluster.cores.find((node) => node !== leader);
  assert.ok(standby !== undefined);
  await standby.child.kill();
  const key = `replica/${standby.name}`;
  const { number } = await readRecord<{ readonly number: number }>(cluster, key);
  await world.acknowledge(5 * SOME);
  await deleteKey(cluster, key);
  const lastMs = performance.now() + PRUNED_MS;
  // Some entries beyond its own: it registers what it has synced only now and then.
  while ((await oldestEntry(cluster)) < number + 2 * SOME) {
    assert.ok(performance.now() < lastMs, `the log still has what ${standby.name} lacks`);
    await sleep(LOOK_MS);
  }
  const oldest = await oldestEntry(cluster);
  await world.revive(standby);
  await world.acknowledge(SOME);
  const seen = await takeover(world, async () => {
    await leader.child.kill();
  });
  await world.revive(leader);
  return `it had entry ${number}, the log begins at ${oldest}; then ${takeoverWords(seen)}`;
}

async function comeOlder({ world, cluster }: FaultPlace): Promise<string> {
  const leader = await cluster.leader();
  const standby = cluster.cores.find((node) => node !== leader);
  assert.ok(standby !== undefined);
  await standby.child.kill();
  standby.start('standby', OLDER_PROGRAM);
  const ended = await Promise.race([standby.child.ended, sleep(ENDS_MS)]);
  assert.ok(ended !== undefined, `an older program must not follow:\n${standby.log}`);
  assert.notEqual(ended.code, 0);
  await world.acknowledge(SOME);
  const last = standby.log.trim().split('\n').at(-1) ?? '';
  await world.revive(standby);
  return `refused with exit code ${ended.code}: ${last}`;
}

function offsetFile(folder: string, name: string): string {
  return join(folder, `${name}.clock`);
}

/** Cores only: clients sign with their own time, which gateways compare with theirs. */
async function shiftClocks(place: FaultPlace): Promise<string> {
  const { world, cluster, folder } = place;
  const set = (name: string, ms: number): void => writeFileSync(offsetFile(folder, name), `${ms}`);
  const words: string[] = [];
  for (const offsetMs of [HOUR_MS, 0]) {
    const leader = await cluster.leader();
    for (const { name } of cluster.cores) set(name, name === leader.name ? offsetMs : -offsetMs);
    await world.acknowledge(SOME);
    const seen = await takeover(world, async () => {
      await leader.child.kill();
    });
    await world.acknowledge(SOME);
    await world.revive(seen.old);
    words.push(`${seen.acknowledgedMs} ms`);
  }
  const { old, acknowledgedMs } = await claimWhileAhead(place, set);
  await world.revive(old);
  return (
    `takeovers while the core was two hours ahead and while none was: ${words.join(', ')}; by a ` +
    `standby an hour ahead, once its clock was set right: ${acknowledgedMs} ms`
  );
}

/** A standby whose clock is ahead does not claim, says so, and claims when its clock is right. */
function claimWhileAhead(
  { world, cluster }: FaultPlace,
  set: (name: string, ms: number) => void,
): Promise<Takeover> {
  return takeover(world, async () => {
    const leader = await cluster.leader();
    const standby = cluster.cores.find((node) => node !== leader);
    assert.ok(standby !== undefined);
    set(standby.name, HOUR_MS);
    await leader.child.kill();
    const lastMs = performance.now() + ENDS_MS;
    while (!standby.log.includes("ahead of the last core's")) {
      assert.ok(performance.now() < lastMs, `it says nothing of its clock:\n${standby.log}`);
      await sleep(LOOK_MS);
    }
    set(standby.name, 0);
  });
}

export const STANDBY_FAULTS: readonly Fault[] = [
  {
    name: 'two-standbys',
    what: 'two standbys race for the role of a killed core',
    options: () => ({ standbys: 2 }),
    act: race,
  },
  {
    name: 'standby-behind',
    what: 'a standby comes back when the log no longer has what it lacks',
    act: fallBehind,
  },
  { name: 'older-standby', what: 'an older program comes as standby', act: comeOlder },
  {
    name: 'clocks',
    what: "the cores' clocks jump, and a standby that is an hour ahead waits until it is not",
    options: (folder) => ({
      environmentOf: (name) => {
        if (!name.startsWith('core')) return {};
        writeFileSync(offsetFile(folder, name), '0');
        return { ...preloading('./clock-offset.mjs'), CLOCK_OFFSET_FILE: offsetFile(folder, name) };
      },
    }),
    act: shiftClocks,
  },
];
