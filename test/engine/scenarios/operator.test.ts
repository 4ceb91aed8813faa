import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** Placed row by row from the top: ann, bob, ann2, ann-safe. */
const MIXED = `
      bid              | price | ask
                       | 5500  | ann 10
                       | 5300  | bob 20 NO
      ann2 5           | 5100  |
      ann-safe 7 NO    | 5000  |`;

const STATES: readonly Scenario[] = [
  {
    name: 'an exchange in cancel_only accepts cancels, but no orders',
    before: MIXED,
    when: [
      'the exchange is cancel_only',
      'cat buys 5 YES at 5500',
      'ann cancels ann2',
      'the exchange is open',
      'cat buys 5 YES at 5300',
    ],
    happens: [
      'exchange cancel_only',
      'rejected exchange_paused: field state, actual cancel_only',
      'ann2 canceled, filled 0 for 0',
      'bid 5100: 0',
      'exchange open',
      'cat accepted',
      'mint 5: cat BUY YES 5300, bob BUY NO 4700 (0)',
      'ask 5300: 15',
      'cat matched, filled 5 for 26500',
    ],
    after: `
      bid           | price | ask
                    | 5500  | ann 10
                    | 5300  | bob 15 NO
      ann-safe 7 NO | 5000  |`,
  },
  {
    name: 'a halted exchange accepts no orders or cancels; orders still expire and switches trip',
    before: '',
    when: [
      'ann buys 5 YES at 5000',
      'ann2 buys 6 YES at 5000 until 900',
      'ann arms 1',
      'the exchange is halted',
      'ann cancels ann',
      'ann cancels all',
      'cat buys 5 YES at 5500',
      '[900] time passes',
      'ann trips 1',
    ],
    happens: [
      'ann accepted',
      'bid 5000: 5',
      'ann2 accepted',
      'bid 5000: 11',
      'ann armed 1',
      'exchange halted',
      'rejected exchange_halted: field state, actual halted',
      'rejected exchange_halted: field state, actual halted',
      'rejected exchange_paused: field state, actual halted',
      'ann2 expired, filled 0 for 0',
      'bid 5000: 5',
      'ann switch_tripped, filled 0 for 0',
      'bid 5000: 0',
      'ann tripped 1',
    ],
    after: '',
  },
  {
    name: 'a market in cancel_only stops while another one trades',
    before: MIXED,
    when: [
      'the first market is cancel_only',
      'cat buys 5 YES at 5500',
      'cat2 buys 5 YES2 at 5500',
      'ann cancels ann2 ann-safe',
    ],
    happens: [
      'first market cancel_only',
      'rejected market_paused: field tokenId, actual cancel_only',
      'cat2 accepted',
      'bid 5500: 5',
      'ann2 canceled, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe canceled, filled 0 for 0',
      'bid 5000: 0',
    ],
    after: `
      bid | price | ask
          | 5500  | ann 10
          | 5300  | bob 20 NO`,
  },
  {
    name: 'orders in a halted market stay when their owner cancels all',
    before: MIXED,
    when: [
      'ann4 buys 3 YES2 at 2000',
      'the first market is halted',
      'cat buys 5 YES at 5500',
      'ann cancels all',
      'ann cancels ann ann2',
      'the first market is open',
      'ann cancels ann ann2',
    ],
    happens: [
      'ann4 accepted',
      'bid 2000: 3',
      'first market halted',
      'rejected market_paused: field tokenId, actual halted',
      'ann4 canceled, filled 0 for 0',
      'bid 2000: 0',
      'first market open',
      'ann canceled, filled 0 for 0',
      'ask 5500: 0',
      'ann2 canceled, filled 0 for 0',
      'bid 5100: 0',
    ],
    after: `
      bid           | price | ask
                    | 5300  | bob 20 NO
      ann-safe 7 NO | 5000  |`,
  },
  {
    name: 'a retry of an accepted order is answered during a pause',
    before: MIXED,
    when: ['the exchange is halted', 'ann2 buys 5 YES at 5100'],
    happens: ['exchange halted', 'ann2 duplicate'],
    after: MIXED,
  },
];

const TERMS: readonly Scenario[] = [
  {
    name: 'a finer tick keeps all queues and permits prices in between',
    before: `
      bid              | price | ask
                       | 5500  | ann 10
                       | 5300  | bob 20 NO, cat 3
      ann2 5, dan 4 NO | 5100  |
      ann-safe 7 NO    | 5000  |`,
    when: [
      'eve buys 2 YES at 5150',
      'the first market has ticks of 25',
      'eve buys 2 YES at 5150',
      'the first market has ticks of 10',
      'zoe sells 12 YES at 5090',
    ],
    happens: [
      'rejected price_off_tick: field priceTicks, limit 100, actual 5150',
      'first market ticks 25, least 1/1, cancel_maker',
      'eve accepted',
      'bid 5150: 2',
      'first market ticks 10, least 1/1, cancel_maker',
      'zoe accepted',
      'transfer 2: zoe SELL YES 5150, eve BUY YES 5150 (0)',
      'eve matched, filled 2 for 10300',
      'bid 5150: 0',
      'transfer 5: zoe SELL YES 5100, ann2 BUY YES 5100 (1)',
      'ann2 matched, filled 5 for 25500',
      'merge 4: zoe SELL YES 5100, dan SELL NO 4900 (1)',
      'dan matched, filled 4 for 19600',
      'bid 5100: 0',
      'ask 5090: 1',
    ],
    after: `
      bid              | price | ask
                       | 5500  | ann 10
                       | 5300  | bob 20 NO, cat 3
                       | 5090  | zoe 1
      ann-safe 7 NO    | 5000  |`,
  },
  {
    name: 'a coarser tick leaves orders off the grid, which trade at their own price',
    terms: { tickTicks: ticks(10) },
    before: `
      bid              | price | ask
                       | 5510  | ann 10
                       | 5310  | bob 20 NO
      ann2 5           | 5090  |`,
    when: [
      'the first market has ticks of 100',
      'eve buys 2 YES at 5310',
      'eve buys 22 YES at 5400',
      'zoe buys YES for 100000 at 5600 FAK',
      'dan sells 5 YES at 5000',
    ],
    happens: [
      'first market ticks 100, least 1/1, cancel_maker',
      'rejected price_off_tick: field priceTicks, limit 100, actual 5310',
      'eve accepted',
      'mint 20: eve BUY YES 5310, bob BUY NO 4690 (0)',
      'bob matched, filled 20 for 93800',
      'ask 5310: 0',
      'bid 5400: 2',
      'zoe accepted',
      'transfer 10: zoe BUY YES 5510, ann SELL YES 5510 (0)',
      'ann matched, filled 10 for 55100',
      'ask 5510: 0',
      'zoe remainder_released, filled 10 for 55100',
      'dan accepted',
      'transfer 2: dan SELL YES 5400, eve BUY YES 5400 (0)',
      'eve matched, filled 22 for 117000',
      'bid 5400: 0',
      'transfer 3: dan SELL YES 5090, ann2 BUY YES 5090 (1)',
      'bid 5090: 2',
      'dan matched, filled 5 for 26070',
    ],
    after: `
      bid              | price | ask
      ann2 2           | 5090  |`,
  },
];

