/** Runs programs of the system for the parts of test:deploy, and makes clean Debian roots. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** Debian's version in the images and units. */
const SUITE = 'bookworm';
/** Made once; remove the folder to have a new one. */
const CLEAN_ROOT = join(PROJECT, 'node_modules/.cache/deploy', SUITE);
const MIRROR = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
const ROOT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const OUTPUT_BYTES = 64 * 1024 * 1024;
const RUN_WITHIN_MS = 600_000;
const POLL_MS = 200;
const WITHIN_MS = 120_000;

export function say(sentence: string): void {
  process.stdout.write(`  ${sentence}\n`);
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end; `output` is standard output and standard error. */
export function attempt(program: string, words: readonly string[]): Ended {
  const bounds = { maxBuffer: OUTPUT_BYTES, timeout: RUN_WITHIN_MS };
  const options = { ...bounds, encoding: 'utf8', cwd: PROJECT } as const;
  const { error, status, stdout, stderr } = spawnSync(program, words, options);
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}

/** Runs a program that must succeed, and returns what it printed. */
export function run(program: string, words: readonly string[]): string {
  const { code, output } = attempt(program, words);
  assert.equal(code, 0, `${program} ${words.join(' ')}: ${output}`);
  return output;
}

/** Waits until a condition holds. What it throws counts as no. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  for (let last: unknown; ; ) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) throw new Error(`in time: ${what}`, { cause: last });
    await sleep(POLL_MS);
  }
}

/** Copies everything of a folder with owners and modes into another, which is made. */
function copyTree(from: string, to: string): void {
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
}

/** Adds what the image of Node has: the Node that runs this program, and this machine's npm. */
export function addNode(root: string): void {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('start this program with npm run test:deploy');
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  cpSync(join(npm, '../..'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')]);
}

function npmSetting(name: string): string {
  return run('npm', ['config', 'get', name, '--silent']).trim().split('\n').at(-1) ?? '';
}

/** npm in a root gets the settings, cache and certificates of this machine, if it has any. */
export function npmMounts(): (readonly [from: string, to: string])[] {
  const pairs: (readonly [string, string])[] = [
    [npmSetting('userconfig'), '/root/.npmrc'],
    [npmSetting('cache'), '/root/.npm'],
  ];
  const authorities = [npmSetting('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''];
  for (const path of new Set(authorities)) pairs.push([path, path]);
  return pairs.filter(([from]) => from !== '' && existsSync(from));
}

/** Variables for the same purpose. */
export function npmVariables(): Record<string, string> {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  return {
    npm_config_prefer_offline: 'true',
    ...(path === undefined ? {} : { NODE_EXTRA_CA_CERTS: path }),
  };
}

/** Runs a script in a root, with npm as above. */
export function runInRoot(root: string, script: string): string {
  const mounts = npmMounts().map(([from, to]) => {
    const place = join(root, to);
    mkdirSync(statSync(from).isDirectory() ? place : dirname(place), { recursive: true });
    if (!existsSync(place)) writeFileSync(place, '');
    return `mount --bind '${from}' '${place}'`;
  });
  const setup = ['set -e', ...mounts, `mount -t proc proc '${root}/proc'`, 'exec chroot "$@"'];
  const settings = Object.entries(npmVariables()).map(([name, value]) => `${name}=${value}`);
  settings.push(`PATH=${ROOT_PATH}`, 'HOME=/root');
  const inside = ['env', '-i', ...settings, 'sh', '-ec', script];
  return run('unshare', ['--mount', 'sh', '-c', setup.join('\n'), 'sh', root, ...inside]);
}
