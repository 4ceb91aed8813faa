import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { Engine, stateHash } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import type { SnapshotHead } from '../../../persistence/snapshots/file.ts';
import { listSnapshots, storeSnapshot } from '../../../persistence/snapshots/folder.ts';
import { SnapshotMaker } from '../../../persistence/snapshots/maker.ts';
import {
  type JournalChecksums,
  type Restored,
  restoreNewest,
  restoreNewestNow,
} from '../../../persistence/snapshots/restore.ts';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { randomStream } from '../store-fixture.ts';

const { durable } = randomStream(31, 2_000);
const lastSeq = durable.length;
const HASHES = new Map<number, string>();

function replayedHash(commands: readonly DurableCommand[]): string {
  const engine = new Engine();
  for (const { seq, timeMs, command } of commands)
    engine.apply(seq, timeMs, engine.inputOf(command));
  return stateHash(engine.state());
}

/** The hash of the state after `seq`. */
function hashAt(seq: number): string {
  const known = HASHES.get(seq) ?? replayedHash(durable.slice(0, seq));
  HASHES.set(seq, known);
  return known;
}

/** A journal whose commands have made-up checksums, 7 * seq. */
const JOURNAL: JournalChecksums = {
  checksumAt: (seq) => (seq >= 1 && seq <= lastSeq ? seq * 7 : undefined),
  digestAt: () => null,
};

/** Makes snapshots at these seqs, all with one maker. */
function snapshotsAt(scope: Scope, seqs: readonly number[]): string {
  const folder = join(temporaryFolder(scope), 'snapshots');
  const maker = new SnapshotMaker({ folder, funding: 'paper', pace: { everyMs: 0 } });
  const engine = new Engine();
  for (const command of durable) {
    const { seq, timeMs }: DurableCommand = command;
    engine.apply(seq, timeMs, engine.inputOf(command.command));
    maker.consume([command]);
    if (!seqs.includes(seq)) continue;
    const details = { commandChecksum: seq * 7, deadlineMs: Number.POSITIVE_INFINITY };
    maker.make(engine, { seq, timeMs }, details);
  }
  return folder;
}

interface Attempt {
  readonly restored: Restored | undefined;
  readonly unusable: readonly (readonly [path: string, error: Error])[];
}

function restore(folder: string, mostSeq: number = lastSeq): Attempt {
  const unusable: [string, Error][] = [];
  const onUnusable = (path: string, error: Error) => unusable.push([path, error]);
  const restored = restoreNewestNow({ folder, journal: JOURNAL, lastSeq, mostSeq, onUnusable });
  return { restored, unusable };
}

t.test('the newest usable snapshot is restored to the state at its seq', async (t) => {
  const folder = snapshotsAt(t, [5, 300, 600]);
  for (const [mostSeq, seq] of [
    [lastSeq, 600],
    [600, 600],
    [599, 300],
    [5, 5],
  ] as const) {
    const { restored, unusable } = restore(folder, mostSeq);
    t.equal(restored?.head.seq, seq);
    t.equal(restored && stateHash(restored.engine.state()), hashAt(seq));
    t.same(unusable, [], 'newer ones are skipped without a report');
  }
  t.equal(restore(folder, 4).restored, undefined);
  const slow = await restoreNewest({ folder, journal: JOURNAL, lastSeq });
  t.equal(slow?.head.seq, 600, 'also with pauses for other tasks');
});

t.test('without a snapshot nothing is restored', (t) => {
  const { restored, unusable } = restore(join(temporaryFolder(t), 'nowhere'));
  t.same([restored, unusable], [undefined, []]);
  t.end();
});

/** Damages of the newest of two snapshots, and the error that is reported for each. */
const SPOILT: readonly (readonly [what: string, spoil: (path: string) => void, code: string])[] = [
  ['empty', (path) => writeFileSync(path, ''), 'snapshot_damaged'],
  ['cut in half', (path) => cutTo(path, 0.5), 'snapshot_damaged'],
  ['without its last byte', (path) => cutTo(path, 1), 'snapshot_damaged'],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(5_000)), 'snapshot_damaged'],
  ['of another format', (path) => reHead(path, { snapshotVersion: 99 }), 'snapshot_newer'],
  ['of another image', (path) => reHead(path, { imageVersion: 99 }), 'snapshot_newer'],
  ['named after another seq', (path) => reHead(path, { seq: 5 }), 'snapshot_damaged'],
  ['without parts', (path) => reHead(path, {}), 'SnapshotError'],
];

function cutTo(path: string, share: number): void {
  const bytes = readFileSync(path);
  writeFileSync(
    path,
    bytes.subarray(0, Math.min(Math.floor(bytes.length * share), bytes.length - 1)),
  );
}

