/**
 * Runs tests. `npm test` runs all of them, `npm test -- engine/book http/auth` those of some rooms
 * or files, and `npm run test:long` all of them with the long random sets. Flags are passed to tap.
 */
import { spawnSync } from 'node:child_process';
import { findTests } from './find-tests.ts';

const FAILED = 1;

const words = process.argv.slice(2);
const rooms = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-') && word !== '--long');
const missing = rooms.find((room) => findTests([room]).length === 0);
if (missing !== undefined) {
  process.stderr.write(`no test is in test/${missing}: name a folder or a file below test/\n`);
  process.exit(FAILED);
}
const { status } = spawnSync('tap', ['--timeout=0', ...flags, 'test/suite.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_ROOMS: rooms.join(','),
    ...(words.includes('--long') ? { TEST_LONG: '1' } : {}),
  },
});
process.exitCode = status ?? FAILED;
