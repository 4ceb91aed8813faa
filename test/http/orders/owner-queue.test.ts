import t from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { OwnerQueues } from '../../../http/orders/owner-queue.ts';

/** A preparation that the test completes or lets fail. */
function makePreparation() {
  let done: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const prepared = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  return { prepared, done: () => done(), fail: (error: Error) => fail(error) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

t.test('the writes of an owner are done in order of arrival', async (t) => {
  const queues = new OwnerQueues();
  const acted: string[] = [];
  const enter = (owner: string, name: string) => {
    const preparation = makePreparation();
    const result = queues.enqueue({ owner }, preparation.prepared, () => {
      acted.push(name);
      return name;
    });
    return { ...preparation, result };
  };
  const first = enter('alice', 'first');
  const second = enter('alice', 'second');
  const third = enter('alice', 'third');
  const other = enter('bob', 'other');

  third.done();
  other.done();
  await turn();
  t.strictSame(acted, ['other'], 'another owner does not wait');
  second.done();
  await turn();
  t.strictSame(acted, ['other']);
  first.done();
  t.strictSame(await Promise.all([first.result, second.result, third.result]), [
    'first',
    'second',
    'third',
  ]);
  t.strictSame(acted, ['other', 'first', 'second', 'third']);
  const last = enter('alice', 'last');
  last.done();
  t.equal(await last.result, 'last', 'an emptied queue works again');
});

t.test('a failed write does not block the next', async (t) => {
  const queues = new OwnerQueues();
  const preparation = makePreparation();
  const unprepared = queues.enqueue({ owner: 'alice' }, preparation.prepared, () => 'never');
  const throwing = queues.enqueue({ owner: 'alice' }, Promise.resolve(), () => {
    throw new Error('mine');
  });
  const fine = queues.enqueue({ owner: 'alice' }, Promise.resolve(), () => 'fine');
  preparation.fail(new Error('unprepared'));
  await t.rejects(unprepared, { message: 'unprepared' });
  await t.rejects(throwing, { message: 'mine' });
  t.equal(await fine, 'fine');
});

t.test('a full queue refuses only its own owner', async (t) => {
  const queues = new OwnerQueues();
  const preparation = makePreparation();
  const waiting = Array.from({ length: HTTP_BOUNDS.pendingWritesPerOwner }, () =>
    queues.enqueue({ owner: 'alice' }, preparation.prepared, () => 'acted'),
  );
  await t.rejects(
    queues.enqueue({ owner: 'alice' }, preparation.prepared, () => 'acted'),
    { code: 'overloaded', details: { limit: HTTP_BOUNDS.pendingWritesPerOwner } },
  );
  const unheard: unknown[] = [];
  const listen = (reason: unknown): void => {
    unheard.push(reason);
  };
  process.on('unhandledRejection', listen);
  t.teardown(() => process.off('unhandledRejection', listen));
  const failing = Promise.reject(new Error('unprepared'));
  await t.rejects(
    queues.enqueue({ owner: 'alice' }, failing, () => 'acted'),
    { code: 'overloaded' },
  );
  await turn();
  t.strictSame(unheard, [], 'a refused preparation may fail');
  t.equal(await queues.enqueue({ owner: 'bob' }, Promise.resolve(), () => 'acted'), 'acted');
  preparation.done();
  await Promise.all(waiting);
  t.equal(await queues.enqueue({ owner: 'alice' }, Promise.resolve(), () => 'acted'), 'acted');
});

t.test('later writes wait for all steps of a write, also if the last one fails', async (t) => {
  const queues = new OwnerQueues();
  const acted: string[] = [];
  for (const fails of [false, true]) {
    const steps = makePreparation();
    const long = queues.enqueueSteps({ owner: 'alice' }, () => steps.prepared);
    const later = queues.enqueue({ owner: 'alice' }, Promise.resolve(), () => acted.push('later'));
    const other = queues.enqueue({ owner: 'bob' }, Promise.resolve(), () => acted.push('other'));
    await other;
    await turn();
    t.strictSame(acted, ['other'], 'only the same owner waits');
    if (fails) steps.fail(new Error('a step fails'));
    else steps.done();
    await (fails ? t.rejects(long, { message: 'a step fails' }) : long);
    await later;
    t.strictSame(acted.splice(0), ['other', 'later']);
  }
});
