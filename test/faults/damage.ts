/**
 * Damage done to copies of a data folder, drawn by a seed: cuts, flipped bits, lost, foreign and
 * older files. `damaged-folders.ts` judges the outcome.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../http/codec/random.ts';

/** Folders that copies are made of. */
export interface Originals {
  /** Stopped cleanly: nothing is left in write-ahead logs. */
  readonly stopped: string;
  /** Copied while it ran: its last commands are in write-ahead logs. */
  readonly killed: string;
  /** `killed`, some commands earlier. */
  readonly older: string;
  /** Another exchange. */
  readonly other: string;
}

/** A description of what was done. */
export type Damage = string;

type Harm = (folder: string, random: Random, originals: Originals) => Damage;

const HEADER_BYTES = 100;
const SECTOR_BYTES = 512;
const WAL_FILES = ['journal.db-wal', 'journal.db-shm'];

function change(path: string, edit: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, edit(readFileSync(path)));
}

function flipBits(file: string, place: 'head' | 'anywhere'): Harm {
  return (folder, random) => {
    const count = random.between(1, 3);
    const places: number[] = [];
    change(join(folder, file), (bytes) => {
      const most = place === 'head' ? Math.min(HEADER_BYTES, bytes.length) : bytes.length;
      for (let index = 0; index < count && most > 0; index += 1) {
        const at = random.below(most);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.below(8)), at);
        places.push(at);
      }
      return bytes;
    });
    return `bits flipped in ${file} at ${places.join(', ')}`;
  };
}

function cut(file: string): Harm {
  return (folder, random) => {
    let left = 0;
    change(join(folder, file), (bytes) => {
      left = random.chance(10) ? 0 : random.below(bytes.length + 1);
      if (random.chance(50)) left -= left % SECTOR_BYTES;
      return bytes.subarray(0, left);
    });
    return `${file} cut to ${left} bytes`;
  };
}

/** Overwrites a sector with zeros or noise, as a disk may return it. */
function spoilSector(file: string): Harm {
  return (folder, random) => {
    let at = 0;
    const isZero = random.chance(50);
    change(join(folder, file), (bytes) => {
      at = SECTOR_BYTES * random.below(Math.max(1, Math.floor(bytes.length / SECTOR_BYTES)));
      for (let index = at; index < Math.min(at + SECTOR_BYTES, bytes.length); index += 1) {
        bytes.writeUInt8(isZero ? 0 : random.below(256), index);
      }
      return bytes;
    });
    return `a sector of ${isZero ? 'zeros' : 'noise'} in ${file} at ${at}`;
  };
}

function remove(...files: readonly string[]): Harm {
  return (folder) => {
    for (const file of files) rmSync(join(folder, file), { force: true, recursive: true });
    return `${files.join(', ')} removed`;
  };
}

function write(file: string, text: string): Harm {
  return (folder) => {
    writeFileSync(join(folder, file), text);
    return `${file} says ${JSON.stringify(text)}`;
  };
}

/** Replaces files by those of another folder; files that the other folder lacks are removed. */
function takeFrom(source: 'older' | 'other', ...files: readonly string[]): Harm {
  return (folder, _random, originals) => {
    for (const file of files) {
      rmSync(join(folder, file), { force: true, recursive: true });
      const from = join(originals[source], file);
      if (existsSync(from)) cpSync(from, join(folder, file), { recursive: true });
    }
    return `${files.join(', ')} of the ${source} folder`;
  };
}

function newestSnapshot(folder: string): string | undefined {
  const names = existsSync(join(folder, 'snapshots')) ? readdirSync(join(folder, 'snapshots')) : [];
  const name = names
    .filter((one) => one.endsWith('.snapshot'))
    .sort()
    .at(-1);
  return name === undefined ? undefined : join('snapshots', name);
}

function archivesIn(folder: string): string[] {
  return readdirSync(join(folder, 'archive'))
    .filter((name) => name.endsWith('.db'))
    .map((name) => join('archive', name));
}

function atArchive(harm: (file: string) => Harm): Harm {
  return (folder, random, originals) =>
    harm(random.pick(archivesIn(folder)))(folder, random, originals);
}

