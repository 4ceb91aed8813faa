import t from 'tap';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const EMPTY = '';

/** Every kind of resting order meets every kind of taker, away from the middle price. */
const FILL_KINDS: readonly Scenario[] = [
  {
    name: 'BUY YES meets SELL YES: a transfer at the price of the resting order',
    before: `
      bid | price | ask
          | 6000  | bob 20`,
    when: ['zoe buys 20 YES at 6200'],
    happens: [
      'zoe accepted',
      'transfer 20: zoe BUY YES 6000, bob SELL YES 6000 (0)',
      'bob matched, filled 20 for 120000',
      'ask 6000: 0',
      'zoe matched, filled 20 for 120000',
    ],
    after: EMPTY,
    moved: ['bob: +120000 cash, -20 YES', 'zoe: -120000 cash, +20 YES'],
  },
  {
    name: 'BUY YES meets BUY NO: a mint, in which both together pay exactly one',
    before: `
      bid | price | ask
          | 6000  | bob 20 NO`,
    when: ['zoe buys 20 YES at 6200'],
    happens: [
      'zoe accepted',
      'mint 20: zoe BUY YES 6000, bob BUY NO 4000 (0)',
      'bob matched, filled 20 for 80000',
      'ask 6000: 0',
      'zoe matched, filled 20 for 120000',
    ],
    after: EMPTY,
    moved: ['bob: -80000 cash, +20 NO', 'zoe: -120000 cash, +20 YES'],
  },
  {
    name: 'SELL NO meets SELL YES: a merge, in which both together are paid exactly one',
    before: `
      bid | price | ask
          | 6000  | bob 20`,
    when: ['zoe sells 20 NO at 3800'],
    happens: [
      'zoe accepted',
      'merge 20: zoe SELL NO 4000, bob SELL YES 6000 (0)',
      'bob matched, filled 20 for 120000',
      'ask 6000: 0',
      'zoe matched, filled 20 for 80000',
    ],
    after: EMPTY,
    moved: ['bob: +120000 cash, -20 YES', 'zoe: +80000 cash, -20 NO'],
  },
  {
    name: 'SELL NO meets BUY NO: a transfer of the other outcome',
    before: `
      bid | price | ask
          | 6000  | bob 20 NO`,
    when: ['zoe sells 20 NO at 3800'],
    happens: [
      'zoe accepted',
      'transfer 20: zoe SELL NO 4000, bob BUY NO 4000 (0)',
      'bob matched, filled 20 for 80000',
      'ask 6000: 0',
      'zoe matched, filled 20 for 80000',
    ],
    after: EMPTY,
    moved: ['bob: -80000 cash, +20 NO', 'zoe: +80000 cash, -20 NO'],
  },
  {
    name: 'SELL YES meets BUY YES: a transfer',
    before: `
      bid    | price | ask
      bob 20 | 6000  |`,
    when: ['zoe sells 20 YES at 5800'],
    happens: [
      'zoe accepted',
      'transfer 20: zoe SELL YES 6000, bob BUY YES 6000 (0)',
      'bob matched, filled 20 for 120000',
      'bid 6000: 0',
      'zoe matched, filled 20 for 120000',
    ],
    after: EMPTY,
    moved: ['bob: -120000 cash, +20 YES', 'zoe: +120000 cash, -20 YES'],
  },
  {
    name: 'SELL YES meets SELL NO: a merge from the other side',
    before: `
      bid       | price | ask
      bob 20 NO | 6000  |`,
    when: ['zoe sells 20 YES at 5800'],
    happens: [
      'zoe accepted',
      'merge 20: zoe SELL YES 6000, bob SELL NO 4000 (0)',
      'bob matched, filled 20 for 80000',
      'bid 6000: 0',
      'zoe matched, filled 20 for 120000',
    ],
    after: EMPTY,
    moved: ['bob: +80000 cash, -20 NO', 'zoe: +120000 cash, -20 YES'],
  },
  {
    name: 'BUY NO meets BUY YES: a mint from the other side',
    before: `
      bid    | price | ask
      bob 20 | 6000  |`,
    when: ['zoe buys 20 NO at 4200'],
    happens: [
      'zoe accepted',
      'mint 20: zoe BUY NO 4000, bob BUY YES 6000 (0)',
      'bob matched, filled 20 for 120000',
      'bid 6000: 0',
      'zoe matched, filled 20 for 80000',
    ],
    after: EMPTY,
    moved: ['bob: -120000 cash, +20 YES', 'zoe: -80000 cash, +20 NO'],
  },
  {
    name: 'BUY NO meets SELL NO: a transfer of the other outcome from the other side',
    before: `
      bid       | price | ask
      bob 20 NO | 6000  |`,
    when: ['zoe buys 20 NO at 4200'],
    happens: [
      'zoe accepted',
      'transfer 20: zoe BUY NO 4000, bob SELL NO 4000 (0)',
      'bob matched, filled 20 for 80000',
      'bid 6000: 0',
      'zoe matched, filled 20 for 80000',
    ],
    after: EMPTY,
    moved: ['bob: +80000 cash, -20 NO', 'zoe: -80000 cash, +20 NO'],
  },
];

