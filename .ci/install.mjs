// Installs the locked packages that are missing: `--omit=dev` only those that the program runs
// with, else also those of the tests and tools. Does nothing when they are there and no older than
// the lock file. Plain JavaScript, because it runs on the machine's Node, before ours is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OMIT_DEV = '--omit=dev';
const ROOT = new URL('..', import.meta.url);
/** What npm installed last, written by npm itself. */
const INSTALLED = 'node_modules/.package-lock.json';
const NODE = 'node_modules/node/bin/node';

function modifiedMs(path) {
  return statSync(new URL(path, ROOT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}

/** The arguments for npm; undefined when there is nothing to install. */
function chooseInstall(omitsDev) {
  const isCurrent = modifiedMs(INSTALLED) >= modifiedMs('package-lock.json');
  if (!isCurrent) return omitsDev ? ['ci', OMIT_DEV] : ['ci'];
  if (omitsDev) return undefined;
  const { packages } = readJson(INSTALLED);
  const developed = Object.keys(readJson('package.json').devDependencies);
  const isWhole = developed.every((name) => packages[`node_modules/${name}`] !== undefined);
  // Adds to what is there: an exchange may be running on these packages, and `ci` deletes them.
  return isWhole ? undefined : ['install', '--no-save'];
}

function npm(args) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync('npm', [...args, ...quiet], {
    cwd: fileURLToPath(ROOT),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

const args = chooseInstall(process.argv.includes(OMIT_DEV));
// Native parts come prebuilt. npm 9 and 10 do not know allowScripts: they would compile some of
// them again, which needs a compiler. Only Node itself is put in place by its script.
if (args !== undefined) npm([...args, '--ignore-scripts']);
// It is missing, too, after an installation that was interrupted here.
if (args !== undefined || modifiedMs(NODE) === 0) npm(['rebuild', 'node']);
