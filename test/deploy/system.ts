/** Runs programs of the system for the parts of test:deploy, and clean Debian roots for them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** Debian's version in the images and units. */
const SUITE = 'bookworm';
/** Made once; remove the folder to have a new one. */
const CLEAN_ROOT = join(PROJECT, 'node_modules/.cache/deploy', SUITE);
const MIRROR = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
const OUTPUT_BYTES = 64 * 1024 * 1024;

export function say(sentence: string): void {
  process.stdout.write(`  ${sentence}\n`);
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end; `output` is standard output and standard error. */
export function attempt(program: string, words: readonly string[]): Ended {
  const options = { encoding: 'utf8', maxBuffer: OUTPUT_BYTES, cwd: PROJECT } as const;
  const { error, status, stdout, stderr } = spawnSync(program, words, options);
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}

/** Runs a program that must succeed, and returns what it printed. */
export function run(program: string, words: readonly string[]): string {
  const { code, output } = attempt(program, words);
  if (code === 0) return output;
  throw new Error(`${program} ${words.join(' ')} ended with ${code}:\n${output}`);
}

/** Copies everything of a folder with owners and modes into another, which is made. */
export function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  run('cp', ['--archive', '--reflink=auto', `${from}/.`, to]);
}

/** A copy of a clean Debian root, in `folder`. */
export function makeDebianRoot(folder: string): void {
  if (!existsSync(CLEAN_ROOT)) {
    const unfinished = `${CLEAN_ROOT}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(dirname(unfinished), { recursive: true });
    run('debootstrap', ['--variant=minbase', SUITE, unfinished, MIRROR]);
    renameSync(unfinished, CLEAN_ROOT);
  }
  copyTree(CLEAN_ROOT, folder);
  // As a container engine does, so that names of hosts are found.
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'));
}