/** Replaces a snapshot by one without parts, with a changed head. */
function reHead(path: string, changes: Partial<SnapshotHead>): void {
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(10);
  const nameLength = bytes.readUInt8(9);
  const text = bytes.toString('utf8', 14 + nameLength, 14 + nameLength + length);
  const head = { ...(JSON.parse(text) as SnapshotHead), ...changes };
  const folder = join(path, '..');
  const beside = join(folder, 'made');
  storeSnapshot(beside, head, []);
  renameSync(listSnapshots(beside)[0]!.path, path);
  rmSync(beside, { recursive: true });
}

for (const [what, spoil, code] of SPOILT) {
  t.test(`a snapshot that is ${what} is reported, and the one before it is used`, (t) => {
    const folder = snapshotsAt(t, [300, 600]);
    const [newest] = listSnapshots(folder);
    spoil(newest!.path);
    const { restored, unusable } = restore(folder);
    t.match(unusable, [[newest?.path, code === 'SnapshotError' ? { name: code } : { code }]]);
    t.equal(restored?.head.seq, 300);
    t.equal(restored && stateHash(restored.engine.state()), hashAt(300));
    t.end();
  });
}

t.test('changed or missing bytes anywhere make a snapshot unusable', (t) => {
  const folder = snapshotsAt(t, [300, 600]);
  const [newest] = listSnapshots(folder);
  const bytes = readFileSync(newest!.path);
  const place = fc.nat(bytes.length - 1);
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 255 }), (at, bits) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= bits;
      writeFileSync(newest!.path, bits === 0 ? bytes.subarray(0, at) : copy);
      const { restored, unusable } = restore(folder);
      return unusable.length === 1 && restored?.head.seq === 300;
    }),
    { numRuns: times(50, 150), examples: [[bytes.length - 1, 0]] },
  );
  t.end();
});

t.test('a snapshot whose last command the journal lacks, or has changed, is an error', (t) => {
  const folder = snapshotsAt(t, [300, 600]);
  const refusal = (journal: JournalChecksums, journalEnd: number) => () =>
    restoreNewestNow({ folder, journal, lastSeq: journalEnd });
  t.throws(refusal(JOURNAL, 599), {
    code: 'journal_behind',
    message: /ends at seq 599, but the snapshot .*600.snapshot shows that seq 600 was durable/,
  });
  t.throws(refusal({ ...JOURNAL, checksumAt: (seq) => seq * 7 + 1 }, lastSeq), {
    code: 'journal_replaced',
    message: /its command 600 has the checksum 4200, but in this journal 4201/,
  });
  t.throws(refusal({ ...JOURNAL, checksumAt: () => undefined }, lastSeq), {
    code: 'journal_replaced',
  });
  t.end();
});

t.test('a maker that continues from a snapshot makes the same snapshots', (t) => {
  const folder = snapshotsAt(t, [300, 600]);
  const copy = join(temporaryFolder(t), 'copy');
  cpSync(folder, copy, { recursive: true });
  const restored = restore(copy, 300).restored;
  rmSync(listSnapshots(copy)[0]!.path);
  const maker = new SnapshotMaker({ folder: copy, funding: 'paper', pace: { everyMs: 0 } });
  maker.begin(restored?.facts, 300, new Set());
  const engine = restored?.engine ?? new Engine();
  const rest = durable.slice(300, 600);
  for (const { seq, timeMs, command } of rest) engine.apply(seq, timeMs, engine.inputOf(command));
  maker.consume(rest);
  const { seq, timeMs } = rest.at(-1)!;
  const details = { commandChecksum: seq * 7, deadlineMs: Number.POSITIVE_INFINITY };
  maker.make(engine, { seq, timeMs }, details);
  const [ours, theirs] = [copy, folder].map((one) => readFileSync(listSnapshots(one)[0]!.path));
  t.ok(theirs !== undefined && ours?.equals(theirs), 'byte for byte');
  t.end();
});

t.test('anything but a readable file is reported and skipped', async (t) => {
  const made = snapshotsAt(t, [300, 600]);
  const things: readonly (readonly [what: string, lay: (path: string) => void])[] = [
    ['a folder', (path) => mkdirSync(path)],
    ['a link to nowhere', (path) => symlinkSync(`${path}.gone`, path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a file that can not be read (EIO)', (path) => symlinkSync('/proc/self/mem', path)],
    ['a device without an end', (path) => symlinkSync('/dev/zero', path)],
    ['a pipe without a writer', (path) => execFileSync('mkfifo', [path])],
  ];
  for (const [what, lay] of things) {
    const folder = join(temporaryFolder(t), 'snapshots');
    cpSync(made, folder, { recursive: true });
    const newest = listSnapshots(folder)[0]?.path ?? '';
    rmSync(newest);
    lay(newest);
    const { restored, unusable } = restore(folder);
    t.equal(restored?.head.seq, 300, what);
    t.match(unusable, [[newest, { message: /600\.snapshot/ }]], what);
  }
});
