// How delayed orders end, in the order of the table in engine/orders/delayed-orders.ts.
import t from 'tap';
import { BOOK, delaying, FILLED, FILLS } from './delays.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** Delayed orders of cat and of eve, and a resting order of cat. */
const WAITING = [
  '[100] cat buys 5 YES at 5100',
  'cat2 sells 5 YES at 4900',
  'eve buys 5 YES at 5100',
  'cat3 buys 5 YES at 4800',
];
const WAIT = [
  'cat accepted',
  'cat delayed until 350',
  'cat2 accepted',
  'cat2 delayed until 350',
  'eve accepted',
  'eve delayed until 350',
  'cat3 accepted',
  'bid 4800: 5',
];
const CAT2_FILLS = [
  'cat2 released',
  'transfer 5: cat2 SELL YES 4900, dan BUY YES 4900 (0)',
  'bid 4900: 5',
  'cat2 matched, filled 5 for 24500',
];
const EVE_FILLS = [
  'eve released',
  'transfer 5: eve BUY YES 5100, bob SELL YES 5100 (0)',
  'ask 5100: 5',
  'eve matched, filled 5 for 25500',
];

const OWNERS: readonly Scenario[] = [
  {
    name: 'its owner cannot cancel a delayed order',
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100',
      'cat2 buys 5 YES at 4800',
      'cat cancels cat cat2',
      'cat cancels all',
      'cat cancels all YES',
      'cat cancels all in the first market',
      '[350] cat cancels cat',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'bid 4800: 5',
      'cat2 canceled, filled 0 for 0',
      'bid 4800: 0',
      ...FILLS,
    ],
    after: FILLED,
  },
  {
    name: 'a tripped switch cancels resting orders at once and leaves delayed orders',
    before: BOOK,
    when: ['cat arms 1', ...WAITING, 'cat trips 1', '[350] time passes'],
    happens: [
      'cat armed 1',
      ...WAIT,
      'cat3 switch_tripped, filled 0 for 0',
      'bid 4800: 0',
      'cat tripped 1',
      ...FILLS,
      ...CAT2_FILLS,
      'eve released',
      'transfer 5: eve BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'eve matched, filled 5 for 25500',
    ],
    after: `
      bid   | price | ask
      dan 5 | 4900  |`,
  },
  {
    name: 'the rest of a delayed order does not rest if the switch tripped meanwhile',
    before: BOOK,
    when: [
      'cat arms 1',
      '[100] cat buys 15 YES at 5100',
      'cat2 buys 5 YES at 5100',
      'cat trips 1',
      'cat arms 2',
      '[350] time passes',
    ],
    happens: [
      'cat armed 1',
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'cat tripped 1',
      'cat armed 2',
      'cat released',
      'transfer 10: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'cat switch_tripped, filled 10 for 51000',
      'cat2 released',
      'cat2 switch_tripped, filled 0 for 0',
    ],
    after: `
      bid    | price | ask
      dan 10 | 4900  |`,
  },
  {
    name: 'a ban closes a delayed order',
    before: BOOK,
    when: [...WAITING, 'cat is banned', '[350] time passes'],
    happens: [
      ...WAIT,
      'cat owner_banned, filled 0 for 0',
      'cat2 owner_banned, filled 0 for 0',
      'cat3 owner_banned, filled 0 for 0',
      'bid 4800: 0',
      'cat banned',
      ...EVE_FILLS,
    ],
    after: FILLED,
  },
  {
    name: 'closed-only mode closes a delayed BUY and keeps a delayed SELL',
    before: BOOK,
    when: [...WAITING, 'cat is closed_only', '[350] time passes'],
    happens: [
      ...WAIT,
      'cat closed_only, filled 0 for 0',
      'cat3 closed_only, filled 0 for 0',
      'bid 4800: 0',
      'cat closed_only',
      ...CAT2_FILLS,
      ...EVE_FILLS,
    ],
    after: `
      bid   | price | ask
            | 5100  | bob 5
      dan 5 | 4900  |`,
  },
  {
    name: 'held funds of a delayed order cannot be used until it closes',
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100',
      'cat2 sells 4 YES at 4900',
      'cat splits 90000 YES+NO as k1',
      'cat merges 9997 YES+NO as k2',
      'cat3 buys 180000 YES at 5000',
      'the first market is cancel_only',
      'cat merges 10000 YES+NO as k3',
      'cat splits 100000 YES+NO as k4',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 899974500, held 25500',
      'rejected not_enough_tokens: field account, asset 11, required 9997, available 9996, held 4',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 899974500, held 25500',
      'cat trading_paused, filled 0 for 0',
      'cat2 trading_paused, filled 0 for 0',
      'first market cancel_only',
      'cat -10000 sets of first market for 100000000 (k3)',
      'cat 100000 sets of first market for -1000000000 (k4)',
    ],
    after: BOOK,
  },
  {
    name: 'a delayed order sent again is a duplicate, or refused with other terms',
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100',
      'cat buys 5 YES at 5100',
      'cat buys 5 YES at 5100 until 900',
      '[350] cat buys 5 YES at 5100',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat duplicate',
      'rejected order_id_reused: field type, limit GTC, actual GTD',
      ...FILLS,
      'cat duplicate',
    ],
    after: FILLED,
  },
];