const PRIORITY: readonly Scenario[] = [
  {
    name: 'the best price fills first, and at a price the oldest order, whatever the outcome',
    before: `
      bid | price | ask
          | 5300  | ann 10
          | 5100  | bob 10 NO, cat 10, dan 10 NO`,
    when: ['zoe buys 25 YES at 5300'],
    happens: [
      'zoe accepted',
      'mint 10: zoe BUY YES 5100, bob BUY NO 4900 (0)',
      'bob matched, filled 10 for 49000',
      'transfer 10: zoe BUY YES 5100, cat SELL YES 5100 (0)',
      'cat matched, filled 10 for 51000',
      'mint 5: zoe BUY YES 5100, dan BUY NO 4900 (0)',
      'ask 5100: 5',
      'zoe matched, filled 25 for 127500',
    ],
    after: `
      bid | price | ask
          | 5300  | ann 10
          | 5100  | dan 5 NO`,
  },
  {
    name: 'a partly filled order keeps its place in its queue',
    before: `
      bid            | price | ask
      bob 10, cat 10 | 4800  |`,
    when: ['zoe sells 4 YES at 4800', 'dan buys 3 YES at 4800', 'zoe2 sells 9 YES at 4800'],
    happens: [
      'zoe accepted',
      'transfer 4: zoe SELL YES 4800, bob BUY YES 4800 (0)',
      'bid 4800: 16',
      'zoe matched, filled 4 for 19200',
      'dan accepted',
      'bid 4800: 19',
      'zoe2 accepted',
      'transfer 6: zoe2 SELL YES 4800, bob BUY YES 4800 (0)',
      'bob matched, filled 10 for 48000',
      'transfer 3: zoe2 SELL YES 4800, cat BUY YES 4800 (0)',
      'bid 4800: 10',
      'zoe2 matched, filled 9 for 43200',
    ],
    after: `
      bid          | price | ask
      cat 7, dan 3 | 4800  |`,
  },
  {
    name: 'an order that was cancelled and sent again goes to the end of its queue',
    before: `
      bid | price | ask
          | 5200  | bob 10, cat 10`,
    when: ['bob cancels bob', 'bob2 sells 10 YES at 5200', 'zoe buys 10 YES at 5200'],
    happens: [
      'bob canceled, filled 0 for 0',
      'ask 5200: 10',
      'bob2 accepted',
      'ask 5200: 20',
      'zoe accepted',
      'transfer 10: zoe BUY YES 5200, cat SELL YES 5200 (0)',
      'cat matched, filled 10 for 52000',
      'ask 5200: 10',
      'zoe matched, filled 10 for 52000',
    ],
    after: `
      bid | price | ask
          | 5200  | bob2 10`,
  },
  {
    name: 'an order that crosses nothing rests at its own price',
    before: `
      bid    | price | ask
             | 5200  | bob 10
      cat 10 | 5000  |`,
    when: ['zoe buys 7 YES at 5100', 'zoe2 buys 8 NO at 4700'],
    happens: ['zoe accepted', 'bid 5100: 7', 'zoe2 accepted', 'ask 5300: 8'],
    after: `
      bid    | price | ask
             | 5300  | zoe2 8 NO
             | 5200  | bob 10
      zoe 7  | 5100  |
      cat 10 | 5000  |`,
    moved: [],
  },
];

