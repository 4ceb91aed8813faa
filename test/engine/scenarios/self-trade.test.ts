import t from 'tap';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** ann's own order stands between those of others, in the same outcome as her next one. */
const OWN_BETWEEN = `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | bob 10, ann 10, dan 10`;

/** The same across the mirror: ann wants to buy YES where she is buying NO. */
const OWN_MIRROR = `
      bid | price | ask
          | 5300  | cat 10
          | 5100  | bob 10, ann 10 NO, dan 10`;

/** And with orders of several accounts of hers. */
const OWN_ACCOUNTS = `
      bid | price | ask
          | 5300  | ann-proxy 10 NO
          | 5100  | bob 10, ann-safe 10, dan 10`;

/** How ann2 begins in each of them. */
const BOB_FIRST = [
  'transfer 10: ann2 BUY YES 5100, bob SELL YES 5100 (0)',
  'bob matched, filled 10 for 51000',
];

const CANCEL_MAKER: readonly Scenario[] = [
  {
    name: 'the own order is closed on the way and the taker goes on',
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
    name: 'an own order across the mirror is closed just the same',
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
    name: 'orders of other accounts of the owner are own orders too',
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
    name: 'a GTC that met own orders only rests where they were',
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
    name: 'a FOK counts only what others offer, and closes own orders on its way when it is done',
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
    name: 'a killed FOK closes no own order',
    before: OWN_ACCOUNTS,
    when: ['ann2 buys YES for 200000 at 5300 FOK'],
    happens: ['rejected fill_or_kill_unfilled: field budgetMicros, limit 102000, actual 200000'],
    after: OWN_ACCOUNTS,
    moved: [],
  },
  {
    name: 'a FAK that meets own orders only is refused and closes none',
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
    name: 'a GTC taker that meets an own order at once ends with nothing, and no level changes',
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
    name: 'an own order at the next level stops the taker after a level that it emptied',
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
    name: 'a taker satisfied just before the own order is matched',
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
    name: 'a FAK whose first order is an own one is refused',
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
    name: 'the taker and the own order end together, those behind stay',
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
    name: 'only the first own order ends with the taker, also of another account and outcome',
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
    name: 'an own order that was partly filled tells what it filled when it is closed',
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
    name: 'a killed FOK and a refused FAK close no own order',
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
    name: 'a FAK that filled something ends at the own order, and both are closed',
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

t.test('self-trade prevention by closing the maker', (t) => {
  runScenarios(t, CANCEL_MAKER);
  t.end();
});
t.test('self-trade prevention by closing the taker', (t) => {
  runScenarios(t, CANCEL_TAKER);
  t.end();
});
t.test('self-trade prevention by closing both', (t) => {
  runScenarios(t, CANCEL_BOTH);
  t.end();
});
