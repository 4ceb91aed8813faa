/**
 * All test files, each in a process of its own, two at a time. They run without tap's loader: it
 * records every module of every process by a message to another thread, for its coverage and its
 * watching, which are off here, and doubled the time of the suite. One file alone: npx tap FILE.
 *
 * Invariant: a file that crashes or takes longer than TIMEOUT_MS has failed.
 */
import { globSync } from 'node:fs';
import t from 'tap';

const JOBS = 2;
const TIMEOUT_MS = 300_000;

const files = globSync('test/**/*.test.ts').toSorted();
if (files.length === 0) throw new Error('the tests are run from the root of the project');

t.jobs = JOBS;
t.setTimeout(0);
for (const file of files) {
  // Where its variable is set, tap's loader would come back by way of Node's options.
  const words = ['-u', 'NODE_OPTIONS', process.execPath, file];
  t.spawn('env', words, { buffered: true, timeout: TIMEOUT_MS }, file);
}
