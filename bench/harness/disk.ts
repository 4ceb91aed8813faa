/** How long the disk takes to sync: no commit is durable sooner. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { spreadOf } from './statistics.ts';

const SYNCS = 50;

/** Milliseconds that one synced write of 4 KiB takes in a folder: a median of some. */
export function syncMs(folder: string): number {
  const path = join(folder, `sync-probe-${process.pid}`);
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4_096, 1);
  const taken = Array.from({ length: SYNCS }, () => {
    const start = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(path);
  return spreadOf(taken).median;
}
