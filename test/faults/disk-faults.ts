/**
 * Disk faults under a real exchange with load: strace makes system calls of its threads on one file
 * fail, or its folder is a small tmpfs. Depending on the file, a fault must end the process or
 * leave it trading. Then the cause is removed, and everything acknowledged must be there.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertStopped, assertTradesOn } from './assert-ended.ts';
import { Campaign, type LoadFigures } from './campaign.ts';

export interface CallFault {
  /** Its path in the data folder. */
  readonly file: string;
  /** System calls, as strace names them. */
  readonly calls: string;
  readonly error: 'EIO' | 'ENOSPC';
  /** The calls of each thread that fail: `5`, or `5+` for all from the fifth on. */
  readonly when: string;
  /** What the exchange must do: refuse to start, stop, or go on trading. */
  readonly effect: 'refuses' | 'stops' | 'trades';
  /** What its log must say if it trades on. */
  readonly says?: RegExp;
}

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Smaller than a snapshot, and than a backup, of a folder with trades. */
const SNAPSHOTS_TMPFS = '4k';
const BACKUP_TMPFS = '128k';
const FULL_DISK = /MB are needed|is full/;
const NO_SNAPSHOT = /a snapshot could not be made/;
const SYNCS = 'fsync,fdatasync';
const WRITES = 'pwrite64,write,writev,pwritev,ftruncate,fallocate';

function atJournal(when: string, effect: CallFault['effect']): CallFault[] {
  return [
    { file: 'journal.db-wal', calls: SYNCS, error: 'EIO', when, effect },
    { file: 'journal.db-wal', calls: WRITES, error: 'EIO', when, effect },
    { file: 'journal.db-wal', calls: WRITES, error: 'ENOSPC', when, effect },
  ];
}

function atOthers(error: CallFault['error']): CallFault[] {
  return [
    { file: 'analytics.db-wal', calls: WRITES, error, when: '3', effect: 'trades' },
    { file: 'analytics.db-wal', calls: WRITES, error, when: '3+', effect: 'trades' },
    { file: 'catalog.db-wal', calls: WRITES, error, when: '1+', effect: 'refuses' },
  ];
}

/** At the start, a few batches later, and from some batch on permanently. */
export const CALL_FAULTS: readonly CallFault[] = [
  ...atJournal('1', 'refuses'),
  ...atJournal('9', 'stops'),
  ...atJournal('60+', 'stops'),
  ...atOthers('EIO'),
  ...atOthers('ENOSPC'),
  {
    file: 'snapshots',
    calls: SYNCS,
    error: 'EIO',
    when: '1+',
    effect: 'trades',
    says: NO_SNAPSHOT,
  },
];

/** Why strace can't be used here; '' when it can. */
export function straceRefusal(): string {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  if (error !== undefined) return `strace is not on this machine (${error.message})`;
  return status === 0 ? '' : `strace can't trace here: ${stderr}`;
}

/** Why no small file system can be mounted here; '' when one can. */
export function mountRefusal(folder: string): string {
  if (process.getuid?.() !== 0) return 'only root may mount a tmpfs';
  const { status, stderr, error } = spawnSync('mount', tmpfs(folder, '64k'));
  if (error !== undefined) return error.message;
  if (status !== 0) return `no tmpfs can be mounted: ${stderr}`;
  execFileSync('umount', [folder]);
  return '';
}

/** Runs with a small file system mounted at a folder. */
async function onTmpfs<Result>(
  folder: string,
  size: string,
  run: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', tmpfs(folder, size));
  try {
    return await run();
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
}

function tmpfs(folder: string, size: string): string[] {
  return [...['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]];
}

function wrapperOf(dataDir: string, { file, calls, error, when }: CallFault): string[] {
  return [
    // -D: the exchange stays the child of this process, and its exit code is its own.
    ...['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', join(dataDir, file)],
    ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${when}`],
  ];
}

/** Runs one fault on a finished campaign, then finishes it again. */
export async function runCallFault(
  campaign: Campaign,
  fault: CallFault,
  seed: number,
): Promise<LoadFigures | undefined> {
  const wrapper = wrapperOf(campaign.dataDir, fault);
  if (fault.effect === 'refuses') {
    await assert.rejects(campaign.startUnder({ wrapper }), /ended with 1 before it was ready/);
    await campaign.finish();
    return undefined;
  }
  const child = await campaign.startUnder({ wrapper });
  const figures = await campaign.load(child, seed, () =>
    fault.effect === 'stops' ? assertStopped(child) : assertTradesOn(child, fault.says),
  );
  await campaign.finish();
  return figures;
}

/** Fills the disk for snapshots alone: the exchange must trade on and log it. */
export async function runFullSnapshots(campaign: Campaign, seed: number): Promise<LoadFigures> {
  const folder = join(campaign.dataDir, 'snapshots');
  const figures = await onTmpfs(folder, SNAPSHOTS_TMPFS, async () => {
    const child = await campaign.startUnder({});
    return await campaign.load(child, seed, () => assertTradesOn(child, NO_SNAPSHOT));
  });
  await campaign.finish();
  return figures;
}

/** Fills the disk for a backup, then for a restore: each must report it and leave no file. */
export async function runFullBackup(dataDir: string, parent: string): Promise<readonly string[]> {
  const folder = join(parent, 'backup-tmpfs');
  const file = join(parent, 'whole.tar');
  execFileSync(process.execPath, [MAIN, 'backup', file, '--data', dataDir, '--json']);
  const said = await onTmpfs(folder, BACKUP_TMPFS, async () => {
    const tools = [
      ['backup', join(folder, 'copy.tar'), '--data', dataDir],
      ['restore', file, '--data', join(folder, 'data')],
    ];
    return tools.map((words) => {
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words]);
      const text = String(stderr);
      assert.equal(status, 1, `${words[0]} on a full disk ends with ${status}: ${text}`);
      assert.match(text, FULL_DISK, `${words[0]} says what is wrong and what to do`);
      assert.deepEqual(readdirSync(folder), [], `${words[0]} leaves nothing behind`);
      return text.trim();
    });
  });
  rmSync(file);
  return said;
}

/** Fills the disk for the whole folder: the exchange must stop, then start with more room. */
export async function runFullDisk(
  parent: string,
  { size, grown, seed }: { readonly size: string; readonly grown: string; readonly seed: number },
): Promise<LoadFigures> {
  const dataDir = join(parent, `tmpfs-${size}`);
  return await onTmpfs(dataDir, size, async () => {
    const campaign = new Campaign({ dataDir, funding: 'ledger' });
    const child = await campaign.start();
    const figures = await campaign.load(child, seed, async () => {
      await assertStopped(child);
      execFileSync('mount', ['-o', `remount,size=${grown}`, dataDir]);
    });
    await campaign.finish();
    return figures;
  });
}
