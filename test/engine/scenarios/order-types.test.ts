import t from 'tap';
import { ENGINES } from '../engines.ts';
import { DrawnBook } from './drawn-book.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const ASKS = `
      bid | price | ask
          | 5500  | cat 10 NO
          | 5200  | bob 10`;

const FILL_OR_KILL: readonly Scenario[] = [
  {
    name: 'a FOK sell that fills completely leaves nothing behind',
    before: `
      bid              | price | ask
      bob 10, cat 5 NO | 4800  |`,
    when: ['zoe sells 12 YES at 4700 FOK'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe SELL YES 4800, bob BUY YES 4800 (0)',
      'bob matched, filled 10 for 48000',
      'merge 2: zoe SELL YES 4800, cat SELL NO 5200 (0)',
      'bid 4800: 3',
      'zoe matched, filled 12 for 57600',
    ],
    after: `
      bid      | price | ask
      cat 3 NO | 4800  |`,
  },
  {
    name: 'a FOK sell of one lot more than is bid is killed and changes nothing',
    before: `
      bid              | price | ask
      bob 10, cat 5 NO | 4800  |
      dan 50           | 4600  |`,
    when: ['zoe sells 16 YES at 4700 FOK'],
    happens: ['rejected fill_or_kill_unfilled: field lots, limit 15, actual 16'],
    after: `
      bid              | price | ask
      bob 10, cat 5 NO | 4800  |
      dan 50           | 4600  |`,
    moved: [],
  },
  {
    name: 'a FOK buy is complete when its budget buys no further lot at its limit',
    before: ASKS,
    when: ['zoe buys YES for 84999 at 5500 FOK'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 5200, bob SELL YES 5200 (0)',
      'bob matched, filled 10 for 52000',
      'ask 5200: 0',
      'mint 5: zoe BUY YES 5500, cat BUY NO 4500 (1)',
      'ask 5500: 5',
      'zoe matched, filled 15 for 79500',
    ],
    after: `
      bid | price | ask
          | 5500  | cat 5 NO`,
    moved: ['bob: +52000 cash, -10 YES', 'cat: -22500 cash, +5 NO', 'zoe: -79500 cash, +15 YES'],
  },
  {
    name: 'a FOK buy whose budget buys one lot more than offered is killed',
    before: ASKS,
    when: ['zoe buys YES for 112500 at 5500 FOK'],
    happens: ['rejected fill_or_kill_unfilled: field budgetMicros, limit 107000, actual 112500'],
    after: ASKS,
    moved: [],
  },
  {
    name: 'a FOK buy is complete if the rest of its budget is below its limit price',
    before: ASKS,
    when: ['zoe buys YES for 112499 at 5500 FOK'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 5200, bob SELL YES 5200 (0)',
      'bob matched, filled 10 for 52000',
      'ask 5200: 0',
      'mint 10: zoe BUY YES 5500, cat BUY NO 4500 (1)',
      'cat matched, filled 10 for 45000',
      'ask 5500: 0',
      'zoe matched, filled 20 for 107000',
    ],
    after: '',
  },
  {
    name: 'a FOK buy too small for one lot is killed',
    before: ASKS,
    when: ['zoe buys YES for 5199 at 5200 FOK', 'zoe2 buys YES for 5199 at 5300 FOK'],
    happens: [
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 0, actual 5199',
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 0, actual 5199',
    ],
    after: ASKS,
  },
  {
    // An earlier version stopped as soon as the rest bought no lot at the limit, so how much a
    // budget bought depended on how many orders stood at a price.
    name: 'a FOK buy spends its budget at the best price, however many orders rest there',
    before: `
      bid | price | ask
          | 100   | bob 9950, cat 5000`,
    when: ['zoe buys YES for 1000000 at 9900 FOK'],
    happens: [
      'zoe accepted',
      'transfer 9950: zoe BUY YES 100, bob SELL YES 100 (0)',
      'bob matched, filled 9950 for 995000',
      'transfer 50: zoe BUY YES 100, cat SELL YES 100 (0)',
      'ask 100: 4950',
      'zoe matched, filled 10000 for 1000000',
    ],
    after: `
      bid | price | ask
          | 100   | cat 4950`,
  },
  {
    name: 'a FOK on an empty book is killed',
    before: '',
    when: ['zoe buys NO for 10000 at 5000 FOK', 'zoe2 sells 3 NO at 5000 FOK'],
    happens: [
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 0, actual 10000',
      'rejected fill_or_kill_unfilled: field lots, limit 0, actual 3',
    ],
    after: '',
  },
];

const FILL_AND_KILL: readonly Scenario[] = [
  {
    name: 'a FAK fills what is offered and its remainder is released',
    before: ASKS,
    when: ['zoe sells 30 NO at 4800 FAK'],
    happens: [
      'zoe accepted',
      'merge 10: zoe SELL NO 4800, bob SELL YES 5200 (0)',
      'bob matched, filled 10 for 52000',
      'ask 5200: 0',
      'zoe remainder_released, filled 10 for 48000',
    ],
    after: `
      bid | price | ask
          | 5500  | cat 10 NO`,
    moved: ['bob: +52000 cash, -10 YES', 'zoe: +48000 cash, -10 NO'],
  },
  {
    name: 'a FAK that fills completely closes as matched',
    before: ASKS,
    when: ['zoe buys YES for 26000 at 5200 FAK'],
    happens: [
      'zoe accepted',
      'transfer 5: zoe BUY YES 5200, bob SELL YES 5200 (0)',
      'ask 5200: 5',
      'zoe matched, filled 5 for 26000',
    ],
    after: `
      bid | price | ask
          | 5500  | cat 10 NO
          | 5200  | bob 5`,
  },
  {
    name: 'a FAK without a match is refused with the best price in its own outcome',
    before: ASKS,
    when: ['zoe buys YES for 26000 at 5100 FAK', 'zoe2 sells 5 NO at 4900 FAK'],
    happens: [
      'rejected nothing_to_match: field priceTicks, limit 5200, actual 5100',
      'rejected nothing_to_match: field priceTicks, limit 4800, actual 4900',
    ],
    after: ASKS,
  },
  {
    name: 'a FAK that meets an empty side is refused without a price',
    before: ASKS,
    when: ['zoe sells 5 YES at 100 FAK', 'zoe2 buys NO for 26000 at 9900 FAK'],
    happens: [
      'rejected nothing_to_match: field priceTicks, actual 100',
      'rejected nothing_to_match: field priceTicks, actual 9900',
    ],
    after: ASKS,
  },
  {
    name: 'a FAK too small for one lot at the best price fills nothing',
    before: ASKS,
    when: ['zoe buys YES for 5199 at 5500 FAK'],
    happens: ['rejected nothing_to_match: field priceTicks, limit 5200, actual 5500'],
    after: ASKS,
  },
];

const BUDGETS: readonly Scenario[] = [
  {
    name: 'a budget buys more lots where the price is better than its limit',
    before: `
      bid | price | ask
          | 2000  | bob 100`,
    when: ['zoe buys YES for 50000 at 5000 FOK'],
    happens: [
      'zoe accepted',
      'transfer 25: zoe BUY YES 2000, bob SELL YES 2000 (0)',
      'ask 2000: 75',
      'zoe matched, filled 25 for 50000',
    ],
    after: `
      bid | price | ask
          | 2000  | bob 75`,
    moved: ['bob: +50000 cash, -25 YES', 'zoe: -50000 cash, +25 YES'],
  },
  {
    name: 'a budget buys whole lots at each level, and what is left below one lot is not spent',
    before: `
      bid | price | ask
          | 3300  | dan 50
          | 2100  | cat 10 NO
          | 1900  | bob 10`,
    when: ['zoe buys YES for 60000 at 3500 FAK'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 1900, bob SELL YES 1900 (0)',
      'bob matched, filled 10 for 19000',
      'ask 1900: 0',
      'mint 10: zoe BUY YES 2100, cat BUY NO 7900 (1)',
      'cat matched, filled 10 for 79000',
      'ask 2100: 0',
      'transfer 6: zoe BUY YES 3300, dan SELL YES 3300 (2)',
      'ask 3300: 44',
      'zoe matched, filled 26 for 59800',
    ],
    after: `
      bid | price | ask
          | 3300  | dan 44`,
  },
  {
    name: 'a budget of a NO buyer is divided by the price of NO',
    before: `
      bid    | price | ask
      bob 10 | 8800  |`,
    when: ['zoe buys NO for 10000 at 1500 FAK'],
    happens: [
      'zoe accepted',
      'mint 8: zoe BUY NO 1200, bob BUY YES 8800 (0)',
      'bid 8800: 2',
      'zoe matched, filled 8 for 9600',
    ],
    after: `
      bid   | price | ask
      bob 2 | 8800  |`,
  },
  {
    name: 'the rest of a budget is released when the asks run out',
    before: `
      bid | price | ask
          | 3000  | bob 10`,
    when: ['zoe buys YES for 33500 at 3500 FAK'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 3000, bob SELL YES 3000 (0)',
      'bob matched, filled 10 for 30000',
      'ask 3000: 0',
      'zoe remainder_released, filled 10 for 30000',
    ],
    after: '',
  },
];

const SPREAD = `
      bid       | price | ask
                | 5200  | bob 10 NO
      cat 10 NO | 5000  |`;

const POST_ONLY: readonly Scenario[] = [
  {
    name: 'a post-only order that crosses nothing rests',
    before: SPREAD,
    when: ['zoe buys 5 YES at 5100 post-only', 'dan buys 5 NO at 4800 post-only'],
    happens: ['zoe accepted', 'bid 5100: 5', 'dan accepted', 'ask 5200: 15'],
    after: `
      bid       | price | ask
                | 5200  | bob 10 NO, dan 5 NO
      zoe 5     | 5100  |
      cat 10 NO | 5000  |`,
  },
  {
    name: 'a post-only order that would cross is refused with the price it met',
    before: SPREAD,
    when: [
      'zoe buys 5 YES at 5200 post-only',
      'zoe2 sells 5 NO at 4800 post-only',
      'zoe3 sells 5 YES at 4900 post-only until 9000',
      'zoe4 buys 5 NO at 5000 post-only',
    ],
    happens: [
      'rejected post_only_would_cross: field priceTicks, limit 5200, actual 5200',
      'rejected post_only_would_cross: field priceTicks, limit 4800, actual 4800',
      'rejected post_only_would_cross: field priceTicks, limit 5000, actual 4900',
      'rejected post_only_would_cross: field priceTicks, limit 5000, actual 5000',
    ],
    after: SPREAD,
  },
  {
    name: 'a post-only order that would cross an own order is refused, and the own order stays',
    before: SPREAD,
    when: ['bob2 buys 5 YES at 5300 post-only'],
    happens: ['rejected post_only_would_cross: field priceTicks, limit 5200, actual 5300'],
    after: SPREAD,
  },
];

const GOOD_TILL_DATE: readonly Scenario[] = [
  {
    name: 'a GTD order lives until the millisecond before its expiration',
    before: '',
    when: [
      '[1000] bob sells 10 YES at 5000 until 2000',
      '[1999] zoe buys 4 YES at 5000',
      '[2000] zoe2 buys 4 YES at 5000',
    ],
    happens: [
      'bob accepted',
      'ask 5000: 10',
      'zoe accepted',
      'transfer 4: zoe BUY YES 5000, bob SELL YES 5000 (0)',
      'ask 5000: 6',
      'zoe matched, filled 4 for 20000',
      'bob expired, filled 4 for 20000',
      'ask 5000: 0',
      'zoe2 accepted',
      'bid 5000: 4',
    ],
    after: `
      bid    | price | ask
      zoe2 4 | 5000  |`,
  },
  {
    name: 'a GTD order that is filled at once never expires',
    before: ASKS,
    when: ['[10] zoe buys 10 YES at 5200 until 100', '[100] time passes'],
    happens: [
      'zoe accepted',
      'transfer 10: zoe BUY YES 5200, bob SELL YES 5200 (0)',
      'bob matched, filled 10 for 52000',
      'ask 5200: 0',
      'zoe matched, filled 10 for 52000',
    ],
    after: `
      bid | price | ask
          | 5500  | cat 10 NO`,
  },
  {
    name: 'orders expire by due time, then by time of acceptance, each with its level',
    before: `
      bid   | price | ask
      eve 1 | 5000  |`,
    when: [
      '[10] ann buys 1 YES at 5000 until 300',
      '[20] bob buys 2 YES at 5000 until 200',
      '[30] cat sells 4 NO at 5000 until 300',
      '[40] dan buys 8 YES at 4000 until 200',
      '[300] time passes',
    ],
    happens: [
      'ann accepted',
      'bid 5000: 2',
      'bob accepted',
      'bid 5000: 4',
      'cat accepted',
      'bid 5000: 8',
      'dan accepted',
      'bid 4000: 8',
      'bob expired, filled 0 for 0',
      'bid 5000: 6',
      'dan expired, filled 0 for 0',
      'bid 4000: 0',
      'ann expired, filled 0 for 0',
      'bid 5000: 5',
      'cat expired, filled 0 for 0',
      'bid 5000: 1',
    ],
    after: `
      bid   | price | ask
      eve 1 | 5000  |`,
    moved: [],
  },
  {
    name: 'due orders expire even if the command after them is refused',
    before: ASKS,
    when: ['[10] zoe buys 5 YES at 5000 until 50', '[60] dan buys 5 YES at 5050'],
    happens: [
      'zoe accepted',
      'bid 5000: 5',
      'zoe expired, filled 0 for 0',
      'bid 5000: 0',
      'rejected price_off_tick: field priceTicks, limit 100, actual 5050',
    ],
    after: ASKS,
  },
  {
    name: 'an order that was cancelled or matched does not expire later',
    before: '',
    when: [
      '[10] bob sells 5 YES at 6000 until 50',
      '[10] cat sells 5 YES at 6100 until 50',
      '[20] bob cancels bob',
      '[30] zoe buys 5 YES at 6100',
      '[60] time passes',
    ],
    happens: [
      'bob accepted',
      'ask 6000: 5',
      'cat accepted',
      'ask 6100: 5',
      'bob canceled, filled 0 for 0',
      'ask 6000: 0',
      'zoe accepted',
      'transfer 5: zoe BUY YES 6100, cat SELL YES 6100 (0)',
      'cat matched, filled 5 for 30500',
      'ask 6100: 0',
      'zoe matched, filled 5 for 30500',
    ],
    after: '',
  },
];

t.test('a FOK fills completely or changes nothing', (t) => {
  runScenarios(t, FILL_OR_KILL);
  t.end();
});
t.test('a FAK fills what it can and releases the rest', (t) => {
  runScenarios(t, FILL_AND_KILL);
  t.end();
});
t.test('a BUY by budget spends at most its cash', (t) => {
  runScenarios(t, BUDGETS);
  t.end();
});
t.test('a post-only order never takes', (t) => {
  runScenarios(t, POST_ONLY);
  t.end();
});
t.test('GTD orders expire', (t) => {
  runScenarios(t, GOOD_TILL_DATE);
  t.end();
});

t.test('the next due time is that of the live order that expires first', (t) => {
  for (const [name, make] of ENGINES) {
    const book = new DrawnBook(make);
    const due = (): number => book.engine.nextDueMs();
    t.equal(due(), Number.POSITIVE_INFINITY, `${name}: nothing is due`);
    book.say('[10] bob buys 5 YES at 5000 until 500');
    t.equal(due(), 500, `${name}: the only one`);
    book.say('[10] cat buys 5 YES at 5000 until 300');
    t.equal(due(), 300, `${name}: an earlier one`);
    book.say('[10] dan buys 5 YES at 5000 until 400');
    book.say('cat cancels cat');
    t.equal(due(), 400, `${name}: the earliest was cancelled`);
    book.say('zoe buys 5 NO at 5000');
    t.equal(due(), 400, `${name}: the latest was matched`);
    book.say('[400] time passes');
    t.equal(due(), Number.POSITIVE_INFINITY, `${name}: the last one expired`);
  }
  t.end();
});

t.test('a resting BUY holds its cash, and what it does not spend is released', (t) => {
  for (const [name, make] of ENGINES) {
    const book = new DrawnBook(make);
    const start = book.cashOf('zoe').available;
    const expectSpent = (spent: number, held: number, what: string): void => {
      t.strictSame(
        book.cashOf('zoe'),
        { available: start - spent - held, held },
        `${name}: ${what}`,
      );
    };
    book.draw(ASKS);
    book.say('zoe buys 30 YES at 5300');
    expectSpent(52_000, 20 * 5_300, 'only the unfilled part is held, at its limit');
    book.say('dan sells 5 YES at 5300');
    expectSpent(78_500, 15 * 5_300, 'a fill pays from what is held');
    book.say('zoe cancels zoe');
    expectSpent(78_500, 0, 'a cancel releases the rest');
    book.say('zoe2 buys YES for 99999 at 5500 FAK');
    expectSpent(133_500, 0, 'a budget pays only what it spends');
  }
  t.end();
});
