/**
 * Runs the test files that TEST_FILES names one after the other in this process. Each begins when
 * the tests of the one before have ended. With KEEPS_THREADS, exchanges that they start take over
 * the threads of those that they closed, which saves most of the time of a start.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Base, TestBase } from 'tap';
import { keepThreads } from '../persistence/threads/index.ts';

let hasEnded = false;
// If a file ends the process early, the files that did not run must not count as passed.
process.on('exit', () => {
  if (!hasEnded) process.exitCode = 1;
});

/** The test that runs now, the innermost one: tests of a batch run one after the other. */
function runningTest(test: Base): Base {
  const [inner] = test instanceof TestBase ? test.activeSubtests : [];
  return inner === undefined ? test : runningTest(inner);
}
// Also for rejections that nothing handles. load-types.mjs says why tap does not do it.
process.on('uncaughtException', (error) => runningTest(t).threw(error));

const teardowns: (() => unknown)[] = [];
// tap gets no teardowns: after the first one it ends the run as soon as no test waits.
t.teardown = (close: () => unknown) => {
  teardowns.push(close);
};
t.setTimeout(Number(process.env.BATCH_TIMEOUT_MS ?? 0));
const endThreads = process.env.KEEPS_THREADS === 'true' ? keepThreads() : () => {};
for (const file of (process.env.TEST_FILES ?? '').split(',')) {
  await import(pathToFileURL(resolve(file)).href);
  await t.test(`${file} has ended`, async () => {});
}
// At the end, because files may share a module that opened something.
for (const close of teardowns.toReversed()) await close();
endThreads();
hasEnded = true;
