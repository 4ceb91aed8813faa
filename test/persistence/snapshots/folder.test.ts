import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SNAPSHOT_VERSION } from '../../../persistence/snapshots/file.ts';
import {
  listSnapshots,
  pruneSnapshots,
  removeLeftovers,
  storeSnapshot,
} from '../../../persistence/snapshots/folder.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function headOf(seq: number) {
  return {
    snapshotVersion: SNAPSHOT_VERSION,
    imageVersion: 1,
    seq,
    timeMs: 1,
    commandChecksum: 1,
    digest: 1,
    funding: 'paper' as const,
  };
}

function write(folder: string, ...seqs: readonly number[]): void {
  for (const seq of seqs) {
    storeSnapshot(folder, headOf(seq), [{ name: 'a', bytes: Buffer.alloc(100) }]);
  }
}

function seqsIn(folder: string): number[] {
  return listSnapshots(folder).map(({ seq }) => seq);
}

t.test('snapshots are listed newest first, by the seq in their names', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  t.same(seqsIn(folder), [], 'none without a folder');
  write(folder, 5, 1_000_000, 20);
  for (const name of ['7.snapshot', '000000000000007.snapshot.new', 'notes.txt']) {
    writeFileSync(join(folder, name), 'x');
  }
  t.same(seqsIn(folder), [1_000_000, 20, 5]);
  t.equal(listSnapshots(folder)[2]?.path, join(folder, '000000000000005.snapshot'));
  t.end();
});

t.test('a folder in the place of a half-written snapshot is removed', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  for (const digits of ['000000000000005', '000000000000006']) {
    mkdirSync(join(folder, `${digits}.snapshot.new`, 'inside'), { recursive: true });
  }
  t.throws(() => write(folder, 6), { code: 'EISDIR' }, 'the write fails and removes it');
  removeLeftovers(folder);
  t.same(readdirSync(folder), []);
  write(folder, 5);
  t.same(seqsIn(folder), [5]);
  t.end();
});

t.test('only their user may read snapshots', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  write(folder, 5);
  t.equal(statSync(folder).mode & 0o777, 0o700);
  t.equal(statSync(join(folder, '000000000000005.snapshot')).mode & 0o777, 0o600);
  t.end();
});

t.test('a snapshot that could not be written leaves no file', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  write(folder, 5);
  function* failing() {
    yield { name: 'a', bytes: Buffer.alloc(100) };
    t.same(readdirSync(folder).length, 2, 'it is written beside the others');
    throw new Error('no space left');
  }
  t.throws(() => storeSnapshot(folder, headOf(6), failing()), /no space left/);
  t.same(readdirSync(folder), ['000000000000005.snapshot']);
  t.end();
});

t.test('half-written snapshots are removed, and no other file', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  t.doesNotThrow(() => removeLeftovers(folder), 'also without a folder');
  write(folder, 5);
  writeFileSync(join(folder, '000000000000006.snapshot.new'), 'half');
  writeFileSync(join(folder, 'notes.new'), 'mine');
  removeLeftovers(folder);
  t.same(readdirSync(folder).sort(), ['000000000000005.snapshot', 'notes.new']);
  t.end();
});

t.test('the newest three usable snapshots are kept, and all newer ones', (t) => {
  const folder = join(temporaryFolder(t), 'snapshots');
  mkdirSync(folder);
  write(folder, 1, 2, 3, 4);
  pruneSnapshots(folder, new Set());
  t.same(seqsIn(folder), [4, 3, 2]);
  write(folder, 5, 6, 7);
  truncateSync(join(folder, '000000000000007.snapshot'), 60);
  const unusable = new Set([join(folder, '000000000000005.snapshot')]);
  pruneSnapshots(folder, unusable);
  t.same(seqsIn(folder), [7, 6, 5, 4, 3], 'seq 7, cut short, and seq 5 are not usable');
  t.end();
});
