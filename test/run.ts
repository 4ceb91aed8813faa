/**
 * Runs tests. `npm test` runs all of them, `npm test -- engine/book http/auth` those of some rooms
 * or files, and `npm run test:long` all of them with the long random sets. Flags are passed to tap.
 * At the end it prints the notes that tests left.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../.ci/bundle.mjs';
import { findTests } from './find-tests.ts';
import { NOTES_VARIABLE } from './notes.ts';
import { makeRunFolder } from './run-folder.ts';

const FAILED = 1;

const HOUR_MS = 3_600_000;

/** Another run may still use the files of the last hour. */
function removeOldFiles(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - HOUR_MS) rmSync(path);
  }
}

const words = process.argv.slice(2);
const rooms = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-') && word !== '--long');
const missing = rooms.find((room) => findTests([room]).length === 0);
if (missing !== undefined) {
  process.stderr.write(`no test is in test/${missing}: name a folder or a file below test/\n`);
  process.exit(FAILED);
}
const isLong = words.includes('--long');
const folder = makeRunFolder(isLong);
const notes = join(folder, 'notes');
/** Always the same, so that Node finds its compiled modules again. */
const BUNDLES = fileURLToPath(new URL('../node_modules/.cache/bundle', import.meta.url));
removeOldFiles(BUNDLES);
const bundled = await bundle(BUNDLES);
const { status } = spawnSync('tap', ['--timeout=0', ...flags, 'test/suite.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    // As ./outcome-exchange starts the program: fewer page faults are a twelfth of the time.
    GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? 'glibc.malloc.hugetlb=1',
    TEST_ROOMS: rooms.join(','),
    TEST_BUNDLE: JSON.stringify(bundled),
    TMPDIR: folder,
    [NOTES_VARIABLE]: notes,
    ...(isLong ? { TEST_LONG: '1' } : {}),
  },
});
if (existsSync(notes)) process.stdout.write(readFileSync(notes));
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? FAILED;
