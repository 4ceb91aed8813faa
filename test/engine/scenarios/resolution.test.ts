import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import { addressOf, FIRST_MARKET } from './names.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const FIRST = FIRST_MARKET.conditionId;
const TERMS = { tickTicks: ticks(100) };

/**
 * Every account starts with 10,000 lots of each outcome of the first market. The orders are placed
 * row by row from the top. Their names are ann, bob and, for ann's second order, ann2.
 */
const RESTING = `
      bid              | price | ask
                       | 5500  | ann 10
                       | 5300  | bob 20 NO
      ann2 5           | 5100  |`;
const CANCELLED = [
  'ann2 market_resolved, filled 0 for 0',
  'bid 5100: 0',
  'bob market_resolved, filled 0 for 0',
  'ask 5300: 0',
  'ann market_resolved, filled 0 for 0',
  'ask 5500: 0',
];

const RESOLUTIONS: readonly Scenario[] = [
  {
    name: 'a market that resolves to YES cancels its orders and pays YES',
    before: RESTING,
    when: [
      'cat buys 3 YES at 5500',
      'the first market resolves to 10000',
      'ann redeems YES+NO as k1',
      'bob redeems YES+NO as k1',
      'cat redeems YES+NO as k1',
      'ann redeems YES+NO as k1',
      'ann redeems YES+NO as k2',
    ],
    happens: [
      'cat accepted',
      'mint 3: cat BUY YES 5300, bob BUY NO 4700 (0)',
      'ask 5300: 17',
      'cat matched, filled 3 for 15900',
      'ann2 market_resolved, filled 0 for 0',
      'bid 5100: 0',
      'bob market_resolved, filled 3 for 14100',
      'ask 5300: 0',
      'ann market_resolved, filled 0 for 0',
      'ask 5500: 0',
      'first market resolved to 10000',
      'ann redeemed 10000 YES, 10000 NO of first market for 100000000 (k1)',
      'bob redeemed 10000 YES, 10003 NO of first market for 100000000 (k1)',
      'cat redeemed 10003 YES, 10000 NO of first market for 100030000 (k1)',
      'known redeem: 100000000, 10000 YES, 10000 NO',
      `rejected nothing_to_redeem: field account, actual ${addressOf('ann')}`,
    ],
    after: '',
    moved: [
      'ann: +100000000 cash, -10000 YES, -10000 NO',
      'bob: +99985900 cash, -10000 YES, -10000 NO',
      'cat: +100014100 cash, -10000 YES, -10000 NO',
    ],
  },
  {
    name: 'with a payout between 0 and 1, a YES lot pays the payout and a NO lot the rest',
    before: '',
    when: [
      'ann sells 4 NO at 5000',
      'bob buys 4 NO at 5000',
      'the first market resolves to 3333',
      'ann redeems YES+NO as k1',
      'bob redeems YES+NO as k1',
    ],
    happens: [
      'ann accepted',
      'bid 5000: 4',
      'bob accepted',
      'transfer 4: bob BUY NO 5000, ann SELL NO 5000 (0)',
      'ann matched, filled 4 for 20000',
      'bid 5000: 0',
      'bob matched, filled 4 for 20000',
      'first market resolved to 3333',
      'ann redeemed 10000 YES, 9996 NO of first market for 99973332 (k1)',
      'bob redeemed 10000 YES, 10004 NO of first market for 100026668 (k1)',
    ],
    after: '',
    moved: [
      'ann: +99993332 cash, -10000 YES, -10000 NO',
      'bob: +100006668 cash, -10000 YES, -10000 NO',
    ],
  },
  {
    name: 'a resolution is permanent, and a closed market can be resolved',
    before: RESTING,
    when: [
      'the first market is halted',
      'the first market resolves to 0',
      'the first market resolves to 0 for all',
      'the first market resolves to 1',
      'the first market closes',
      'the first market is open',
      'the first market has ticks of 10',
      'cat buys 3 YES at 5500',
      'cat splits 3 YES+NO as k1',
      'cat merges 3 YES+NO as k1',
      'cat redeems YES2+NO2 as k1',
      'the second market closes',
      'the second market resolves to 5000',
    ],
    happens: [
      'first market halted',
      ...CANCELLED,
      'first market resolved to 0',
      'known resolve_market',
      'rejected market_resolved: field payoutTicks, limit 0, actual 1',
      'known close_market',
      `rejected market_closed: field conditionId, actual ${FIRST}`,
      `rejected market_closed: field conditionId, actual ${FIRST}`,
      `rejected market_closed: field conditionId, actual ${FIRST}`,
      `rejected market_closed: field conditionId, actual ${FIRST}`,
      `rejected market_resolved: field conditionId, actual ${FIRST}`,
      `rejected market_not_resolved: field conditionId, actual 0x${'2'.repeat(64)}`,
      'second market closed',
      'second market resolved to 5000',
    ],
    after: '',
  },
];