const LEVELS: readonly Scenario[] = [
  {
    name: 'a bid fills at several levels and across outcomes, and its remainder rests',
    before: `
      bid   | price | ask
            | 5500  | eve 50
            | 5300  | cat 10, dan 10 NO
            | 5100  | bob 10 NO
      ann 5 | 4900  |`,
    when: ['zoe buys 40 YES at 5400'],
    happens: [
      'zoe accepted',
      'mint 10: zoe BUY YES 5100, bob BUY NO 4900 (0)',
      'bob matched, filled 10 for 49000',
      'ask 5100: 0',
      'transfer 10: zoe BUY YES 5300, cat SELL YES 5300 (1)',
      'cat matched, filled 10 for 53000',
      'mint 10: zoe BUY YES 5300, dan BUY NO 4700 (1)',
      'dan matched, filled 10 for 47000',
      'ask 5300: 0',
      'bid 5400: 10',
    ],
    after: `
      bid    | price | ask
             | 5500  | eve 50
      zoe 10 | 5400  |
      ann 5  | 4900  |`,
    moved: [
      'bob: -49000 cash, +10 NO',
      'cat: +53000 cash, -10 YES',
      'dan: -47000 cash, +10 NO',
      'zoe: -157000 cash, +30 YES',
    ],
  },
  {
    name: 'a SELL NO fills the asks like a bid, at complementary prices',
    before: `
      bid | price | ask
          | 7200  | cat 10
          | 7000  | bob 10 NO`,
    when: ['zoe sells 15 NO at 2800'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe SELL NO 3000, bob BUY NO 3000 (0)',
      'bob matched, filled 10 for 30000',
      'ask 7000: 0',
      'merge 5: zoe SELL NO 2800, cat SELL YES 7200 (1)',
      'ask 7200: 5',
      'zoe matched, filled 15 for 44000',
    ],
    after: `
      bid | price | ask
          | 7200  | cat 5`,
    moved: ['bob: -30000 cash, +10 NO', 'cat: +36000 cash, -5 YES', 'zoe: +44000 cash, -15 NO'],
  },
  {
    name: 'an ask fills the bids from the highest down and stops at its limit',
    before: `
      bid              | price | ask
      bob 5            | 4900  |
      cat 5 NO, dan 5  | 4800  |
      eve 5            | 4600  |`,
    when: ['zoe sells 30 YES at 4700'],
    happens: [
      'zoe accepted',
      'transfer 5: zoe SELL YES 4900, bob BUY YES 4900 (0)',
      'bob matched, filled 5 for 24500',
      'bid 4900: 0',
      'merge 5: zoe SELL YES 4800, cat SELL NO 5200 (1)',
      'cat matched, filled 5 for 26000',
      'transfer 5: zoe SELL YES 4800, dan BUY YES 4800 (1)',
      'dan matched, filled 5 for 24000',
      'bid 4800: 0',
      'ask 4700: 15',
    ],
    after: `
      bid   | price | ask
            | 4700  | zoe 15
      eve 5 | 4600  |`,
  },
  {
    name: 'a resting order filled by several takers reports its totals when it closes',
    before: `
      bid    | price | ask
      bob 30 | 4000  |`,
    when: ['zoe sells 10 YES at 4000', 'cat buys 10 NO at 6100', 'dan sells 10 YES at 3500'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe SELL YES 4000, bob BUY YES 4000 (0)',
      'bid 4000: 20',
      'zoe matched, filled 10 for 40000',
      'cat accepted',
      'mint 10: cat BUY NO 6000, bob BUY YES 4000 (0)',
      'bid 4000: 10',
      'cat matched, filled 10 for 60000',
      'dan accepted',
      'transfer 10: dan SELL YES 4000, bob BUY YES 4000 (0)',
      'bob matched, filled 30 for 120000',
      'bid 4000: 0',
      'dan matched, filled 10 for 40000',
    ],
    after: EMPTY,
  },
];

const BUCKETS: readonly Scenario[] = [
  {
    name: 'a trade record holds one level',
    before: `
      bid | price | ask
          | 5200  | eve 1, eve2 1
          | 5100  | bob 1, cat 1, dan 1`,
    when: ['zoe buys 5 YES at 5200'],
    happens: [
      'zoe accepted',
      'transfer 1: zoe BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 1 for 5100',
      'transfer 1: zoe BUY YES 5100, cat SELL YES 5100 (0)',
      'cat matched, filled 1 for 5100',
      'transfer 1: zoe BUY YES 5100, dan SELL YES 5100 (0)',
      'dan matched, filled 1 for 5100',
      'ask 5100: 0',
      'transfer 1: zoe BUY YES 5200, eve SELL YES 5200 (1)',
      'eve matched, filled 1 for 5200',
      'transfer 1: zoe BUY YES 5200, eve2 SELL YES 5200 (1)',
      'eve2 matched, filled 1 for 5200',
      'ask 5200: 0',
      'zoe matched, filled 5 for 25700',
    ],
    after: EMPTY,
  },
  {
    name: 'an own order between two makers does not end the trade record',
    before: `
      bid | price | ask
          | 5100  | bob 1, zoe 1, cat 1`,
    when: ['zoe2 buys 2 YES at 5100'],
    happens: [
      'zoe2 accepted',
      'transfer 1: zoe2 BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 1 for 5100',
      'zoe self_trade, filled 0 for 0',
      'transfer 1: zoe2 BUY YES 5100, cat SELL YES 5100 (0)',
      'cat matched, filled 1 for 5100',
      'ask 5100: 0',
      'zoe2 matched, filled 2 for 10200',
    ],
    after: EMPTY,
  },
];