const CLOSINGS: readonly Scenario[] = [
  {
    name: 'closing a market closes all orders from the best prices on and keeps all tokens',
    before: MIXED,
    when: ['bob2 buys 9 YES2 at 100', 'the first market closes', 'cat sells 5 YES at 5000'],
    happens: [
      'bob2 accepted',
      'bid 100: 9',
      'ann2 market_closed, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe market_closed, filled 0 for 0',
      'bid 5000: 0',
      'bob market_closed, filled 0 for 0',
      'ask 5300: 0',
      'ann market_closed, filled 0 for 0',
      'ask 5500: 0',
      'first market closed',
      `rejected market_closed: field conditionId, actual 0x${'1'.repeat(64)}`,
    ],
    after: '',
    moved: [],
  },
  {
    name: 'a closed market stays closed, even if it was halted before',
    before: MIXED,
    when: [
      'the first market is halted',
      'the first market closes',
      'the first market is open',
      'the first market closes',
    ],
    happens: [
      'first market halted',
      'ann2 market_closed, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe market_closed, filled 0 for 0',
      'bid 5000: 0',
      'bob market_closed, filled 0 for 0',
      'ask 5300: 0',
      'ann market_closed, filled 0 for 0',
      'ask 5500: 0',
      'first market closed',
      `rejected market_closed: field conditionId, actual 0x${'1'.repeat(64)}`,
      'known close_market',
    ],
    after: '',
  },
];

const STANDINGS: readonly Scenario[] = [
  {
    name: 'a ban cancels the orders of all accounts of an owner, who cannot trade any more',
    before: MIXED,
    when: [
      'ann is banned',
      'ann5 buys 1 YES at 1000',
      'ann-safe5 sells 1 YES at 9000',
      'bob is closed_only',
      'ann is good',
      'ann6 buys 1 YES at 1000',
    ],
    happens: [
      'ann owner_banned, filled 0 for 0',
      'ask 5500: 0',
      'ann2 owner_banned, filled 0 for 0',
      'bid 5100: 0',
      'ann-safe owner_banned, filled 0 for 0',
      'bid 5000: 0',
      'ann banned',
      'rejected owner_banned: field owner, actual 0x616e6e0000000000000000000000000000000000',
      'rejected owner_banned: field owner, actual 0x616e6e0000000000000000000000000000000000',
      'bob closed_only, filled 0 for 0',
      'ask 5300: 0',
      'bob closed_only',
      'ann good',
      'ann6 accepted',
      'bid 1000: 1',
    ],
    after: `
      bid    | price | ask
      ann6 1 | 1000  |`,
    moved: [],
  },
  {
    name: 'an owner in closed-only mode loses its BUYs and may still sell',
    before: MIXED,
    when: [
      'ann is closed_only',
      'ann5 buys 1 NO at 1000',
      'ann-safe5 buys YES for 10000 at 5300 FAK',
      'ann5 sells 2 NO at 4700 FOK',
      'ann is banned',
    ],
    happens: [
      'ann2 closed_only, filled 0 for 0',
      'bid 5100: 0',
      'ann closed_only',
      'rejected owner_closed_only: field owner, actual 0x616e6e0000000000000000000000000000000000',
      'rejected owner_closed_only: field owner, actual 0x616e6e0000000000000000000000000000000000',
      'ann5 accepted',
      'transfer 2: ann5 SELL NO 4700, bob BUY NO 4700 (0)',
      'ask 5300: 18',
      'ann5 matched, filled 2 for 9400',
      'ann owner_banned, filled 0 for 0',
      'ask 5500: 0',
      'ann-safe owner_banned, filled 0 for 0',
      'bid 5000: 0',
      'ann banned',
    ],
    after: `
      bid | price | ask
          | 5300  | bob 18 NO`,
  },
];

t.test('trading states', (t) => {
  runScenarios(t, STATES);
  t.end();
});
t.test('changed terms', (t) => {
  runScenarios(t, TERMS);
  t.end();
});
t.test('closings', (t) => {
  runScenarios(t, CLOSINGS);
  t.end();
});
t.test('standings', (t) => {
  runScenarios(t, STANDINGS);
  t.end();
});