const ALL = ['ann', 'ann-safe', 'ann-proxy', 'bob', 'cat', 'dan', 'eve', 'zoe', 'house'];
function paid(name: string, micros: number): string {
  return `${name} redeemed 10000 YES, 10000 NO of first market for ${micros} ()`;
}

const AUTOMATIC_REDEMPTIONS: readonly Scenario[] = [
  {
    name: 'automatic redemption pays accounts in batches and skips those that already redeemed',
    bounds: { redemptionsPerCommand: 3 },
    before: '',
    when: [
      'zoe buys 5 YES2 at 5000 until 7',
      'the first market resolves to 10000 for all',
      'time passes',
      'bob redeems YES+NO as k1',
      'the exchange is halted',
      '[7] time passes',
      'dan redeems YES+NO as k1',
      'the exchange is cancel_only',
      'time passes',
      'time passes',
      'time passes',
    ],
    happens: [
      'zoe accepted',
      'bid 5000: 5',
      'first market resolved to 10000',
      ...ALL.slice(0, 3).map((name) => paid(name, 100_000_000)),
      'bob redeemed 10000 YES, 10000 NO of first market for 100000000 (k1)',
      'exchange halted',
      'zoe expired, filled 0 for 0',
      'bid 5000: 0',
      'rejected exchange_halted: field state, actual halted',
      'exchange cancel_only',
      ...ALL.slice(4, 7).map((name) => paid(name, 100_000_000)),
      'zoe redeemed 10000 YES, 10000 NO of first market for 100000000 ()',
      'house redeemed 80000 YES, 80000 NO of first market for 800000000 ()',
    ],
    after: '',
  },
  {
    name: 'automatic redemption pays two markets in order of resolution',
    bounds: { redemptionsPerCommand: 7 },
    terms: TERMS,
    before: '',
    when: [
      'cat splits 2 YES2+NO2 as k1',
      'ann splits 1 YES2+NO2 as k1',
      'ann sells 1 NO2 at 4000',
      'the second market resolves to 2500 for all',
      'the first market resolves to 5000 for all',
      'time passes',
      'time passes',
      'time passes',
    ],
    happens: [
      'cat 2 sets of second market for -20000 (k1)',
      'ann 1 sets of second market for -10000 (k1)',
      'ann accepted',
      'bid 6000: 1',
      'ann market_resolved, filled 0 for 0',
      'bid 6000: 0',
      'second market resolved to 2500',
      'first market resolved to 5000',
      'ann redeemed 1 YES, 1 NO of second market for 10000 ()',
      'cat redeemed 2 YES, 2 NO of second market for 20000 ()',
      ...ALL.slice(0, 5).map((name) => paid(name, 100_000_000)),
      ...ALL.slice(5, 8).map((name) => paid(name, 100_000_000)),
      'house redeemed 80000 YES, 80000 NO of first market for 800000000 ()',
    ],
    after: '',
  },
];

t.test('resolutions', (t) => {
  runScenarios(t, RESOLUTIONS);
  t.end();
});
t.test('automatic redemption', (t) => {
  runScenarios(t, AUTOMATIC_REDEMPTIONS);
  t.end();
});
