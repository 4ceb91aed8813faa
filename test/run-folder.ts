/**
 * The folder in which a run of the tests makes its files. It is in memory if the system shares
 * memory as a folder and enough is free: on a disk the tests take a sixth more processor time and
 * wait for it. They test what a crash of the process leaves, which is the same in both; none can
 * cut the power.
 *
 * Bound: a run that is killed leaves its folder. The next run removes those of dead processes.
 */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
/** Five times what the tests use at once: some 100 MB. */
const NEEDED_BYTES = 2 ** 29;
const NAME = /^exchange-tests-(\d+)-/;

function hasRoom(): boolean {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is the process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The long random sets fill more than memory may have. */
export function makeRunFolder(isLong: boolean): string {
  const place = !isLong && hasRoom() ? SHARED_MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(place, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(place, `exchange-tests-${process.pid}-`));
}
