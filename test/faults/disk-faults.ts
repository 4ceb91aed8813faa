/**
 * Faults of the disk under a real exchange that is loaded from all sides: strace makes calls of its
 * threads on one file fail, or its folder is a small tmpfs. Each fault ends the process, or leaves
 * it trading, as the file demands; then the cause goes away and everything must be there.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assertStopped, assertTradesOn } from './assert-ended.ts';
import { Campaign, type LoadFigures } from './campaign.ts';

export interface CallFault {
  /** In the data folder. */
  readonly file: string;
  /** System calls, as strace names them. */
  readonly calls: string;
  readonly error: 'EIO' | 'ENOSPC';
  /** The calls of each thread that fail: `5`, or `5+` for all from the fifth on. */
  readonly when: string;
  /** What the exchange must do: refuse to start, stop, or go on trading. */
  readonly effect: 'refuses' | 'stops' | 'trades';
}

const SYNCS = 'fsync,fdatasync';
const WRITES = 'pwrite64,write,writev,pwritev,ftruncate,fallocate';

const atJournal = (when: string, effect: CallFault['effect']): CallFault[] => [
  { file: 'journal.db-wal', calls: SYNCS, error: 'EIO', when, effect },
  { file: 'journal.db-wal', calls: WRITES, error: 'EIO', when, effect },
  { file: 'journal.db-wal', calls: WRITES, error: 'ENOSPC', when, effect },
];

const atOthers = (error: CallFault['error']): CallFault[] => [
  { file: 'analytics.db-wal', calls: WRITES, error, when: '3', effect: 'trades' },
  { file: 'analytics.db-wal', calls: WRITES, error, when: '3+', effect: 'trades' },
  { file: 'catalog.db-wal', calls: WRITES, error, when: '1+', effect: 'refuses' },
];

/** At the start, a few batches later, and from some batch on for good. */
export const CALL_FAULTS: readonly CallFault[] = [
  ...atJournal('1', 'refuses'),
  ...atJournal('9', 'stops'),
  ...atJournal('60+', 'stops'),
  ...atOthers('EIO'),
  ...atOthers('ENOSPC'),
];

/** Why strace can't be used here; '' when it can. */
export const straceRefusal = (): string => {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  if (error !== undefined) return `strace is not on this machine (${error.message})`;
  return status === 0 ? '' : `strace can't trace here: ${stderr}`;
};

/** Why no small file system can be mounted here; '' when one can. */
export const mountRefusal = (folder: string): string => {
  if (process.getuid?.() !== 0) return 'only root may mount a tmpfs';
  const { status, stderr, error } = spawnSync('mount', tmpfs(folder, '64k'));
  if (error !== undefined) return error.message;
  if (status !== 0) return `no tmpfs can be mounted: ${stderr}`;
  execFileSync('umount', [folder]);
  return '';
};

const tmpfs = (folder: string, size: string): string[] => [
  ...['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder],
];

const wrapperOf = (dataDir: string, { file, calls, error, when }: CallFault): string[] => [
  // -D: the exchange stays the child of this process, and its exit code is its own.
  ...['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-P', join(dataDir, file)],
  ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${when}`],
];

/** One fault on a campaign that was finished before, and is finished after it. */
export const runCallFault = async (
  campaign: Campaign,
  fault: CallFault,
  seed: number,
): Promise<LoadFigures | undefined> => {
  const wrapper = wrapperOf(campaign.dataDir, fault);
  if (fault.effect === 'refuses') {
    await assert.rejects(campaign.startUnder({ wrapper }), /ended with 1 before it was ready/);
    await campaign.finish();
    return undefined;
  }
  const child = await campaign.startUnder({ wrapper });
  const figures = await campaign.load(child, seed, () =>
    fault.effect === 'stops' ? assertStopped(child) : assertTradesOn(child),
  );
  await campaign.finish();
  return figures;
};

/** The disk is full: for the whole folder, or for a part of it that trading does not need. */
export const runFullDisk = async (
  parent: string,
  { size, grown, seed }: { readonly size: string; readonly grown: string; readonly seed: number },
): Promise<LoadFigures> => {
  const dataDir = join(parent, `tmpfs-${size}`);
  mkdirSync(dataDir, { recursive: true });
  execFileSync('mount', tmpfs(dataDir, size));
  try {
    const campaign = new Campaign({ dataDir, funding: 'ledger' });
    const child = await campaign.start();
    const figures = await campaign.load(child, seed, async () => {
      await assertStopped(child);
      execFileSync('mount', ['-o', `remount,size=${grown}`, dataDir]);
    });
    await campaign.finish();
    return figures;
  } finally {
    execFileSync('umount', ['-l', dataDir]);
  }
};
