// Orders that meet more resting orders than one command does: the next commands continue them.
import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';
import { DrawnBook } from './drawn-book.ts';
import { addressOf } from './names.ts';
import { runScenarios, type Scenario } from './scenario.ts';

const bounds = { workPerCommand: 2 };
const FIVE_ASKS = `
      bid | price | ask
          | 5200  | dan 1, eve 1
          | 5100  | ann 1, bob 1, cat 1`;
const EMPTY = `
      bid | price | ask`;

/** The fills of five lots in steps of two, each with trades of its own. */
const FIRST = [
  'zoe accepted',
  'transfer 1: zoe BUY YES 5100, ann SELL YES 5100 (0)',
  'ann matched, filled 1 for 5100',
  'transfer 1: zoe BUY YES 5100, bob SELL YES 5100 (0)',
  'bob matched, filled 1 for 5100',
  'ask 5100: 1',
];
const SECOND = [
  'zoe continued',
  'transfer 1: zoe BUY YES 5100, cat SELL YES 5100 (1)',
  'cat matched, filled 1 for 5100',
  'ask 5100: 0',
  'transfer 1: zoe BUY YES 5200, dan SELL YES 5200 (2)',
  'dan matched, filled 1 for 5200',
  'ask 5200: 1',
];
const THIRD = [
  'zoe continued',
  'transfer 1: zoe BUY YES 5200, eve SELL YES 5200 (3)',
  'eve matched, filled 1 for 5200',
  'ask 5200: 0',
];

/** Asks of 5100 of which two expire soon, one later than another; and others behind them. */
const EXPIRING = [
  'ann sells 1 YES at 5100',
  'bob sells 1 YES at 5100',
  'cat sells 1 YES at 5100',
  'dan sells 1 YES at 5100 until 900',
  'eve sells 1 YES at 5100 until 800',
  'bob2 sells 1 YES at 5200',
  'ann2 sells 1 YES at 9000 until 950',
];
const EXPIRING_REST = [
  ...['ann', 'bob', 'cat', 'dan', 'eve'].flatMap((maker, place) => [
    `${maker} accepted`,
    `ask 5100: ${place + 1}`,
  ]),
  ...['bob2 accepted', 'ask 5200: 1', 'ann2 accepted', 'ask 9000: 1'],
];

