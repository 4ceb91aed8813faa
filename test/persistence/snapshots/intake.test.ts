/** A snapshot that another node sends: taken when it is whole and of this journal, else refused. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SNAPSHOT_FORMAT } from '../../../engine/index.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { SNAPSHOT_VERSION, type SnapshotHead } from '../../../persistence/snapshots/file.ts';
import { snapshotPath, storeSnapshot } from '../../../persistence/snapshots/folder.ts';
import { SnapshotIntake } from '../../../persistence/snapshots/intake.ts';
import {
  decodeFilePart,
  encodeFilePart,
  type SnapshotFilePart,
  sendSnapshot,
} from '../../../persistence/snapshots/sending.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';

/** The journal of the node that takes snapshots: command 100 is its last one. */
const checksumAt = (seq: number): number | undefined => (seq <= 100 ? seq * 7 : undefined);
const digestAt = (seq: number): number => seq * 9;

/** The bytes of a snapshot of several parts. */
function snapshotOf(scope: Scope, seq: number, changes: Partial<SnapshotHead> = {}): Buffer {
  const folder = temporaryFolder(scope);
  const head = {
    ...{ snapshotVersion: SNAPSHOT_VERSION, imageVersion: SNAPSHOT_FORMAT, seq, timeMs: 1 },
    ...{ commandChecksum: seq * 7, digest: seq * 9, funding: 'paper' as const, ...changes },
  };
  const bytes = Buffer.alloc(2.5 * STORE_BOUNDS.sentSnapshotBytes, seq);
  storeSnapshot(folder, head, [{ name: 'a', bytes }]);
  return readFileSync(snapshotPath(folder, head.seq));
}

/** Sends bytes as a snapshot of `seq`, through the form in which parts travel. */
async function send(
  scope: Scope,
  { seq, file }: { readonly seq: number; readonly file: Buffer },
  take: (part: SnapshotFilePart) => Promise<boolean>,
): Promise<boolean[]> {
  const folder = temporaryFolder(scope);
  writeFileSync(snapshotPath(folder, seq), file);
  const answers: boolean[] = [];
  await sendSnapshot(folder, seq, async (part) => answers.push(await take(decodeFilePart(part))));
  return answers;
}

function intakeFor(scope: Scope, connected: readonly string[] = []) {
  const folder = join(temporaryFolder(scope), 'snapshots');
  const isConnected = (node: string) => connected.includes(node);
  const intake = new SnapshotIntake({ folder, checksumAt, digestAt, isConnected });
  scope.teardown(() => intake.close());
  const takeFrom = (node: string) => (part: SnapshotFilePart) => intake.take(part, node);
  return { folder, intake, takeFrom };
}

/** The beginning of a file, as the first part. */
function partOf(file: Buffer, seq: number, offset = 0, length = 1_000): SnapshotFilePart {
  const bytes = file.subarray(offset, offset + length);
  return { seq, fileBytes: file.length, offset, bytes };
}

t.test('a snapshot that arrives in parts is the file that was sent', async (t) => {
  const { folder, takeFrom } = intakeFor(t);
  for (const seq of [10, 20, 30, 40]) {
    const file = snapshotOf(t, seq);
    const answers = await send(t, { seq, file }, takeFrom('standby'));
    t.same(answers, [false, false, true]);
    t.ok(readFileSync(snapshotPath(folder, seq)).equals(file));
  }
  t.same(readdirSync(folder).length, STORE_BOUNDS.keptSnapshots, 'old ones are removed');
});

const UNUSABLE: readonly (readonly [what: string, file: (scope: Scope) => Buffer, RegExp])[] = [
  ['of another journal', (t) => snapshotOf(t, 10, { commandChecksum: 1 }), /journal_replaced/],
  ['of other balances', (t) => snapshotOf(t, 10, { digest: 1 }), /snapshot_damaged/],
  ['of another seq', (t) => snapshotOf(t, 10, { seq: 9 }), /snapshot_damaged/],
  ['of a newer program', (t) => snapshotOf(t, 10, { imageVersion: 99 }), /snapshot_newer/],
  ['of a newer format', (t) => snapshotOf(t, 10, { snapshotVersion: 99 }), /snapshot_newer/],
  ['no snapshot', () => Buffer.alloc(5_000), /snapshot_damaged/],
  ['without its last byte', (t) => snapshotOf(t, 10).subarray(0, -1), /snapshot_damaged/],
  ['too short for a head', (t) => snapshotOf(t, 10).subarray(0, 20), /snapshot_damaged/],
];

