/**
 * Runs tests. `npm test` runs all of them, `npm test -- engine/book http/auth` those of some rooms
 * or files, and `npm run test:long` all of them with the long random sets. Flags are passed to tap.
 * At the end it prints the notes that tests left.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTests } from './find-tests.ts';
import { NOTES_VARIABLE } from './notes.ts';

const FAILED = 1;

const words = process.argv.slice(2);
const rooms = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-') && word !== '--long');
const missing = rooms.find((room) => findTests([room]).length === 0);
if (missing !== undefined) {
  process.stderr.write(`no test is in test/${missing}: name a folder or a file below test/\n`);
  process.exit(FAILED);
}
const folder = mkdtempSync(join(tmpdir(), 'exchange-notes-'));
const notes = join(folder, 'notes');
const { status } = spawnSync('tap', ['--timeout=0', ...flags, 'test/suite.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_ROOMS: rooms.join(','),
    [NOTES_VARIABLE]: notes,
    ...(words.includes('--long') ? { TEST_LONG: '1' } : {}),
  },
});
if (existsSync(notes)) process.stdout.write(readFileSync(notes));
rmSync(folder, { recursive: true });
process.exitCode = status ?? FAILED;
