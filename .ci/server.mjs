/**
 * Makes the folder from which a server runs the exchange: what the npm package has, and beside it
 * the lock file, so that its packages are those that the tests ran with. `node .ci/server.mjs
 * FOLDER` makes one; releases have it as an archive.
 *
 * Invariant: the folder has no sources. So `outcome-exchange` runs the bundle there, which was made
 * with the other files and can't be older than they are.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the npm package lacks. */
const BESIDE = ['.ci/install.mjs', '.npmrc', 'package-lock.json'];

/** Makes the npm package in a folder, and returns the name of its file. */
export function pack(folder) {
  const words = ['pack', '--json', '--silent', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }));
  return filename;
}

/** Fills a folder, which is new or empty, from the npm package and the files of this clone. */
export function makeServer(packageFile, folder) {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', packageFile, '--strip-components=1', '-C', folder]);
  for (const path of BESIDE) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('name the folder to make');
  const packed = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    makeServer(join(packed, pack(packed)), folder);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}