/** Delayed orders in both markets: of cat and eve in the first, of ann in the second. */
const IN_BOTH = [
  'bob5 buys 5 NO2 at 4900',
  'the second market delays by 250 ms',
  ...WAITING,
  'ann buys 5 YES2 at 5100',
];
const WAIT_IN_BOTH = [
  'bob5 accepted',
  'ask 5100: 5',
  'second market ticks 100, least 1/1, cancel_maker, delays 0 s 250 ms',
  ...WAIT,
  'ann accepted',
  'ann delayed until 350',
];
const ANN_FILLS = [
  'ann released',
  'mint 5: ann BUY YES 5100, bob5 BUY NO 4900 (0)',
  'bob5 matched, filled 5 for 24500',
  'ask 5100: 0',
  'ann matched, filled 5 for 25500',
];
const REST = `
      bid    | price | ask
             | 5100  | bob 10
      dan 10 | 4900  |
      cat3 5 | 4800  |`;

const MARKETS: readonly Scenario[] = [
  {
    name: 'pausing a market closes its delayed orders at once',
    before: BOOK,
    when: [
      ...IN_BOTH,
      'the first market is cancel_only',
      'the first market is halted',
      'the first market is open',
      '[350] time passes',
    ],
    happens: [
      ...WAIT_IN_BOTH,
      'cat trading_paused, filled 0 for 0',
      'cat2 trading_paused, filled 0 for 0',
      'eve trading_paused, filled 0 for 0',
      'first market cancel_only',
      'first market halted',
      'first market open',
      ...ANN_FILLS,
    ],
    after: REST,
  },
  {
    name: 'pausing the exchange closes all delayed orders after releasing those that were due',
    before: BOOK,
    when: [...IN_BOTH, '[200] eve2 buys 5 YES at 5100', '[350] the exchange is halted'],
    happens: [
      ...WAIT_IN_BOTH,
      'eve2 accepted',
      'eve2 delayed until 450',
      ...FILLS,
      ...CAT2_FILLS,
      'eve released',
      'transfer 5: eve BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'eve matched, filled 5 for 25500',
      ...ANN_FILLS,
      'eve2 trading_paused, filled 0 for 0',
      'exchange halted',
    ],
    after: `
      bid    | price | ask
      dan 5  | 4900  |
      cat3 5 | 4800  |`,
  },
  {
    name: 'closing a market closes resting orders from the best prices on, then delayed ones',
    before: BOOK,
    when: [...IN_BOTH, 'the first market closes', '[350] time passes'],
    happens: [
      ...WAIT_IN_BOTH,
      'dan market_closed, filled 0 for 0',
      'bid 4900: 0',
      'cat3 market_closed, filled 0 for 0',
      'bid 4800: 0',
      'bob market_closed, filled 0 for 0',
      'ask 5100: 0',
      'cat market_closed, filled 0 for 0',
      'cat2 market_closed, filled 0 for 0',
      'eve market_closed, filled 0 for 0',
      'first market closed',
      ...ANN_FILLS,
    ],
    after: '',
  },
  {
    name: 'resolving a market closes resting orders from the best prices on, then delayed ones',
    before: BOOK,
    when: [...WAITING, 'the first market resolves to 10000', '[350] time passes'],
    happens: [
      ...WAIT,
      'dan market_resolved, filled 0 for 0',
      'bid 4900: 0',
      'cat3 market_resolved, filled 0 for 0',
      'bid 4800: 0',
      'bob market_resolved, filled 0 for 0',
      'ask 5100: 0',
      'cat market_resolved, filled 0 for 0',
      'cat2 market_resolved, filled 0 for 0',
      'eve market_resolved, filled 0 for 0',
      'first market resolved to 10000',
    ],
    after: '',
    moved: [],
  },
  {
    name: 'new terms do not affect a delayed order',
    before: BOOK,
    when: [
      '[100] cat buys 15 YES at 5100',
      'the first market has ticks of 1000',
      'the first market delays by 9 s',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'first market ticks 1000, least 1/1, cancel_maker, delays 0 s 250 ms',
      'first market ticks 1000, least 1/1, cancel_maker, delays 9 s 250 ms',
      'cat released',
      'transfer 10: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'bid 5100: 5',
    ],
    after: `
      bid    | price | ask
      cat 5  | 5100  |
      dan 10 | 4900  |`,
  },
  {
    name: 'a delayed order whose early end comes before its release, or at the same time, expires',
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100 until 449 early 100',
      'cat2 buys 5 YES at 5100 until 450 early 100',
      'cat3 buys 7 YES at 5200 until 451 early 100',
      '[350] time passes',
      '[351] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'cat3 accepted',
      'cat3 delayed until 350',
      'cat expired, filled 0 for 0',
      'cat2 expired, filled 0 for 0',
      'cat3 released',
      'transfer 7: cat3 BUY YES 5100, bob SELL YES 5100 (0)',
      'ask 5100: 3',
      'cat3 matched, filled 7 for 35700',
    ],
    after: `
      bid    | price | ask
             | 5100  | bob 3
      dan 10 | 4900  |`,
  },
  {
    name: 'a delayed order expires before its release, or at the same time',
    before: BOOK,
    when: [
      '[100] cat buys 5 YES at 5100 until 349',
      'cat2 buys 5 YES at 5100 until 350',
      'cat3 buys 5 YES at 5100 until 351',
      '[349] time passes',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'cat3 accepted',
      'cat3 delayed until 350',
      'cat expired, filled 0 for 0',
      'cat2 expired, filled 0 for 0',
      'cat3 released',
      'transfer 5: cat3 BUY YES 5100, bob SELL YES 5100 (0)',
      'ask 5100: 5',
      'cat3 matched, filled 5 for 25500',
    ],
    after: FILLED,
  },
];

runScenarios(t, [...OWNERS, ...MARKETS].map(delaying));