t.test('a file that this node could not start from is refused', async (t) => {
  const { folder, takeFrom } = intakeFor(t);
  for (const [what, make, error] of UNUSABLE) {
    const sent = { seq: 10, file: make(t) };
    await t.rejects(send(t, sent, takeFrom('standby')), { message: error }, what);
    t.same(readdirSync(folder), [], `${what}: nothing is left`);
  }
  const good = { seq: 10, file: snapshotOf(t, 10) };
  t.equal((await send(t, good, takeFrom('standby'))).at(-1), true, 'the next one is taken');
});

t.test('a part that does not continue the file ends it', async (t) => {
  const file = snapshotOf(t, 10);
  const refused = { code: 'snapshot_refused' };
  const wrong: readonly (readonly [what: string, part: SnapshotFilePart])[] = [
    ['a gap', partOf(file, 10, 2_000)],
    ['a repetition', partOf(file, 10, 999)],
    ['another snapshot', partOf(file, 11, 1_000)],
    ['another length', { ...partOf(file, 10, 1_000), fileBytes: file.length - 1 }],
    ['too much', { ...partOf(file, 10, 1_000), bytes: file }],
  ];
  for (const [what, part] of wrong) {
    const { folder, takeFrom } = intakeFor(t);
    const take = takeFrom('standby');
    t.equal(await take(partOf(file, 10)), false);
    await t.rejects(take(part), refused, what);
    t.same(readdirSync(folder), [], `${what}: the file is dropped`);
    await t.rejects(take(partOf(file, 10, 1_000)), refused, 'and does not go on');
  }
  const long = { ...partOf(file, 10), bytes: Buffer.alloc(STORE_BOUNDS.sentSnapshotBytes + 1) };
  t.throws(() => decodeFilePart(encodeFilePart(long)), /1 to 262144 are allowed/);
});

t.test('a command that the journal does not have yet is refused', async (t) => {
  const { takeFrom } = intakeFor(t);
  const early = { seq: 101, file: snapshotOf(t, 101) };
  await t.rejects(send(t, early, takeFrom('standby')), {
    code: 'snapshot_refused',
    message: /does not have command 101 yet/,
  });
});

t.test('one node sends at a time, as long as it is connected', async (t) => {
  const connected = ['one', 'two'];
  const { folder, takeFrom } = intakeFor(t, connected);
  const file = snapshotOf(t, 10);
  await takeFrom('one')(partOf(file, 10));
  await t.rejects(takeFrom('two')(partOf(file, 10)), { message: /the node one is sending one/ });
  await t.rejects(takeFrom('two')(partOf(file, 10, 1_000)), /has no beginning/);
  t.equal(await takeFrom('one')(partOf(file, 10, 1_000)), false, 'the first one goes on');
  t.equal((await send(t, { seq: 10, file }, takeFrom('one'))).at(-1), true, 'or begins again');
  await takeFrom('one')(partOf(snapshotOf(t, 20), 20));
  connected.shift();
  const next = { seq: 30, file: snapshotOf(t, 30) };
  t.equal((await send(t, next, takeFrom('two'))).at(-1), true, 'it was gone');
  t.same(
    readdirSync(folder).sort(),
    [10, 30].map((seq) => snapshotPath('', seq)),
  );
});

t.test('incomplete files are removed at a start and at a stop', async (t) => {
  const folder = temporaryFolder(t);
  const leftover = '000000000000007.snapshot.sent';
  mkdirSync(join(folder, leftover));
  writeFileSync(join(folder, '000000000000008.snapshot.new'), 'of the thread that makes them');
  const intake = new SnapshotIntake({ folder, checksumAt, digestAt, isConnected: () => true });
  t.same(readdirSync(folder), ['000000000000008.snapshot.new']);
  const file = snapshotOf(t, 10);
  await intake.take(partOf(file, 10), 'standby');
  t.equal(readdirSync(folder).length, 2);
  await intake.close();
  t.equal(readdirSync(folder).length, 1);
  await t.rejects(intake.take(partOf(file, 10), 'standby'), /the node is stopping/);
});
