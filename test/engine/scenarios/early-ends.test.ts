// An order with an early end stops before its expiration. Delayed and long orders: see their files.
import t from 'tap';
import { runScenarios } from './scenario.ts';

runScenarios(t, [
  {
    name: 'an order with an early end expires before its expiration, in order of ends',
    before: '',
    when: [
      '[10] ann buys 1 YES at 5000 until 300 early 90',
      '[20] bob buys 2 YES at 5000 until 209',
      '[209] cat buys 4 YES at 5000 until 300 early 90',
      'ann buys 1 YES at 5000 until 300',
      '[210] dan sells 1 YES at 5000',
    ],
    happens: [
      'ann accepted',
      'bid 5000: 1',
      'bob accepted',
      'bid 5000: 3',
      'bob expired, filled 0 for 0',
      'bid 5000: 1',
      'cat accepted',
      'bid 5000: 5',
      'ann duplicate',
      'ann expired, filled 0 for 0',
      'bid 5000: 4',
      'cat expired, filled 0 for 0',
      'bid 5000: 0',
      'dan accepted',
      'ask 5000: 1',
    ],
    after: `
      bid | price | ask
          | 5000  | dan 1`,
  },
]);
