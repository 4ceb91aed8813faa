// The thread of analytics: started by the first question, started again when it dies, and never
// answering with less than was applied.

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

t.test(
  'analytics start when they are asked, die for the waiting alone, and come back',
  async (t) => {
    const threads: Worker[] = [];
    const keep = (worker: Worker): number => threads.push(worker);
    const downs: string[] = [];
    const exchange = await openFor(t, temporaryFolder(t), {
      onThreadDown: (name) => downs.push(name),
    });
    process.on('worker', keep);
    t.teardown(() => process.off('worker', keep));
    const isUp = () => exchange.health().threads.find(({ name }) => name === 'analytics')?.isUp;
    t.equal(isUp(), undefined, 'nobody has asked');

    await submitAll(exchange, WORLD);
    const ask = () => exchange.analytics.ask('openInterest', { markets: [CONDITION] });
    const answers = await Promise.all([ask(), ask()]);
    t.same(
      answers.map(({ text }) => JSON.parse(text)[0].market),
      [CONDITION, CONDITION],
    );
    t.equal(threads.length, 1, 'one thread for all');
    t.equal(isUp(), true);

    for (let number = 1; number <= 5; number += 1) {
      await submitAll(exchange, [order(number), counterOrder(-number)]);
      const { seq } = await ask();
      t.equal(seq, exchange.appliedSeq, 'an answer shows what was done before it');
    }

    const [first] = threads;
    await first?.terminate();
    await until(() => isUp() === false);
    await t.rejects(ask(), { code: 'reader_unavailable' });
    t.equal(downs.length, 1);
    await until(() => isUp() === true);
    t.equal((await ask()).seq, exchange.appliedSeq, 'and is there again');
  },
);
