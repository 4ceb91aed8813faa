// Everything is closed although one close fails, and the failure is reported.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { DataFolder } from '../../../persistence/folder/index.ts';
import { DisposableStack } from '../../../persistence/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFor, replayFolder, submitAll, until, WORLD } from '../store-fixture.ts';

/** Whether each fails, and whether it takes a turn of the event loop to. */
const parts = fc.array(fc.record({ fails: fc.boolean(), waits: fc.boolean() }), { maxLength: 6 });

t.test('all are closed once, the last opened first, and every failure is told', async (t) => {
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
      const told = failed.map((index) => `failure ${index}`);
      const failWith = () => closers.disposeAfter(new Error('no start'));
      const ending = isAfterStart ? failWith() : closers.dispose();
      const message = await ending.then(
        () => undefined,
        (error: Error) => error.message,
      );
      const expected = isAfterStart ? ['no start', ...told] : told;
      t.equal(message, expected.length === 0 ? undefined : expected.join('; '));
      t.strictSame(closed, [...made.keys()].reverse());
      if (told.length > 0) await t.rejects(closers.dispose(), 'the same end, asked for again');
      t.equal(closed.length, made.length);
    }),
    { numRuns: 200 },
  );
});

t.test(
  'a journal that fails while it closes is told of, when all the rest is closed',
  async (t) => {
    const dataDir = temporaryFolder(t);
    // Closed here: a close at the end of the test would be told the same again.
    const exchange = await openFor({ teardown: () => undefined }, dataDir);
    await submitAll(exchange, WORLD);
    const hash = exchange.stateHash();
    const mark = join(dataDir, 'durable.seq');
    // It is written behind the first commit's answer, and next at the end.
    await until(() => existsSync(mark));
    rmSync(mark);
    mkdirSync(mark);
    await t.rejects(exchange.close(), {
      code: 'thread_failed',
      message: /^the journal's thread failed while it closed: .*durable\.seq/,
    });
    rmSync(mark, { recursive: true });
    new DataFolder({ dataDir, temporary: false }).release(); // the folder was let go
    t.equal((await replayFolder(dataDir)).stateHash, hash, 'nothing is lost');
  },
);

t.test('what fails a start is told with what else failed', async (t) => {
  const closers = new DisposableStack();
  const cause = Object.assign(new Error('no start'), { code: 'why' });
  await t.rejects(
    closers.disposeAfter(cause),
    { code: 'why' },
    'as it is, where nothing else does',
  );
  const both = new DisposableStack();
  both.defer(() => {
    throw new Error('no end');
  });
  await t.rejects(both.disposeAfter(cause), { errors: [{ code: 'why' }, { message: 'no end' }] });
});
