import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** Ticks of 100 with finer ticks of 10. */
const terms = { finerTickTicks: ticks(10) };
const REFINED = 'first market ticks 10, least 1/1, cancel_maker';

/** The midpoint is 400, or 9,600 for the other outcome: exactly at the boundary. */
const LOW = `
      bid    | price | ask
             | 500   | bob 5
      ann 10 | 300   |
      ann2 5 | 200   |`;

const WHERE: readonly Scenario[] = [
  {
    name: 'a midpoint of 400 keeps the tick; the first lower midpoint makes the tick finer',
    terms,
    before: LOW,
    when: ['bob2 sells 5 YES at 390', 'bob2 sells 5 YES at 400', 'bob3 sells 5 YES at 390'],
    happens: [
      'rejected price_off_tick: field priceTicks, limit 100, actual 390',
      'bob2 accepted',
      'ask 400: 5',
      REFINED,
      'bob3 accepted',
      'ask 390: 5',
    ],
    after: `
      bid    | price | ask
             | 500   | bob 5
             | 400   | bob2 5
             | 390   | bob3 5
      ann 10 | 300   |
      ann2 5 | 200   |`,
  },
  {
    name: 'a midpoint of 9,600 keeps the tick; the first higher midpoint makes the tick finer',
    terms,
    before: `
      bid       | price | ask
                | 9700  | bob 5
      ann 10 NO | 9500  |`,
    when: ['ann2 sells 5 NO at 410', 'ann2 sells 5 NO at 400', 'ann3 sells 5 NO at 390'],
    happens: [
      'rejected price_off_tick: field priceTicks, limit 100, actual 410',
      'ann2 accepted',
      'bid 9600: 5',
      REFINED,
      'ann3 accepted',
      'bid 9610: 5',
    ],
    after: `
      bid       | price | ask
                | 9700  | bob 5
      ann3 5 NO | 9610  |
      ann2 5 NO | 9600  |
      ann 10 NO | 9500  |`,
  },
  {
    name: 'a book with only one side has no midpoint',
    terms,
    before: '',
    when: [
      'ann buys 5 YES at 100',
      'ann2 buys 5 YES at 200',
      'ann cancels ann2',
      'bob sells 5 YES at 9700',
    ],
    happens: [
      'ann accepted',
      'bid 100: 5',
      'ann2 accepted',
      'bid 200: 5',
      'ann2 canceled, filled 0 for 0',
      'bid 200: 0',
      'bob accepted',
      'ask 9700: 5',
    ],
    after: `
      bid   | price | ask
            | 9700  | bob 5
      ann 5 | 100   |`,
  },
  {
    name: 'a market without a finer tick keeps its own',
    before: LOW,
    when: ['bob2 sells 5 YES at 400', 'bob3 sells 5 YES at 390'],
    happens: [
      'bob2 accepted',
      'ask 400: 5',
      'rejected price_off_tick: field priceTicks, limit 100, actual 390',
    ],
    after: `
      bid    | price | ask
             | 500   | bob 5
             | 400   | bob2 5
      ann 10 | 300   |
      ann2 5 | 200   |`,
  },
];

const HOW: readonly Scenario[] = [
  {
    name: 'a cancel can move the midpoint near an end',
    terms,
    before: LOW,
    when: ['ann cancels ann'],
    happens: ['ann canceled, filled 0 for 0', 'bid 300: 0', REFINED],
    after: `
      bid    | price | ask
             | 500   | bob 5
      ann2 5 | 200   |`,
  },
  {
    name: 'an expiration can move the midpoint near an end, even before a refused command',
    terms,
    before: `
      bid | price | ask
          | 500   | bob 5`,
    when: [
      'ann buys 5 YES at 300 until 900',
      'ann2 buys 5 YES at 100',
      '[900] bob2 sells 5 YES at 410',
    ],
    happens: [
      'ann accepted',
      'bid 300: 5',
      'ann2 accepted',
      'bid 100: 5',
      'ann expired, filled 0 for 0',
      'bid 300: 0',
      'rejected price_off_tick: field priceTicks, limit 100, actual 410',
      REFINED,
    ],
    after: `
      bid    | price | ask
             | 500   | bob 5
      ann2 5 | 100   |`,
  },
  {
    name: 'only the midpoint after the last fill counts; with an empty side there is none',
    terms,
    before: `
      bid    | price | ask
             | 9000  | bob2 5
             | 500   | bob 5
      ann 10 | 300   |`,
    when: ['cat buys 5 YES at 500', 'cat2 sells 12 YES at 300', 'dan buys 5 YES at 310'],
    happens: [
      'cat accepted',
      'transfer 5: cat BUY YES 500, bob SELL YES 500 (0)',
      'bob matched, filled 5 for 2500',
      'ask 500: 0',
      'cat matched, filled 5 for 2500',
      'cat2 accepted',
      'transfer 10: cat2 SELL YES 300, ann BUY YES 300 (0)',
      'ann matched, filled 10 for 3000',
      'bid 300: 0',
      'ask 300: 2',
      'rejected price_off_tick: field priceTicks, limit 100, actual 310',
    ],
    after: `
      bid | price | ask
          | 9000  | bob2 5
          | 300   | cat2 2`,
  },
  {
    name: 'a fill that empties the best bid can move the midpoint near 0',
    terms,
    before: LOW,
    when: ['cat sells 10 YES at 300 FOK'],
    happens: [
      'cat accepted',
      'transfer 10: cat SELL YES 300, ann BUY YES 300 (0)',
      'ann matched, filled 10 for 3000',
      'bid 300: 0',
      'cat matched, filled 10 for 3000',
      REFINED,
    ],
    after: `
      bid    | price | ask
             | 500   | bob 5
      ann2 5 | 200   |`,
  },
  {
    name: 'a paused market gets its finer tick too; several markets change in order of creation',
    terms,
    before: `
      bid    | price | ask
             | 500   | bob 5
      ann2 5 | 300   |`,
    when: [
      'cat buys 5 NO2 at 9500',
      'cat2 buys 5 YES2 at 300 until 900',
      'cat3 buys 5 YES2 at 100',
      'dan buys 5 YES at 100',
      'the exchange is halted',
      'the first market is cancel_only',
      'the exchange is open',
      '[900] ann cancels ann2',
    ],
    happens: [
      'cat accepted',
      'ask 500: 5',
      'cat2 accepted',
      'bid 300: 5',
      'cat3 accepted',
      'bid 100: 5',
      'dan accepted',
      'bid 100: 5',
      'exchange halted',
      'first market cancel_only',
      'exchange open',
      'cat2 expired, filled 0 for 0',
      'bid 300: 0',
      'ann2 canceled, filled 0 for 0',
      'bid 300: 0',
      REFINED,
      REFINED.replace('first', 'second'),
    ],
    after: `
      bid   | price | ask
            | 500   | bob 5
      dan 5 | 100   |`,
  },
];

