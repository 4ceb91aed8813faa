/**
 * Runs the test files that TEST_FILES names one after the other in this process. Each begins when
 * the tests of the one before have ended. With KEEPS_THREADS, exchanges that they start take over
 * the threads of those that they closed, which saves most of the time of a start.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Base, TestBase } from 'tap';
import { keepThreads } from '../persistence/threads/index.ts';
import { shareUntil } from './temporary-folder.ts';

const FILE_TIMEOUT_MS = 600_000;
/** More failures have one cause, and each may wait for a minute: the next files do not run. */
const MOST_FAILURES = 20;

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

/** What is closed at the end of a file or of the batch, the last first. */
class Teardowns {
  readonly #closes: (() => unknown)[] = [];

  teardown(close: () => unknown): void {
    this.#closes.push(close);
  }

  async run(): Promise<void> {
    for (;;) {
      const close = this.#closes.pop();
      if (close === undefined) return;
      await close();
    }
  }
}

const batch = new Teardowns();
const file = new Teardowns();
// tap gets no teardowns: after the first one it ends the run as soon as no test waits.
t.teardown = (close: () => unknown) => file.teardown(close);
shareUntil(t, batch);
t.setTimeout(Number(process.env.BATCH_TIMEOUT_MS ?? 0));
const endThreads = process.env.KEEPS_THREADS === 'true' ? keepThreads() : () => {};
for (const path of (process.env.TEST_FILES ?? '').split(',')) {
  const timer = setTimeout(() => {
    runningTest(t).threw(new Error(`${path} took more than ${FILE_TIMEOUT_MS / 1_000} s`));
    // It may still be running, beside the next file.
    process.exit();
  }, FILE_TIMEOUT_MS).unref();
  await import(pathToFileURL(resolve(path)).href);
  await t.test(`${path} has ended`, async () => {});
  // Before the next file, whose exchanges take over the threads of those that close.
  await file.run();
  clearTimeout(timer);
  if (t.counts.fail > MOST_FAILURES) {
    t.fail(`the files after ${path} did not run, because ${t.counts.fail} tests failed`);
    break;
  }
}
await batch.run();
endThreads();
hasEnded = true;
