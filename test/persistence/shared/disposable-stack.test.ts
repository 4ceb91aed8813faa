// If one close fails, the rest is still closed, and the failure is reported.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { DataFolder } from '../../../persistence/folder/data-folder.ts';
import { DisposableStack } from '../../../persistence/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFor, replayFolder, submitAll, until, WORLD } from '../store-fixture.ts';

/** Up to six closers: whether each throws, and whether it is asynchronous. */
const parts = fc.array(fc.record({ fails: fc.boolean(), waits: fc.boolean() }), { maxLength: 6 });

t.test('all are closed once, in reverse order, and every failure is reported', async (t) => {
  await fc.assert(
    fc.asyncProperty(parts, fc.boolean(), async (made, isAfterStart) => {
      const closers = new DisposableStack();
      const closed: number[] = [];
      for (const [index, { fails, waits }] of made.entries()) {
        const close = (): void => {
          closed.push(index);
          if (fails) throw new Error(`failure ${index}`);
        };
        closers.defer(waits ? () => Promise.resolve().then(close) : close);
      }
      const failed = [...made.keys()].reverse().filter((index) => made[index]?.fails);
      const reported = failed.map((index) => `failure ${index}`);
      const failWith = () => closers.disposeAfter(new Error('no start'));
      const ending = isAfterStart ? failWith() : closers.dispose();
      const message = await ending.then(
        () => undefined,
        (error: Error) => error.message,
      );
      const expected = isAfterStart ? ['no start', ...reported] : reported;
      t.equal(message, expected.length === 0 ? undefined : expected.join('; '));
      t.strictSame(closed, [...made.keys()].reverse());
      if (reported.length > 0) await t.rejects(closers.dispose(), 'a second dispose rejects too');
      t.equal(closed.length, made.length);
    }),
    { numRuns: 200 },
  );
});

t.test('a failure to close the journal is reported after everything else is closed', async (t) => {
  const dataDir = temporaryFolder(t);
  // The test closes the exchange itself. A close in teardown would report the failure again.
  const exchange = await openFor({ teardown: () => undefined }, dataDir);
  await submitAll(exchange, WORLD);
  const hash = exchange.stateHash();
  const mark = join(dataDir, 'durable.seq');
  // durable.seq is written after the answer to the first commit, and next when it closes.
  await until(() => existsSync(mark));
  rmSync(mark);
  mkdirSync(mark);
  await t.rejects(exchange.close(), {
    code: 'thread_failed',
    message: /^the journal's thread failed while it closed: .*durable\.seq/,
  });
  rmSync(mark, { recursive: true });
  new DataFolder({ dataDir, temporary: false }).release(); // throws if it is still locked
  t.equal((await replayFolder(dataDir)).stateHash, hash, 'nothing is lost');
});

t.test('a failed start is reported together with failures to close', async (t) => {
  const closers = new DisposableStack();
  const cause = Object.assign(new Error('no start'), { code: 'why' });
  await t.rejects(
    closers.disposeAfter(cause),
    { code: 'why' },
    'unchanged if every close succeeds',
  );
  const both = new DisposableStack();
  both.defer(() => {
    throw new Error('no end');
  });
  await t.rejects(both.disposeAfter(cause), { errors: [{ code: 'why' }, { message: 'no end' }] });
});
