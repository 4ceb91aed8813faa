/** Disks that are full, sync slowly, or lost the end of what was written. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type FaultPlace, SOME, takeover, takeoverWords } from './fault.ts';

const NODE_TMPFS = '96m';
const ETCD_TMPFS = '160m';
const CHUNK = Buffer.alloc(64 * 1024);
const ENDS_MS = 30_000;
const SYNC_DELAY_US = 50_000;
const HANG_US = 60_000_000;
const SLOW_MS = 120_000;
const CUT_BYTES = 4_096;
const SYNCS = 'fsync,fdatasync';
const QUIET = { stdio: 'ignore' } as const;

function mountSmall(folder: string, size: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
}

function unmount(folder: string): void {
  spawnSync('umount', ['--lazy', '--quiet', folder]);
}

/** Writes a file until the disk has no room. */
function fill(folder: string): string {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, CHUNK);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  } finally {
    closeSync(file);
  }
  return path;
}

const nodeDisk = (folder: string): string => join(folder, 'core-1');
const etcdDisk = (folder: string): string => join(folder, 'etcd-disk');

async function fillCore({ world, cluster, folder }: FaultPlace): Promise<string> {
  const core = cluster.node('core-1');
  let filler = '';
  const seen = await takeover(world, async () => {
    filler = fill(nodeDisk(folder));
    await Promise.resolve();
  });
  assert.equal(seen.old, core);
  const ended = await Promise.race([core.child.ended, sleep(ENDS_MS)]);
  assert.ok(ended !== undefined && ended.code !== 0, `it must end:\n${core.log}`);
  await world.acknowledge(SOME);
  rmSync(filler);
  await world.revive(core);
  return `it ended with exit code ${ended.code}; ${takeoverWords(seen)}`;
}

async function fillEtcd({ world, cluster, folder }: FaultPlace): Promise<string> {
  const { child } = cluster.etcd.node(0);
  const filler = fill(etcdDisk(folder));
  await world.acknowledge(10 * SOME);
  const wasRunning = child.isRunning;
  rmSync(filler);
  if (!child.isRunning) child.start();
  await cluster.etcd.waitUntilReady();
  await world.acknowledge(SOME);
  return `the node ${wasRunning ? 'went on' : 'ended'}; clients saw nothing of it`;
}