const AFTERWARDS: readonly Scenario[] = [
  {
    name: 'resting orders stay, later orders use the finer tick, and it never reverts',
    terms,
    before: LOW,
    when: [
      'ann cancels ann',
      'cat buys 5 YES at 215',
      'cat buys 5 YES at 210',
      'cat2 buys 20 YES at 500',
      'cat3 buys 5 YES at 6010',
      'bob2 sells 5 YES at 7010',
      'bob3 sells 5 YES at 6005',
    ],
    happens: [
      'ann canceled, filled 0 for 0',
      'bid 300: 0',
      REFINED,
      'rejected price_off_tick: field priceTicks, limit 10, actual 215',
      'cat accepted',
      'bid 210: 5',
      'cat2 accepted',
      'transfer 5: cat2 BUY YES 500, bob SELL YES 500 (0)',
      'bob matched, filled 5 for 2500',
      'ask 500: 0',
      'bid 500: 15',
      'cat3 accepted',
      'bid 6010: 5',
      'bob2 accepted',
      'ask 7010: 5',
      'rejected price_off_tick: field priceTicks, limit 10, actual 6005',
    ],
    after: `
      bid     | price | ask
              | 7010  | bob2 5
      cat3 5  | 6010  |
      cat2 15 | 500   |
      cat 5   | 210   |
      ann2 5  | 200   |`,
  },
  {
    name: "the operator's coarser tick stays in force until a finer one is set again",
    terms,
    before: LOW,
    when: [
      'ann cancels ann',
      'the first market has ticks of 100',
      'ann3 buys 5 YES at 100',
      'ann4 buys 5 YES at 110',
      'the first market has finer ticks of 50',
      'ann4 buys 5 YES at 150',
    ],
    happens: [
      'ann canceled, filled 0 for 0',
      'bid 300: 0',
      REFINED,
      'first market ticks 100, least 1/1, cancel_maker',
      'ann3 accepted',
      'bid 100: 5',
      'rejected price_off_tick: field priceTicks, limit 100, actual 110',
      'first market ticks 100 then 50, least 1/1, cancel_maker',
      'first market ticks 50, least 1/1, cancel_maker',
      'ann4 accepted',
      'bid 150: 5',
    ],
    after: `
      bid    | price | ask
             | 500   | bob 5
      ann2 5 | 200   |
      ann4 5 | 150   |
      ann3 5 | 100   |`,
  },
  {
    name: 'a finer tick does not come into force if the same command removes it',
    terms,
    before: `
      bid    | price | ask
             | 700   | bob 5
      ann2 5 | 100   |`,
    when: [
      'cat buys 5 YES at 200 until 900',
      'cat2 sells 5 YES at 600',
      '[900] the first market has finer ticks of 0',
      'bob2 sells 5 YES at 200',
    ],
    happens: [
      'cat accepted',
      'bid 200: 5',
      'cat2 accepted',
      'ask 600: 5',
      'cat expired, filled 0 for 0',
      'bid 200: 0',
      'first market ticks 100, least 1/1, cancel_maker',
      'bob2 accepted',
      'ask 200: 5',
    ],
    after: `
      bid    | price | ask
             | 700   | bob 5
             | 600   | cat2 5
             | 200   | bob2 5
      ann2 5 | 100   |`,
  },
];

runScenarios(t, [...WHERE, ...HOW, ...AFTERWARDS]);