function atSnapshot(harm: (file: string) => Harm): Harm {
  return (folder, random, originals) => {
    const file = newestSnapshot(folder);
    return file === undefined ? 'no snapshot' : harm(file)(folder, random, originals);
  };
}

/** Copies the newest snapshot to the name of a command beyond the journal's end. */
const snapshotAhead: Harm = (folder) => {
  const file = newestSnapshot(folder);
  if (file === undefined) return 'no snapshot';
  const ahead = join('snapshots', `${String(999_999).padStart(15, '0')}.snapshot`);
  cpSync(join(folder, file), join(folder, ahead));
  return `${file} copied to ${ahead}`;
};

const JOURNAL: readonly Harm[] = [
  flipBits('journal.db', 'head'),
  flipBits('journal.db', 'anywhere'),
  flipBits('journal.db', 'anywhere'),
  flipBits('journal.db', 'anywhere'),
  spoilSector('journal.db'),
  cut('journal.db'),
  remove('journal.db'),
  takeFrom('older', 'journal.db', ...WAL_FILES),
  takeFrom('other', 'journal.db', ...WAL_FILES),
  takeFrom('older', 'journal.db', ...WAL_FILES, 'durable.seq'),
  takeFrom('older', 'journal.db', ...WAL_FILES, 'durable.seq', 'snapshots'),
];

const WAL: readonly Harm[] = [
  flipBits('journal.db-wal', 'head'),
  flipBits('journal.db-wal', 'anywhere'),
  flipBits('journal.db-wal', 'anywhere'),
  spoilSector('journal.db-wal'),
  cut('journal.db-wal'),
  cut('journal.db-wal'),
  remove('journal.db-wal'),
  remove('journal.db-shm'),
  flipBits('journal.db-shm', 'anywhere'),
  takeFrom('other', 'journal.db-wal'),
];

/** Files of closed ranges of the journal, which a start from a snapshot does not need. */
const ARCHIVE: readonly Harm[] = [
  atArchive(cut),
  atArchive((file) => flipBits(file, 'head')),
  atArchive((file) => flipBits(file, 'anywhere')),
  atArchive((file) => flipBits(file, 'anywhere')),
  atArchive(spoilSector),
  atArchive(remove),
  remove('archive'),
  remove('archive', 'snapshots'),
  takeFrom('other', 'archive'),
];

const BESIDE: readonly Harm[] = [
  write('durable.seq', '999999\n'),
  write('durable.seq', 'garbage'),
  write('durable.seq', ''),
  write('durable.seq', '1\n'),
  remove('durable.seq'),
  cut('durable.seq'),
  atSnapshot(cut),
  atSnapshot((file) => flipBits(file, 'head')),
  atSnapshot((file) => flipBits(file, 'anywhere')),
  atSnapshot(spoilSector),
  atSnapshot(remove),
  snapshotAhead,
  takeFrom('other', 'snapshots'),
  remove('snapshots'),
  flipBits('analytics.db', 'head'),
  flipBits('analytics.db', 'anywhere'),
  spoilSector('analytics.db'),
  cut('analytics.db'),
  takeFrom('other', 'analytics.db', 'analytics.db-wal', 'analytics.db-shm'),
  remove('analytics.db', 'analytics.db-wal', 'analytics.db-shm'),
  remove('master.secret'),
  cut('master.secret'),
  write('master.secret', 'short'),
  flipBits('catalog.db', 'head'),
  flipBits('catalog.db', 'anywhere'),
  cut('catalog.db'),
  takeFrom('other', 'catalog.db', 'catalog.db-wal', 'catalog.db-shm'),
  remove('catalog.db', 'catalog.db-wal', 'catalog.db-shm'),
];

/** Damages a copy of the original `from` in one way and describes it. */
export function damage(
  folder: string,
  random: Random,
  originals: Originals,
  from: 'stopped' | 'killed',
): Damage {
  const kinds =
    from === 'killed' ? [JOURNAL, WAL, WAL, BESIDE, ARCHIVE] : [JOURNAL, BESIDE, ARCHIVE];
  return random.pick(random.pick(kinds))(folder, random, originals);
}