/** Makes each sync of some processes slow, until `stop`. */
function slowSyncs(pids: readonly number[], delayUs = SYNC_DELAY_US): ChildProcess {
  const words = pids.flatMap((pid) => ['-p', `${pid}`]);
  const inject = `inject=${SYNCS}:delay_exit=${delayUs}`;
  const trace = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${SYNCS}`, '-e', inject];
  return spawn('strace', [...trace, ...words], { stdio: 'ignore' });
}

/** All acknowledgements stopped for ever, although every node said that it was ready. */
async function hangDisk({ world }: FaultPlace): Promise<string> {
  let tracer: ChildProcess | undefined;
  try {
    const seen = await takeover(world, async () => {
      tracer = slowSyncs([(await world.cluster.leader()).child.pid], HANG_US);
    });
    await world.acknowledge(SOME);
    assert.match(seen.old.log, /has not answered a write of its journal/);
    tracer?.kill('SIGKILL');
    await seen.old.child.kill();
    await world.revive(seen.old);
    return takeoverWords(seen);
  } finally {
    tracer?.kill('SIGKILL');
  }
}

async function syncSlowly({ world, cluster }: FaultPlace): Promise<string> {
  const before = await cluster.holder();
  const nodes = [...cluster.etcd.nodes, ...cluster.cores];
  const tracer = slowSyncs(nodes.map(({ child }) => child.pid));
  try {
    const startMs = performance.now();
    await world.acknowledge(SOME, SLOW_MS);
    const ms = Math.round((performance.now() - startMs) / SOME);
    assert.equal(tracer.exitCode, null, 'strace runs');
    const after = await cluster.holder();
    return `${ms} ms an acknowledgement of all clients; epoch ${before?.epoch} to ${after?.epoch}`;
  } finally {
    // A killed tracer lets its processes go on.
    const ended = once(tracer, 'exit');
    tracer.kill('SIGINT');
    await ended;
  }
}

/** The newest file of a node's write-ahead log. */
function newestLog(dataDir: string): string {
  const folder = join(dataDir, 'member', 'wal');
  const names = readdirSync(folder).filter((name) => name.endsWith('.wal'));
  return join(folder, names.toSorted().at(-1) ?? '');
}

async function cutFollower({ world, cluster }: FaultPlace): Promise<string> {
  const [follower] = await cluster.etcd.followers();
  assert.ok(follower !== undefined);
  await follower.child.kill();
  const log = newestLog(follower.dataDir);
  // The file is allocated in advance: what was written ends before its zeros.
  const used = usedBytes(log);
  truncateSync(log, used - CUT_BYTES);
  await world.acknowledge(SOME);
  follower.child.start();
  await world.acknowledge(SOME);
  const isUsable = await Promise.race([
    cluster.etcd.waitUntilReady().then(
      () => true,
      () => false,
    ),
    follower.child.ended.then(() => false),
  ]);
  if (isUsable) return `${CUT_BYTES} bytes cut off; the node came back by itself`;
  rmSync(follower.dataDir, { recursive: true });
  return `${CUT_BYTES} bytes cut off; the node refuses to start, and the cluster goes on with two`;
}

/** Without the zeros at its end. */
function usedBytes(path: string): number {
  const bytes = readFileSync(path);
  let used = bytes.length;
  while (used > 0 && bytes[used - 1] === 0) used -= 1;
  return used;
}

/** All etcd nodes come back with an older copy of their data, as from a backup. */
async function restoreOlder({ world, cluster, folder }: FaultPlace): Promise<string> {
  const copy = join(folder, 'older.snapshot');
  const { etcd } = cluster;
  execFileSync('etcdctl', ['--endpoints', etcd.node(0).url, 'snapshot', 'save', copy], QUIET);
  await world.acknowledge(3 * SOME);
  await world.calm();
  for (const { child } of [...cluster.gateways, ...cluster.cores]) await child.stop();
  await etcd.stop();
  for (const node of etcd.nodes) {
    renameSync(node.dataDir, `${node.dataDir}-good`);
    etcd.restore(node, copy);
    node.child.start();
  }
  await etcd.waitUntilReady();
  const words: string[] = [];
  for (const [node, role] of [
    [cluster.node('core-1'), 'core'],
    [cluster.node('core-2'), 'standby'],
    [cluster.gateway(0), 'gateway'],
  ] as const) {
    node.start(role);
    const ended = await Promise.race([node.child.ended, sleep(ENDS_MS)]);
    assert.ok(ended !== undefined && ended.code !== 0, `${role} must refuse:\n${node.log}`);
    words.push(`${role}: exit code ${ended.code}`);
  }
  await etcd.stop();
  for (const node of etcd.nodes) {
    rmSync(node.dataDir, { recursive: true });
    renameSync(`${node.dataDir}-good`, node.dataDir);
    node.child.start();
  }
  await etcd.waitUntilReady();
  await cluster.startNodes();
  world.load(2);
  await world.acknowledge(SOME);
  return `refused (${words.join(', ')}); with the right log they go on`;
}

export const DISK_FAULTS: readonly Fault[] = [
  {
    name: 'core-disk-full',
    what: "the disk of the core's data folder is full",
    options: (folder) => {
      mountSmall(nodeDisk(folder), NODE_TMPFS);
      return {};
    },
    act: fillCore,
    end: async (folder) => unmount(nodeDisk(folder)),
  },
  {
    name: 'etcd-disk-full',
    what: 'the disk of one etcd node is full',
    options: (folder) => {
      mountSmall(etcdDisk(folder), ETCD_TMPFS);
      const place = join(etcdDisk(folder), 'data');
      return { etcd: { folderOf: (index) => (index === 0 ? place : undefined) } };
    },
    act: fillEtcd,
    end: async (folder) => unmount(etcdDisk(folder)),
  },
  {
    name: 'core-disk-hangs',
    what: "a sync of the core's disk does not end for a minute",
    act: hangDisk,
  },
  {
    name: 'slow-syncs',
    what: `each sync of etcd and of the cores takes ${SYNC_DELAY_US / 1_000} ms longer`,
    act: syncSlowly,
  },
  { name: 'etcd-log-cut', what: "the end of a follower's etcd log is cut off", act: cutFollower },
  {
    name: 'etcd-log-older',
    what: 'etcd comes back with an older copy of the log',
    act: restoreOlder,
  },
];
