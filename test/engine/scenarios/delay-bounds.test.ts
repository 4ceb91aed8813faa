// Which orders are delayed, the bounds of delays, and own orders that a delayed order meets.
import t from 'tap';
import type { SelfTradeMode } from '../../../engine/index.ts';
import { BOOK, delaying, FILLED, FILLS } from './delays.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** On arrival the new order crosses only ann's own order; bob's comes during the delay. */
function ownOrders(selfTrade: SelfTradeMode): Scenario {
  return {
    name: `an order that meets only an own order is delayed and cancels it, with ${selfTrade}`,
    selfTrade,
    before: `
      bid | price | ask
          | 5100  | ann 10`,
    when: ['[100] ann-safe buys 15 YES at 5100', 'bob sells 5 YES at 5100', '[350] time passes'],
    happens: [
      'ann-safe accepted',
      'ann-safe delayed until 350',
      'bob accepted',
      'ask 5100: 15',
      'ann-safe released',
      'ann self_trade, filled 0 for 0',
      'transfer 5: ann-safe BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 5 for 25500',
      'ask 5100: 0',
      'bid 5100: 10',
    ],
    after: `
      bid         | price | ask
      ann-safe 10 | 5100  |`,
  };
}

/** The delayed order first meets cat's own order, which came just before the release. */
function ownOrderFirst(selfTrade: SelfTradeMode, type: string): Scenario {
  return {
    name: `an own order does not end a delayed order, with ${selfTrade}: ${type}`,
    selfTrade,
    before: BOOK,
    when: [
      `[100] cat buys YES for 25500 at 5100 ${type}`,
      '[349] cat2 sells 5 YES at 5000 post-only',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'ask 5000: 5',
      'cat released',
      'cat2 self_trade, filled 0 for 0',
      'ask 5000: 0',
      'transfer 5: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'ask 5100: 5',
      'cat matched, filled 5 for 25500',
    ],
    after: FILLED,
  };
}

const SELF_TRADE_MODES = ['cancel_maker', 'cancel_taker', 'cancel_both'] as const;

const OWN: readonly Scenario[] = SELF_TRADE_MODES.flatMap((selfTrade) => [
  ownOrders(selfTrade),
  ownOrderFirst(selfTrade, 'FOK'),
  ownOrderFirst(selfTrade, 'FAK'),
]);

const BOUNDS: readonly Scenario[] = [
  {
    name: 'one owner has a bound of delayed orders over all accounts; others can still be delayed',
    bounds: { delayedOrdersPerOwner: 1 },
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100',
      'cat2 buys 5 YES at 5100',
      'eve buys 5 YES at 5100',
      '[350] cat3 buys 5 YES at 4900',
      'cat4 sells 5 YES at 4900',
      'cat5 sells 5 YES at 4900',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'rejected too_many_delayed_orders: field owner, limit 1, actual 1',
      'eve accepted',
      'eve delayed until 350',
      ...FILLS,
      'eve released',
      'transfer 5: eve BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'eve matched, filled 5 for 25500',
      'cat3 accepted',
      'bid 4900: 15',
      'cat4 accepted',
      'cat4 delayed until 600',
      'rejected too_many_delayed_orders: field owner, limit 1, actual 1',
    ],
    after: `
      bid            | price | ask
      dan 10, cat3 5 | 4900  |`,
  },
  {
    name: 'delayed orders of a market have a bound; other orders still rest',
    bounds: { delayedOrdersPerMarket: 1 },
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100',
      'eve buys 5 YES at 5100',
      'eve buys 5 YES at 4800',
      '[350] eve2 buys 5 YES at 5100',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'rejected too_many_delayed_orders: field conditionId, limit 1, actual 1',
      'eve accepted',
      'bid 4800: 5',
      ...FILLS,
      'eve2 accepted',
      'eve2 delayed until 600',
    ],
    after: `
      bid    | price | ask
             | 5100  | bob 5
      dan 10 | 4900  |
      eve 5  | 4800  |`,
  },
  {
    name: 'a delayed order counts as a live order of its account, even if it could not rest',
    bounds: { liveOrdersPerAccount: 2 },
    before: BOOK,
    when: [
      '[100] cat buys YES for 25500 at 5100 FOK',
      'cat2 sells 5 YES at 4900 FAK',
      'cat3 sells 5 YES at 4900 FAK',
      'cat4 buys 5 YES at 1000',
      'cat5 buys 5 YES2 at 1000',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'rejected too_many_live_orders: field account, limit 2, actual 2',
      'rejected too_many_live_orders: field account, limit 2, actual 2',
      'rejected too_many_live_orders: field account, limit 2, actual 2',
    ],
    after: BOOK,
  },
];

runScenarios(t, [...OWN, ...BOUNDS].map(delaying));