runScenarios(t, [
  {
    name: 'a FAK is filled by three commands',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys YES for 25700 at 5200 FAK', 'time passes', 'time passes'],
    happens: [...FIRST, ...SECOND, ...THIRD, 'zoe matched, filled 5 for 25700'],
    after: EMPTY,
  },
  {
    name: 'a FOK is filled by three commands too',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys YES for 25700 at 5200 FOK', 'time passes', 'time passes'],
    happens: [...FIRST, ...SECOND, ...THIRD, 'zoe matched, filled 5 for 25700'],
    after: EMPTY,
  },
  {
    name: 'a GTC rests after its last part',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys 7 YES at 5200', 'time passes', 'time passes'],
    happens: [...FIRST, ...SECOND, ...THIRD, 'bid 5200: 2'],
    after: `
      bid   | price | ask
      zoe 2 | 5200  |`,
  },
  {
    name: 'an order that ends with the work of its command is finished',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys 2 YES at 5200'],
    happens: [...FIRST, 'zoe matched, filled 2 for 10200'],
    after: `
      bid | price | ask
          | 5200  | dan 1, eve 1
          | 5100  | cat 1`,
  },
  {
    name: 'another command first finishes the order, so nothing happens between its parts',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys 5 YES at 5200', 'ann2 buys 1 YES at 5200'],
    happens: [
      ...FIRST,
      ...SECOND.slice(0, -1),
      'transfer 1: zoe BUY YES 5200, eve SELL YES 5200 (2)',
      ...THIRD.slice(2),
      'zoe matched, filled 5 for 25700',
      'ann2 accepted',
      'bid 5200: 1',
    ],
    after: `
      bid   | price | ask
      ann2 1 | 5200  |`,
  },
  {
    name: 'own orders that are cancelled count, and an own order may end a later part',
    bounds,
    selfTrade: 'cancel_both',
    before: `
      bid | price | ask
          | 5100  | ann 1, bob 1, zoe 1, cat 1`,
    when: ['zoe2 buys 4 YES at 5100', 'time passes'],
    happens: [
      'zoe2 accepted',
      'transfer 1: zoe2 BUY YES 5100, ann SELL YES 5100 (0)',
      'ann matched, filled 1 for 5100',
      'transfer 1: zoe2 BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 1 for 5100',
      'ask 5100: 2',
      'zoe2 continued',
      'zoe self_trade, filled 0 for 0',
      'ask 5100: 1',
      'zoe2 self_trade, filled 2 for 10200',
    ],
    after: `
      bid | price | ask
          | 5100  | cat 1`,
  },
  {
    name: 'a finer price step comes into force after the last part, not between two parts',
    bounds,
    terms: { finerTickTicks: ticks(10) },
    before: `
      bid          | price | ask
                   | 600   | dan 1
      ann 1, bob 1 | 500   |
      eve 5        | 100   |`,
    when: ['zoe sells 3 YES at 100', 'time passes'],
    happens: [
      'zoe accepted',
      'transfer 1: zoe SELL YES 500, ann BUY YES 500 (0)',
      'ann matched, filled 1 for 500',
      'transfer 1: zoe SELL YES 500, bob BUY YES 500 (0)',
      'bob matched, filled 1 for 500',
      'bid 500: 0',
      'zoe continued',
      'transfer 1: zoe SELL YES 100, eve BUY YES 100 (1)',
      'bid 100: 4',
      'zoe matched, filled 3 for 1100',
      'first market ticks 10, least 1/1, cancel_maker',
    ],
    after: `
      bid   | price | ask
            | 600   | dan 1
      eve 4 | 100   |`,
  },
  // After a crash or a pause an order went on against orders that had expired meanwhile.
  {
    name: 'orders that expired meanwhile are not met: they expire first, in order of their time',
    bounds: { workPerCommand: 3 },
    before: EMPTY,
    when: [
      ...EXPIRING,
      '[100] zoe buys 6 YES at 5200',
      '[950] time passes',
      '[950] time passes',
      '[950] time passes',
    ],
    happens: [
      ...EXPIRING_REST,
      'zoe accepted',
      ...['ann', 'bob', 'cat'].flatMap((maker) => [
        `transfer 1: zoe BUY YES 5100, ${maker} SELL YES 5100 (0)`,
        `${maker} matched, filled 1 for 5100`,
      ]),
      'ask 5100: 2',
      'eve expired, filled 0 for 0',
      'ask 5100: 1',
      'dan expired, filled 0 for 0',
      'ask 5100: 0',
      'ann2 expired, filled 0 for 0',
      'ask 9000: 0',
      'zoe continued',
      'transfer 1: zoe BUY YES 5200, bob2 SELL YES 5200 (1)',
      'bob2 matched, filled 1 for 5200',
      'ask 5200: 0',
      'bid 5200: 2',
    ],
    after: `
      bid   | price | ask
      zoe 2 | 5200  |`,
  },
  {
    name: 'a FOK goes on at once: it was accepted because these orders fill it',
    bounds: { workPerCommand: 3 },
    before: EMPTY,
    when: [...EXPIRING, '[100] zoe buys YES for 25500 at 5100 FOK', '[950] time passes'],
    happens: [
      ...EXPIRING_REST,
      'zoe accepted',
      ...['ann', 'bob', 'cat'].flatMap((maker) => [
        `transfer 1: zoe BUY YES 5100, ${maker} SELL YES 5100 (0)`,
        `${maker} matched, filled 1 for 5100`,
      ]),
      'ask 5100: 2',
      'zoe continued',
      ...['dan', 'eve'].flatMap((maker) => [
        `transfer 1: zoe BUY YES 5100, ${maker} SELL YES 5100 (1)`,
        `${maker} matched, filled 1 for 5100`,
      ]),
      'ask 5100: 0',
      'zoe matched, filled 5 for 25500',
      'ann2 expired, filled 0 for 0',
      'ask 9000: 0',
    ],
    after: `
      bid | price | ask
          | 5200  | bob2 1`,
  },
  {
    name: 'an order whose early end came meanwhile does not go on',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys 5 YES at 5200 until 1000 early 100', '[900] time passes'],
    happens: [...FIRST, 'zoe continued', 'zoe expired, filled 2 for 10200'],
    after: `
      bid | price | ask
          | 5200  | dan 1, eve 1
          | 5100  | cat 1`,
  },
  {
    name: 'an order that expired itself meanwhile does not go on',
    bounds,
    before: FIVE_ASKS,
    when: ['zoe buys 5 YES at 5200 until 900', '[900] time passes'],
    happens: [...FIRST, 'zoe continued', 'zoe expired, filled 2 for 10200'],
    after: `
      bid | price | ask
          | 5200  | dan 1, eve 1
          | 5100  | cat 1`,
  },
  // The twin did not count the own order, and paid in the same command.
  {
    name: 'an own order that stops a later part is work too: redemptions wait for the next command',
    bounds,
    selfTrade: 'cancel_taker',
    before: `
      bid | price | ask
          | 5100  | ann 1, bob 1, zoe 1`,
    when: [
      'dan splits 1 YES2+NO2 as k1',
      'the second market resolves to 10000 for all',
      'zoe2 buys 3 YES at 5100',
      'time passes',
    ],
    happens: [
      'dan 1 sets of second market for -10000 (k1)',
      'second market resolved to 10000',
      'zoe2 accepted',
      'transfer 1: zoe2 BUY YES 5100, ann SELL YES 5100 (0)',
      'ann matched, filled 1 for 5100',
      'transfer 1: zoe2 BUY YES 5100, bob SELL YES 5100 (0)',
      'bob matched, filled 1 for 5100',
      'ask 5100: 1',
      'zoe2 continued',
      'zoe2 self_trade, filled 2 for 10200',
    ],
    after: `
      bid | price | ask
          | 5100  | zoe 1`,
  },
] satisfies readonly Scenario[]);

for (const [name, make] of ENGINES) {
  t.test(`between its parts an order is live and holds nothing: ${name}`, async (t) => {
    const book = new DrawnBook(make, { bounds });
    book.draw(FIVE_ASKS);
    book.say('zoe buys 7 YES at 5200');
    const state = book.engine.state();
    t.match([...state.unfinishedOrders], [{ remainingLots: 5, filledMicros: 10_200 }]);
    const zoe = [...state.accounts].find(({ address }) => address === addressOf('zoe'));
    t.equal(zoe?.heldMicros, 0);
    t.equal(book.engine.totals().liveOrders, 4);
    t.ok(book.engine.isBehind(0));
    book.engine.validate();
  });
}
