// A delayed order holds the fees required on arrival and is charged the rates of that time.
// 1% of 0.51 x 0.49 is 24.99 micros a lot, 1% of 0.5 x 0.5 is 25.
import t from 'tap';
import { delaying } from './delays.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const BOOK = `
      bid | price | ask
          | 5100  | bob 1000`;
const DELAY = 'delays 0 s 250 ms';
const CHARGED = 'first market ticks 100, least 1/1, cancel_maker, fees';

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'new rates do not affect a delayed order, but a better price changes its fee',
    before: BOOK,
    when: [
      'the first market charges 100/0 with exponent 1',
      '[100] cat buys 1000 YES at 5100',
      'the first market charges 0/0 with exponent 0',
      'cat splits 90000 YES+NO as k1',
      'ann sells 1000 YES at 5000',
      '[350] cat splits 90000 YES+NO as k2',
    ],
    happens: [
      'account_opened',
      `${CHARGED} 100/0^1, ${DELAY}`,
      'cat accepted',
      'cat delayed until 350',
      `first market ticks 100, least 1/1, cancel_maker, ${DELAY}`,
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 894875010, held 5124990',
      'ann accepted',
      'ask 5000: 1000',
      'cat released',
      'transfer 1000: cat BUY YES 5000, ann SELL YES 5000 (0), fees 25000 + 0 at 100/0',
      'ann matched, filled 1000 for 5000000',
      'ask 5000: 0',
      'cat matched, filled 1000 for 5000000, fees 25000',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 894975000, held 0',
    ],
    after: BOOK,
  },
  {
    name: 'an order that rests after its release holds its future maker fee',
    before: BOOK,
    when: [
      'the first market charges 100/50 with exponent 1',
      '[100] cat buys 1500 YES at 5100',
      'cat splits 90000 YES+NO as k1',
      '[350] cat splits 90000 YES+NO as k2',
    ],
    happens: [
      'account_opened',
      `${CHARGED} 100/50^1, ${DELAY}`,
      'cat accepted',
      'cat delayed until 350',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 892312510, held 7687490',
      'cat released',
      'transfer 1000: cat BUY YES 5100, bob SELL YES 5100 (0), fees 24990 + 0 at 100/0',
      'bob matched, filled 1000 for 5100000',
      'ask 5100: 0',
      'bid 5100: 500',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 892318760, held 2556250',
    ],
    after: `
      bid     | price | ask
      cat 500 | 5100  |`,
  },
  {
    name: 'a budget pays its fees from the cash available at its release',
    before: BOOK,
    when: [
      'the first market charges 100/0 with exponent 1',
      '[100] cat buys YES for 5100000 at 5100 FAK',
      'cat splits 89487 YES+NO as k1',
      'cat2 buys 49 YES at 100',
      'ann sells 2000 YES at 5000',
      '[350] cat splits 1 YES+NO as k2',
    ],
    happens: [
      'account_opened',
      `${CHARGED} 100/0^1, ${DELAY}`,
      'cat accepted',
      'cat delayed until 350',
      'cat 89487 sets of first market for -894870000 (k1)',
      'cat2 accepted',
      'bid 100: 49',
      'ann accepted',
      'ask 5000: 2000',
      'cat released',
      'transfer 1019: cat BUY YES 5000, ann SELL YES 5000 (0), fees 25480 + 0 at 100/0',
      'ask 5000: 981',
      'cat matched, filled 1019 for 5095000, fees 25480',
      'rejected not_enough_cash: field account, asset cash, required 10000, ' +
        'available 4620, held 4900',
    ],
    after: `
      bid     | price | ask
              | 5100  | bob 1000
              | 5000  | ann 981
      cat2 49 | 100   |`,
  },
];

runScenarios(t, SCENARIOS.map(delaying));
