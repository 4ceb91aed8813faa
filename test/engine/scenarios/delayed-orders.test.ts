// Which orders are delayed, what they meet at their release, and in which order they are released.
// Their other ends are in delayed-order-ends.test.ts.
import t from 'tap';
import { delaying } from './delays.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const BOOK = `
      bid       | price | ask
                | 5200  | bob2 10
                | 5100  | bob 10
      dan 10 NO | 4900  |`;

const WHO_WAITS: readonly Scenario[] = [
  {
    name: 'an order that would trade is delayed, and then trades with the book of that time',
    before: BOOK,
    when: ['[100] cat buys 15 YES at 5200', '[349] time passes', '[350] time passes'],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat released',
      'transfer 10: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'transfer 5: cat BUY YES 5200, bob2 SELL YES 5200 (1)',
      'ask 5200: 5',
      'cat matched, filled 15 for 77000',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 5
      dan 10 NO | 4900  |`,
    moved: ['bob: +77000 cash, -15 YES', 'cat: -77000 cash, +15 YES'],
  },
  {
    name: 'an order for the other outcome is released by the first command after its delay',
    before: BOOK,
    when: ['[100] cat sells 15 YES at 4900', '[9000] ann buys 5 YES at 1000'],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat released',
      'merge 10: cat SELL YES 4900, dan SELL NO 5100 (0)',
      'dan matched, filled 10 for 51000',
      'bid 4900: 0',
      'ask 4900: 5',
      'ann accepted',
      'bid 1000: 5',
    ],
    after: `
      bid   | price | ask
            | 5200  | bob2 10
            | 5100  | bob 10
            | 4900  | cat 5
      ann 5 | 1000  |`,
  },
  {
    name: 'an order that would not trade rests at once; a post-only order rests or is refused',
    before: BOOK,
    when: [
      '[100] cat buys 15 YES at 5000',
      'cat2 buys 5 YES at 5000 post-only',
      'cat3 buys 5 YES at 5100 post-only',
    ],
    happens: [
      'cat accepted',
      'bid 5000: 15',
      'cat2 accepted',
      'bid 5000: 20',
      'rejected post_only_would_cross: field priceTicks, limit 5100, actual 5100',
    ],
    after: `
      bid           | price | ask
                    | 5200  | bob2 10
                    | 5100  | bob 10
      cat 15, cat2 5 | 5000 |
      dan 10 NO     | 4900  |`,
  },
  {
    name: 'an order that could not be filled at once is refused at once',
    before: BOOK,
    when: [
      '[100] cat buys YES for 200000 at 5200 FOK',
      'cat buys YES for 5099 at 5100 FAK',
      'cat sells 5 YES at 5000 FAK',
      'cat sells 11 YES at 4900 FOK',
      'cat buys 180000 YES at 5100',
      'cat sells 10001 YES at 4900',
    ],
    happens: [
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 103000, actual 200000',
      'rejected nothing_to_match: field priceTicks, limit 5100, actual 5100',
      'rejected nothing_to_match: field priceTicks, limit 4900, actual 5000',
      'rejected fill_or_kill_unfilled: field lots, limit 10, actual 11',
      'rejected not_enough_cash: field account, asset cash, required 918000000, ' +
        'available 900000000, held 0',
      'rejected not_enough_tokens: field account, asset 11, required 10001, ' +
        'available 10000, held 0',
    ],
    after: BOOK,
  },
  {
    name: 'a delay in seconds takes precedence over one in milliseconds',
    before: BOOK,
    when: [
      'the first market delays by 2 s',
      '[100] cat buys 5 YES at 5100',
      'the first market delays by 0 s',
      'cat2 buys 5 YES at 5100',
      'the first market delays by 0 ms',
      'cat3 buys 5 YES at 5100',
    ],
    happens: [
      'first market ticks 100, least 1/1, cancel_maker, delays 2 s 250 ms',
      'cat accepted',
      'cat delayed until 2100',
      'first market ticks 100, least 1/1, cancel_maker, delays 0 s 250 ms',
      'cat2 accepted',
      'cat2 delayed until 350',
      'first market ticks 100, least 1/1, cancel_maker',
      'cat3 accepted',
      'transfer 5: cat3 BUY YES 5100, bob SELL YES 5100 (0)',
      'ask 5100: 5',
      'cat3 matched, filled 5 for 25500',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
                | 5100  | bob 5
      dan 10 NO | 4900  |`,
  },
];

const WHAT_IT_MEETS: readonly Scenario[] = [
  {
    name: 'a delayed order gets a better price that arrived meanwhile, and its hold is released',
    before: BOOK,
    when: [
      '[100] cat buys 10 YES at 5100',
      '[200] ann sells 4 YES at 5000',
      '[300] bob cancels bob',
      '[350] cat splits 90000 YES+NO as k1',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'ann accepted',
      'ask 5000: 4',
      'bob canceled, filled 0 for 0',
      'ask 5100: 0',
      'cat released',
      'transfer 4: cat BUY YES 5000, ann SELL YES 5000 (0)',
      'ann matched, filled 4 for 20000',
      'ask 5000: 0',
      'bid 5100: 6',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 899949400, held 30600',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
      cat 6     | 5100  |
      dan 10 NO | 4900  |`,
  },
  {
    name: 'a released order that crosses nothing rests behind the orders already there',
    before: BOOK,
    when: [
      '[100] cat buys 10 YES at 5100',
      'bob cancels bob',
      '[300] ann buys 5 YES at 5100',
      '[350] eve buys 5 YES at 5100',
      'eve2 sells 12 YES at 5100',
      '[600] time passes',
      'cat cancels cat',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'bob canceled, filled 0 for 0',
      'ask 5100: 0',
      'ann accepted',
      'bid 5100: 5',
      'cat released',
      'bid 5100: 15',
      'eve accepted',
      'bid 5100: 20',
      'eve2 accepted',
      'eve2 delayed until 600',
      'eve2 released',
      'transfer 5: eve2 SELL YES 5100, ann BUY YES 5100 (0)',
      'ann matched, filled 5 for 25500',
      'transfer 7: eve2 SELL YES 5100, cat BUY YES 5100 (0)',
      'bid 5100: 8',
      'eve2 matched, filled 12 for 61200',
      'cat canceled, filled 7 for 35700',
      'bid 5100: 5',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
      eve 5     | 5100  |
      dan 10 NO | 4900  |`,
  },
  {
    name: 'a released FOK that cannot fill completely and a FAK without a match close',
    before: BOOK,
    when: [
      '[100] cat buys YES for 103000 at 5200 FOK',
      'cat2 buys YES for 10000 at 5100 FAK',
      'cat3 sells 10 NO at 4800 FAK',
      'cat4 sells 10 YES at 4900 FOK',
      'ann buys 1 YES at 5000',
      'bob cancels bob',
      'dan cancels dan',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'cat3 accepted',
      'cat3 delayed until 350',
      'cat4 accepted',
      'cat4 delayed until 350',
      'ann accepted',
      'bid 5000: 1',
      'bob canceled, filled 0 for 0',
      'ask 5100: 0',
      'dan canceled, filled 0 for 0',
      'bid 4900: 0',
      'cat released',
      'cat unmatched, filled 0 for 0',
      'cat2 released',
      'cat2 unmatched, filled 0 for 0',
      'cat3 released',
      'merge 10: cat3 SELL NO 4800, bob2 SELL YES 5200 (0)',
      'bob2 matched, filled 10 for 52000',
      'ask 5200: 0',
      'cat3 matched, filled 10 for 48000',
      'cat4 released',
      'cat4 unmatched, filled 0 for 0',
    ],
    after: `
      bid   | price | ask
      ann 1 | 5000  |`,
    moved: ['bob: +52000 cash, -10 YES', 'cat: +48000 cash, -10 NO'],
  },
  {
    name: 'a released order that would meet too many orders closes',
    bounds: { fillsPerCommand: 2 },
    before: BOOK,
    when: [
      '[100] cat buys 20 YES at 5200',
      'cat2 buys YES for 40000 at 5200 FAK',
      'ann sells 1 YES at 5000',
      'ann2 sells 1 YES at 5000',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'cat2 delayed until 350',
      'ann accepted',
      'ask 5000: 1',
      'ann2 accepted',
      'ask 5000: 2',
      'cat released',
      'cat unmatched, filled 0 for 0',
      'cat2 released',
      'transfer 1: cat2 BUY YES 5000, ann SELL YES 5000 (0)',
      'ann matched, filled 1 for 5000',
      'transfer 1: cat2 BUY YES 5000, ann2 SELL YES 5000 (0)',
      'ann2 matched, filled 1 for 5000',
      'ask 5000: 0',
      'cat2 remainder_released, filled 2 for 10000',
    ],
    after: BOOK,
  },
  {
    name: 'a delayed budget is held completely and buys the most lots at the prices it meets',
    before: BOOK,
    when: [
      '[100] cat buys YES for 60000 at 5200 FOK',
      'cat splits 89995 YES+NO as k1',
      'ann sells 3 YES at 5000',
      '[350] cat splits 90000 YES+NO as k2',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'rejected not_enough_cash: field account, asset cash, required 899950000, ' +
        'available 899940000, held 60000',
      'ann accepted',
      'ask 5000: 3',
      'cat released',
      'transfer 3: cat BUY YES 5000, ann SELL YES 5000 (0)',
      'ann matched, filled 3 for 15000',
      'ask 5000: 0',
      'transfer 8: cat BUY YES 5100, bob SELL YES 5100 (1)',
      'ask 5100: 2',
      'cat matched, filled 11 for 55800',
      'rejected not_enough_cash: field account, asset cash, required 900000000, ' +
        'available 899944200, held 0',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
                | 5100  | bob 2
      dan 10 NO | 4900  |`,
  },
];

const ORDER: readonly Scenario[] = [
  {
    name: 'orders due at one time are processed in order of acceptance: the maker expires first',
    before: BOOK,
    when: [
      '[100] ann sells 5 YES at 5000 until 350',
      'cat buys 5 YES at 5000',
      'ann2 sells 5 YES at 5000 until 350',
      '[350] time passes',
    ],
    happens: [
      'ann accepted',
      'ask 5000: 5',
      'cat accepted',
      'cat delayed until 350',
      'ann2 accepted',
      'ask 5000: 10',
      'ann expired, filled 0 for 0',
      'ask 5000: 5',
      'cat released',
      'transfer 5: cat BUY YES 5000, ann2 SELL YES 5000 (0)',
      'ann2 matched, filled 5 for 25000',
      'ask 5000: 0',
      'cat matched, filled 5 for 25000',
    ],
    after: BOOK,
  },
  {
    name: 'orders due at different times are processed by time, however late the command is',
    before: BOOK,
    when: [
      '[100] cat buys 4 YES at 5100',
      'the first market delays by 100 ms',
      '[110] ann buys 8 YES at 5100 until 300',
      '[120] eve buys 8 YES at 5200 until 200',
      '[9000] eve buys 8 YES at 5200 until 200',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'first market ticks 100, least 1/1, cancel_maker, delays 0 s 100 ms',
      'ann accepted',
      'ann delayed until 210',
      'eve accepted',
      'eve delayed until 220',
      'eve expired, filled 0 for 0',
      'ann released',
      'transfer 8: ann BUY YES 5100, bob SELL YES 5100 (0)',
      'ask 5100: 2',
      'ann matched, filled 8 for 40800',
      'cat released',
      'transfer 2: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'bid 5100: 2',
      'eve duplicate',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
      cat 2     | 5100  |
      dan 10 NO | 4900  |`,
  },
  {
    name: 'an order that rests after its release expires on time and in order',
    before: BOOK,
    when: [
      '[100] cat buys 12 YES at 5100 until 400',
      'cat2 buys 3 YES at 5000 until 400',
      '[350] time passes',
      '[400] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'cat2 accepted',
      'bid 5000: 3',
      'cat released',
      'transfer 10: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'bid 5100: 2',
      'cat expired, filled 10 for 51000',
      'bid 5100: 0',
      'cat2 expired, filled 0 for 0',
      'bid 5000: 0',
    ],
    after: `
      bid       | price | ask
                | 5200  | bob2 10
      dan 10 NO | 4900  |`,
  },
  {
    name: 'two delayed orders are released in order of acceptance, and can meet each other',
    before: BOOK,
    when: [
      '[100] cat buys 10 YES at 5100',
      'eve buys 10 YES at 5100',
      'ann sells 15 YES at 4900',
      '[350] time passes',
    ],
    happens: [
      'cat accepted',
      'cat delayed until 350',
      'eve accepted',
      'eve delayed until 350',
      'ann accepted',
      'ann delayed until 350',
      'cat released',
      'transfer 10: cat BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 10 for 51000',
      'ask 5100: 0',
      'cat matched, filled 10 for 51000',
      'eve released',
      'bid 5100: 10',
      'ann released',
      'transfer 10: ann SELL YES 5100, eve BUY YES 5100 (0)',
      'eve matched, filled 10 for 51000',
      'bid 5100: 0',
      'merge 5: ann SELL YES 4900, dan SELL NO 5100 (1)',
      'bid 4900: 5',
      'ann matched, filled 15 for 75500',
    ],
    after: `
      bid      | price | ask
               | 5200  | bob2 10
      dan 5 NO | 4900  |`,
  },
];

runScenarios(t, [...WHO_WAITS, ...WHAT_IT_MEETS, ...ORDER].map(delaying));
