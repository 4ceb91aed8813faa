import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { SNAPSHOT_PART_BYTES, type SnapshotPart } from '../../../engine/index.ts';
import {
  looksWhole,
  openSnapshot,
  SNAPSHOT_VERSION,
  type SnapshotHead,
  writeSnapshotFile,
} from '../../../persistence/snapshots/file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const HEAD: SnapshotHead = {
  snapshotVersion: SNAPSHOT_VERSION,
  imageVersion: 1,
  seq: 7,
  timeMs: 1_700_000_000_000,
  commandChecksum: 4_000_000_000,
  digest: 3_000_000_000,
  funding: 'paper',
};

const PARTS: readonly SnapshotPart[] = [
  { name: 'head', bytes: Buffer.from('first') },
  { name: 'orders', bytes: Buffer.alloc(300, 7) },
  { name: 'orders', bytes: Buffer.alloc(0) },
  { name: 'facts.keys', bytes: Buffer.from([0, 255, 128]) },
];

/** Reads the head and all parts of a file, and closes it. */
function readAll(path: string): { head: SnapshotHead; parts: [string, string][] } {
  const snapshot = openSnapshot(path);
  try {
    const parts: [string, string][] = [];
    for (const { name, bytes } of snapshot.parts()) {
      parts.push([name, Buffer.from(bytes).toString('hex')]);
    }
    return { head: snapshot.head, parts };
  } finally {
    snapshot.close();
  }
}

function listOf(parts: readonly SnapshotPart[]): [string, string][] {
  return parts.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')]);
}

t.test('head and parts are read as they were written', (t) => {
  const path = join(temporaryFolder(t), 'one');
  const length = writeSnapshotFile(path, HEAD, PARTS);
  t.equal(readFileSync(path).length, length);
  t.same(readAll(path), { head: HEAD, parts: listOf(PARTS) });
  t.ok(looksWhole(path));
  writeSnapshotFile(path, HEAD, []);
  t.same(readAll(path).parts, [], 'a file without parts');
  t.end();
});

t.test('a part that is too long, or has too long a name, is never written', (t) => {
  const path = join(temporaryFolder(t), 'one');
  for (const part of [
    { name: 'orders', bytes: Buffer.alloc(SNAPSHOT_PART_BYTES + 1) },
    { name: 'n'.repeat(256), bytes: Buffer.alloc(1) },
  ]) {
    t.throws(() => writeSnapshotFile(path, HEAD, [part]), /is too long/);
  }
  t.end();
});

t.test('a file that is cut short anywhere is refused', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'one');
  writeSnapshotFile(path, HEAD, PARTS);
  const bytes = readFileSync(path);
  const cut = join(folder, 'cut');
  for (let length = 0; length < bytes.length; length += 1) {
    writeFileSync(cut, bytes.subarray(0, length));
    try {
      readAll(cut);
      t.fail(`${length} of ${bytes.length} bytes were taken for a snapshot`);
    } catch (error) {
      const isSaid = error instanceof Error && error.message.includes(`${cut} is damaged at byte`);
      if (!isSaid) t.match(error, { code: 'snapshot_damaged' });
    }
    if (looksWhole(cut)) t.fail(`${length} of ${bytes.length} bytes look whole`);
  }
  t.end();
});

t.test('a file with extra bytes at its end is refused', (t) => {
  const path = join(temporaryFolder(t), 'one');
  writeSnapshotFile(path, HEAD, PARTS);
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from([0])]));
  t.throws(() => readAll(path), { code: 'snapshot_damaged' });
  t.notOk(looksWhole(path));
  t.end();
});

t.test('a changed byte anywhere is noticed', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'one');
  writeSnapshotFile(path, HEAD, PARTS);
  const bytes = readFileSync(path);
  const changed = join(folder, 'changed');
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, bits) => {
      const copy = Buffer.from(bytes);
      copy[place]! ^= bits;
      writeFileSync(changed, copy);
      try {
        readAll(changed);
        return false;
      } catch (error) {
        return error instanceof Error && 'code' in error && error.code === 'snapshot_damaged';
      }
    }),
    { numRuns: 1_000 },
  );
  t.end();
});

/** The frames of a file, which begin after its 8 magic bytes. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 6 + bytes.readUInt8(at + 1) + bytes.readUInt32LE(at + 2) + 4;
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
}

t.test('a part that is missing, repeated or in another place is noticed', (t) => {
  const path = join(temporaryFolder(t), 'one');
  writeSnapshotFile(path, HEAD, PARTS);
  const bytes = readFileSync(path);
  const [head, first, second, ...rest] = framesOf(bytes);
  const end = rest.at(-1);
  for (const [what, frames] of [
    ['missing', [head, second, ...rest]],
    ['twice', [head, first, first, second, ...rest]],
    ['in another place', [head, second, first, ...rest]],
    ['head twice', [head, head, first, second, ...rest]],
    ['no head', [first, second, ...rest]],
    ['nothing but an end', [end]],
  ] as const) {
    const file = openSync(path, 'w');
    const parts = [bytes.subarray(0, 8), ...frames].filter((part) => part !== undefined);
    writeSync(file, Buffer.concat(parts));
    closeSync(file);
    t.throws(() => readAll(path), { code: 'snapshot_damaged' }, what);
  }
  t.end();
});

t.test('a snapshot of another version is not read', (t) => {
  const path = join(temporaryFolder(t), 'one');
  writeSnapshotFile(path, { ...HEAD, snapshotVersion: SNAPSHOT_VERSION + 1 }, PARTS);
  t.throws(() => openSnapshot(path), {
    code: 'snapshot_newer',
    message: /has format version 2 and this program knows 1/,
  });
  t.end();
});
