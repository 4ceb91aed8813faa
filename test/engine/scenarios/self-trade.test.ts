import t from 'tap';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** ann's order rests between orders of others, for the outcome that her next order is for. */
const OWN_BETWEEN = `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | bob 10, ann 10, dan 10`;

/** The same across outcomes: ann buys YES against her own BUY NO. */
const OWN_MIRROR = `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | bob 10, ann 10 NO, dan 10`;

/** A book with orders of several accounts of ann. */
const OWN_ACCOUNTS = `
      bid | price | ask
          | 5300  | ann-proxy 10 NO
          | 5100  | bob 10, ann-safe 10, dan 10`;

/** The first fill of the order ann2. */
const BOB_FIRST = [
  'transfer 10: ann2 BUY YES 5100, bob SELL YES 5100 (0)',
  'bob matched, filled 10 for 51000',
];

const CANCEL_MAKER: readonly Scenario[] = [
  {
    name: 'the own order is cancelled on the way and the taker continues',
    before: OWN_BETWEEN,
    when: ['ann2 buys 15 YES at 5200'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ann self_trade, filled 0 for 0',
      'transfer 5: ann2 BUY YES 5100, dan SELL YES 5100 (0)',
      'ask 5100: 5',
      'ann2 matched, filled 15 for 76500',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | dan 5`,
    moved: ['ann: -76500 cash, +15 YES', 'bob: +51000 cash, -10 YES', 'dan: +25500 cash, -5 YES'],
  },
  {
    name: 'an own order for the other outcome is cancelled just the same',
    before: OWN_MIRROR,
    when: ['ann2 buys 15 YES at 5200'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ann self_trade, filled 0 for 0',
      'transfer 5: ann2 BUY YES 5100, dan SELL YES 5100 (0)',
      'ask 5100: 5',
      'ann2 matched, filled 15 for 76500',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | dan 5`,
  },
  {
    name: 'orders of all accounts of the owner count as own',
    before: OWN_ACCOUNTS,
    when: ['ann2 buys 25 YES at 5300'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ann-safe self_trade, filled 0 for 0',
      'transfer 10: ann2 BUY YES 5100, dan SELL YES 5100 (0)',
      'dan matched, filled 10 for 51000',
      'ask 5100: 0',
      'ann-proxy self_trade, filled 0 for 0',
      'ask 5300: 0',
      'bid 5300: 5',
    ],
    after: `
      bid    | price | ask
      ann2 5 | 5300  |`,
    moved: ['ann: -102000 cash, +20 YES', 'bob: +51000 cash, -10 YES', 'dan: +51000 cash, -10 YES'],
  },
  {
    name: 'a taker that is satisfied before it meets the own order leaves it alone',
    before: OWN_BETWEEN,
    when: ['ann2 buys 10 YES at 5200'],
    happens: ['ann2 accepted', ...BOB_FIRST, 'ask 5100: 20', 'ann2 matched, filled 10 for 51000'],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | ann 10, dan 10`,
  },
  {
    name: 'an own order beyond the limit is left alone',
    before: `
      bid | price | ask
          | 5300  | ann 10`,
    when: ['ann2 buys 10 YES at 5200'],
    happens: ['ann2 accepted', 'bid 5200: 10'],
    after: `
      bid     | price | ask
              | 5300  | ann 10
      ann2 10 | 5200  |`,
  },
  {
    name: 'a GTC that meets only own orders rests in their place',
    before: `
      bid    | price | ask
      ann 10 | 4900  |`,
    when: ['ann-safe sells 10 YES at 4900'],
    happens: ['ann-safe accepted', 'ann self_trade, filled 0 for 0', 'bid 4900: 0', 'ask 4900: 10'],
    after: `
      bid | price | ask
          | 4900  | ann-safe 10`,
    moved: [],
  },
  {
    name: 'a FOK counts only orders of others, and cancels own orders if it fills',
    before: OWN_BETWEEN,
    when: ['ann2 sells 21 NO at 4900 FOK', 'ann3 sells 20 NO at 4900 FOK'],
    happens: [
      'rejected fill_or_kill_unfilled: field lots, limit 20, actual 21',
      'ann3 accepted',
      'merge 10: ann3 SELL NO 4900, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ann self_trade, filled 0 for 0',
      'merge 10: ann3 SELL NO 4900, dan SELL YES 5100 (0)',
      'dan matched, filled 10 for 51000',
      'ask 5100: 0',
      'ann3 matched, filled 20 for 98000',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10`,
  },
  {
    name: 'a killed FOK cancels no own order',
    before: OWN_ACCOUNTS,
    when: ['ann2 buys YES for 200000 at 5300 FOK'],
    happens: ['rejected fill_or_kill_unfilled: field budgetMicros, limit 102000, actual 200000'],
    after: OWN_ACCOUNTS,
    moved: [],
  },
  {
    name: 'a FAK that meets only own orders is refused and cancels none',
    before: `
      bid | price | ask
          | 5100  | ann 10 NO, ann-safe 10`,
    when: ['ann2 buys YES for 51000 at 5200 FAK'],
    happens: ['rejected nothing_to_match: field priceTicks, limit 5100, actual 5200'],
    after: `
      bid | price | ask
          | 5100  | ann 10 NO, ann-safe 10`,
  },
];

const CANCEL_TAKER: readonly Scenario[] = [
  {
    name: 'the taker ends at the own order, which stays',
    selfTrade: 'cancel_taker',
    before: OWN_BETWEEN,
    when: ['ann2 buys 15 YES at 5200'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ask 5100: 20',
      'ann2 self_trade, filled 10 for 51000',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | ann 10, dan 10`,
    moved: ['ann: -51000 cash, +10 YES', 'bob: +51000 cash, -10 YES'],
  },
  {
    name: 'a GTC taker that meets an own order first closes unfilled, and no level changes',
    selfTrade: 'cancel_taker',
    before: `
      bid       | price | ask
      ann 10 NO | 4900  |`,
    when: ['ann-safe sells 15 YES at 4800'],
    happens: ['ann-safe accepted', 'ann-safe self_trade, filled 0 for 0'],
    after: `
      bid       | price | ask
      ann 10 NO | 4900  |`,
    moved: [],
  },
  {
    name: 'an own order at the next level stops the taker after it emptied a level',
    selfTrade: 'cancel_taker',
    before: `
      bid | price | ask
          | 5300  | ann-proxy 10 NO, cat 10
          | 5100  | bob 10`,
    when: ['ann2 buys YES for 100000 at 5300 FAK'],
    happens: ['ann2 accepted', ...BOB_FIRST, 'ask 5100: 0', 'ann2 self_trade, filled 10 for 51000'],
    after: `
      bid | price | ask
          | 5300  | ann-proxy 10 NO, cat 10`,
  },
  {
    name: 'a taker that is satisfied just before the own order closes as matched',
    selfTrade: 'cancel_taker',
    before: OWN_MIRROR,
    when: ['ann2 buys 10 YES at 5200'],
    happens: ['ann2 accepted', ...BOB_FIRST, 'ask 5100: 20', 'ann2 matched, filled 10 for 51000'],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | ann 10 NO, dan 10`,
  },
  {
    name: 'a FOK stops counting at the first own order',
    selfTrade: 'cancel_taker',
    before: OWN_MIRROR,
    when: ['ann2 sells 11 NO at 4900 FOK', 'ann3 buys YES for 56100 at 5100 FOK'],
    happens: [
      'rejected fill_or_kill_unfilled: field lots, limit 10, actual 11',
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 51000, actual 56100',
    ],
    after: OWN_MIRROR,
  },
  {
    name: 'a FAK whose first match would be an own order is refused',
    selfTrade: 'cancel_taker',
    before: `
      bid | price | ask
          | 5100  | ann-safe 10, bob 10`,
    when: ['ann sells 5 NO at 4900 FAK'],
    happens: ['rejected nothing_to_match: field priceTicks, limit 4900, actual 4900'],
    after: `
      bid | price | ask
          | 5100  | ann-safe 10, bob 10`,
  },
];

const CANCEL_BOTH: readonly Scenario[] = [
  {
    name: 'the taker and the own order close together; orders behind it stay',
    selfTrade: 'cancel_both',
    before: OWN_BETWEEN,
    when: ['ann2 buys 15 YES at 5200'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ann self_trade, filled 0 for 0',
      'ask 5100: 10',
      'ann2 self_trade, filled 10 for 51000',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | dan 10`,
  },
  {
    name: 'only the first own order closes with the taker, whatever its account and outcome',
    selfTrade: 'cancel_both',
    before: `
      bid                    | price | ask
      ann-safe 10 NO, ann 10 | 4900  |`,
    when: ['ann-proxy sells 15 YES at 4800'],
    happens: [
      'ann-proxy accepted',
      'ann-safe self_trade, filled 0 for 0',
      'bid 4900: 10',
      'ann-proxy self_trade, filled 0 for 0',
    ],
    after: `
      bid    | price | ask
      ann 10 | 4900  |`,
    moved: [],
  },
  {
    name: 'a partly filled own order reports its totals when it is cancelled',
    selfTrade: 'cancel_both',
    before: `
      bid    | price | ask
      ann 10 | 4900  |`,
    when: ['bob sells 4 YES at 4900', 'ann2 buys 10 NO at 5100'],
    happens: [
      'bob accepted',
      'transfer 4: bob SELL YES 4900, ann BUY YES 4900 (0)',
      'bid 4900: 6',
      'bob matched, filled 4 for 19600',
      'ann2 accepted',
      'ann self_trade, filled 4 for 19600',
      'bid 4900: 0',
      'ann2 self_trade, filled 0 for 0',
    ],
    after: '',
  },
  {
    name: 'a killed FOK and a refused FAK cancel no own order',
    selfTrade: 'cancel_both',
    before: `
      bid | price | ask
          | 5100  | ann 10, bob 10`,
    when: ['ann2 buys YES for 51000 at 5100 FOK', 'ann3 buys YES for 51000 at 5100 FAK'],
    happens: [
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 0, actual 51000',
      'rejected nothing_to_match: field priceTicks, limit 5100, actual 5100',
    ],
    after: `
      bid | price | ask
          | 5100  | ann 10, bob 10`,
  },
  {
    name: 'a FAK stops at the own order after a fill, and both close',
    selfTrade: 'cancel_both',
    before: OWN_MIRROR,
    when: ['ann2 buys YES for 100000 at 5300 FAK'],
    happens: [
      'ann2 accepted',
      ...BOB_FIRST,
      'ann self_trade, filled 0 for 0',
      'ask 5100: 10',
      'ann2 self_trade, filled 10 for 51000',
    ],
    after: `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | dan 10`,
  },
];

t.test('self-trade prevention cancels the maker', (t) => {
  runScenarios(t, CANCEL_MAKER);
  t.end();
});
t.test('self-trade prevention cancels the taker', (t) => {
  runScenarios(t, CANCEL_TAKER);
  t.end();
});
t.test('self-trade prevention cancels both', (t) => {
  runScenarios(t, CANCEL_BOTH);
  t.end();
});
