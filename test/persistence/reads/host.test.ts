// The analytics thread starts with the first question and restarts when it dies. Its answers show
// all that was applied before the question. A quick question waits for at most one slow question.

import type { Worker } from 'node:worker_threads';
import t from 'tap';
import { temporaryFolder } from '../../temporary-folder.ts';
import {
  CONDITION,
  counterOrder,
  openFor,
  order,
  submitAll,
  until,
  WORLD,
} from '../store-fixture.ts';

const downs: string[] = [];
const exchange = await openFor(t, temporaryFolder(t), {
  on: { thread_down: ({ name }) => downs.push(name) },
});
await submitAll(exchange, WORLD);

t.test(
  'the analytics thread starts with the first question and comes back after its death',
  async (t) => {
    const threads: Worker[] = [];
    const keep = (worker: Worker): number => threads.push(worker);
    process.on('worker', keep);
    t.teardown(() => process.off('worker', keep));
    const isUp = () => exchange.health().threads.find(({ name }) => name === 'analytics')?.isUp;
    t.equal(isUp(), undefined, 'there was no question yet');

    const ask = () => exchange.analytics.ask('openInterest', { markets: [CONDITION] });
    const answers = await Promise.all([ask(), ask()]);
    t.same(
      answers.map(({ json }) => JSON.parse(Buffer.from(json).toString())[0].market),
      [CONDITION, CONDITION],
    );
    t.equal(threads.length, 1, 'one thread for both questions');
    t.equal(isUp(), true);

    for (let number = 1; number <= 5; number += 1) {
      await submitAll(exchange, [order(number), counterOrder(-number)]);
      const { seq } = await ask();
      t.equal(seq, exchange.appliedSeq, 'an answer shows all that was applied before it');
    }

    const [first] = threads;
    await first?.terminate();
    await until(() => isUp() === false);
    await t.rejects(ask(), { code: 'reader_unavailable' });
    t.equal(downs.length, 1);
    await until(() => isUp() === true);
    t.equal((await ask()).seq, exchange.appliedSeq, 'the thread is back');
  },
);

t.test('a quick question waits for one slow question at most', async (t) => {
  const { account } = order(1);
  const page = { markets: undefined, events: undefined, limit: 10, offset: 0 };
  const fills = { takersOnly: false, side: undefined, unit: 'micros', least: 0 } as const;
  const trades = { ...page, ...fills, user: undefined, cursor: undefined };
  const times = { types: ['TRADE'], startSeconds: undefined, endSeconds: undefined };
  const activity = { ...page, ...times, user: account, side: undefined, isAscending: false };
  const { analytics } = exchange;
  const long = {
    fills: () => analytics.ask('fills', { ...trades, limit: 1_001 }),
    activity: () => analytics.ask('activity', { ...activity, sortBy: 'CASH' }),
    holders: () =>
      analytics.ask('holders', { markets: [CONDITION, CONDITION], limit: 501, leastLots: 0 }),
  };
  const short = {
    fills: () => analytics.ask('fills', { ...trades, limit: 1_000 }),
    activity: () => analytics.ask('activity', { ...activity, sortBy: 'TIMESTAMP' }),
    holders: () => analytics.ask('holders', { markets: [CONDITION], limit: 500, leastLots: 0 }),
    openInterest: () => analytics.ask('openInterest', {}),
  };
  await short.openInterest();
  const answered: string[] = [];
  const note = (name: string) => () => answered.push(name);
  for (const [name, ask] of Object.entries(long)) {
    answered.length = 0;
    const waiting = Array.from({ length: 20 }, () => ask().then(note('long')));
    for (const [other, quick] of Object.entries(short)) waiting.push(quick().then(note(other)));
    await Promise.all(waiting);
    const first = answered.slice(0, 5).sort();
    t.same(first, ['activity', 'fills', 'holders', 'long', 'openInterest'], name);
    t.equal(answered.length, 24);
  }
});
