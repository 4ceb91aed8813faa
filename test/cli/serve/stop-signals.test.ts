import { EventEmitter } from 'node:events';
import t from 'tap';
import { stopOnSignals } from '../../../cli/serve/stop-signals.ts';

/** A process that only records the calls it gets. */
class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

function prepare(close: () => Promise<void>) {
  const target = new FakeProcess();
  const failures: unknown[] = [];
  const notes: string[] = [];
  const clock = { ms: 5_000 };
  const stopping = stopOnSignals(target, {
    close,
    fail: (error) => failures.push(error),
    note: (message, signal) => notes.push(`${message} ${signal}`),
    nowMs: () => clock.ms,
  });
  return { target, clock, failures, notes, stopping };
}

t.test('the first signal closes the exchange and then exits with 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const closing = Promise.withResolvers<void>();
    const { target, notes, stopping } = prepare(() => closing.promise);
    t.equal(stopping.isStopping, false);
    target.emit(signal, signal);
    t.equal(stopping.isStopping, true);
    await new Promise(setImmediate);
    t.same(target.exits, [], 'not before everything is closed');
    closing.resolve();
    await new Promise(setImmediate);
    t.same(target.exits, [0]);
    t.same(notes, [`stopping ${signal}`, `stopped ${signal}`]);
  }
});

t.test('a second signal exits at once without closing twice', async (t) => {
  let closes = 0;
  const { target, notes, clock } = prepare(() => {
    closes += 1;
    return new Promise(() => {});
  });
  target.emit('SIGINT', 'SIGINT');
  clock.ms += 999;
  target.emit('SIGINT', 'SIGINT');
  t.same(target.exits, [], 'npm sends the Ctrl-C of the terminal once more');
  clock.ms += 1;
  target.emit('SIGTERM', 'SIGTERM');
  t.same(target.exits, [1]);
  t.equal(closes, 1);
  t.same(notes, ['stopping SIGINT', 'stopped at once by a second signal SIGTERM']);
});

t.test('a close that fails is reported and does not exit with 0', async (t) => {
  const failure = new Error('the disk is gone');
  const { target, failures } = prepare(() => Promise.reject(failure));
  target.emit('SIGTERM', 'SIGTERM');
  await new Promise(setImmediate);
  t.same(failures, [failure]);
  t.same(target.exits, []);
});