/** Three makers, for a bound of two. */
const THREE_ASKS = `
      bid | price | ask
          | 5200  | dan 10
          | 5100  | bob 10, cat 10`;

const FILL_BOUND: readonly Scenario[] = [
  {
    name: 'a GTC that one command cannot match is refused completely',
    bounds: { fillsPerCommand: 2 },
    before: THREE_ASKS,
    when: ['zoe buys 21 YES at 5200'],
    happens: ['rejected too_many_fills: field lots, limit 2'],
    after: THREE_ASKS,
    moved: [],
  },
  {
    name: 'a GTC that ends exactly at the bound is accepted, even if another level would cross',
    bounds: { fillsPerCommand: 2 },
    before: THREE_ASKS,
    when: ['zoe buys 20 YES at 5200'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'transfer 10: zoe BUY YES 5100, cat SELL YES 5100 (0)',
      'cat matched, filled 10 for 51000',
      'ask 5100: 0',
      'zoe matched, filled 20 for 102000',
    ],
    after: `
      bid | price | ask
          | 5200  | dan 10`,
  },
  {
    name: 'a GTC rests after as many fills as the bound if the next level does not cross',
    bounds: { fillsPerCommand: 2 },
    before: THREE_ASKS,
    when: ['zoe buys 21 YES at 5100'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'transfer 10: zoe BUY YES 5100, cat SELL YES 5100 (0)',
      'cat matched, filled 10 for 51000',
      'ask 5100: 0',
      'bid 5100: 1',
    ],
    after: `
      bid   | price | ask
            | 5200  | dan 10
      zoe 1 | 5100  |`,
  },
  {
    name: 'a FAK fills up to the bound and its remainder is released',
    bounds: { fillsPerCommand: 2 },
    before: THREE_ASKS,
    when: ['zoe sells 25 NO at 4800 FAK'],
    happens: [
      'zoe accepted',
      'merge 10: zoe SELL NO 4900, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'merge 10: zoe SELL NO 4900, cat SELL YES 5100 (0)',
      'cat matched, filled 10 for 51000',
      'ask 5100: 0',
      'zoe remainder_released, filled 20 for 98000',
    ],
    after: `
      bid | price | ask
          | 5200  | dan 10`,
  },
  {
    name: 'a FOK above the bound is refused for the bound, not as unfilled',
    bounds: { fillsPerCommand: 2 },
    before: THREE_ASKS,
    when: ['zoe buys YES for 150000 at 5200 FOK'],
    happens: ['rejected too_many_fills: field budgetMicros, limit 2'],
    after: THREE_ASKS,
  },
  {
    name: 'own orders to cancel count towards the bound',
    bounds: { fillsPerCommand: 2 },
    before: `
      bid | price | ask
          | 5100  | zoe 10, zoe2 10, cat 10`,
    when: ['zoe3 buys 5 YES at 5100', 'zoe4 buys YES for 51000 at 5100 FAK'],
    happens: [
      'rejected too_many_fills: field lots, limit 2',
      'rejected too_many_fills: field budgetMicros, limit 2',
    ],
    after: `
      bid | price | ask
          | 5100  | zoe 10, zoe2 10, cat 10`,
  },
];

t.test('each pair of orders has its kind of fill', (t) => {
  runScenarios(t, FILL_KINDS);
  t.end();
});
t.test('priority is by price, then time, over both outcomes together', (t) => {
  runScenarios(t, PRIORITY);
  t.end();
});
t.test('partial fills cross levels and outcomes', (t) => {
  runScenarios(t, LEVELS);
  t.end();
});
t.test('fills are grouped into trade records', (t) => {
  runScenarios(t, BUCKETS);
  t.end();
});
t.test('a command fills no more than its bound', (t) => {
  runScenarios(t, FILL_BOUND);
  t.end();
});
