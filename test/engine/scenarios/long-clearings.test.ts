// Commands that end more orders than one step does: the next commands end the others.
import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';
import { DrawnBook } from './drawn-book.ts';
import { runScenarios, type Scenario } from './scenario.ts';

const bounds = { workPerCommand: 2 };
const FOUR = `
      bid    | price | ask
             | 5200  | dan 1
             | 5100  | cat 1
      bob 1  | 4900  |
      ann 1  | 4800  |`;

const closed = (name: string, reason: string, level: string): string[] => [
  `${name} ${reason}, filled 0 for 0`,
  level,
];

runScenarios(t, [
  {
    name: 'a closing ends its orders in two steps, and takes effect with the last',
    bounds,
    before: FOUR,
    when: ['the first market closes', 'time passes', 'time passes'],
    happens: [
      ...closed('bob', 'market_closed', 'bid 4900: 0'),
      ...closed('ann', 'market_closed', 'bid 4800: 0'),
      ...closed('cat', 'market_closed', 'ask 5100: 0'),
      ...closed('dan', 'market_closed', 'ask 5200: 0'),
      'first market closed',
    ],
    after: '',
  },
  {
    name: 'another command first ends all orders that are left, so nothing trades with them',
    bounds,
    before: FOUR,
    when: ['the first market closes', 'eve buys 1 YES at 5100'],
    happens: [
      ...closed('bob', 'market_closed', 'bid 4900: 0'),
      ...closed('ann', 'market_closed', 'bid 4800: 0'),
      ...closed('cat', 'market_closed', 'ask 5100: 0'),
      ...closed('dan', 'market_closed', 'ask 5200: 0'),
      'first market closed',
      `rejected market_closed: field conditionId, actual 0x${'1'.repeat(64)}`,
    ],
    after: '',
  },
  {
    name: 'a resolution ends its orders first',
    bounds,
    before: FOUR,
    when: ['the first market resolves to 10000', 'time passes'],
    happens: [
      ...closed('bob', 'market_resolved', 'bid 4900: 0'),
      ...closed('ann', 'market_resolved', 'bid 4800: 0'),
      ...closed('cat', 'market_resolved', 'ask 5100: 0'),
      ...closed('dan', 'market_resolved', 'ask 5200: 0'),
      'first market resolved to 10000',
    ],
    after: '',
  },
  {
    name: 'a ban ends the orders of an owner in order of acceptance',
    bounds,
    before: `
      bid           | price | ask
                    | 5100  | ann 1
      ann2 1        | 4900  |
      ann3 1, bob 1 | 4800  |`,
    when: ['ann is banned', 'time passes'],
    happens: [
      ...closed('ann', 'owner_banned', 'ask 5100: 0'),
      ...closed('ann2', 'owner_banned', 'bid 4900: 0'),
      ...closed('ann3', 'owner_banned', 'bid 4800: 1'),
      'ann banned',
    ],
    after: `
      bid    | price | ask
      bob 1  | 4800  |`,
  },
  {
    name: 'a market that closes gets no finer price step, although its midpoint moves',
    bounds: { workPerCommand: 1 },
    terms: { finerTickTicks: ticks(10) },
    before: `
      bid    | price | ask
             | 600   | cat 1
      ann 1  | 500   |
      bob 1  | 100   |`,
    when: ['the first market closes', 'time passes', 'time passes'],
    happens: [
      ...closed('ann', 'market_closed', 'bid 500: 0'),
      ...closed('bob', 'market_closed', 'bid 100: 0'),
      ...closed('cat', 'market_closed', 'ask 600: 0'),
      'first market closed',
    ],
    after: '',
  },
  {
    name: 'an event ends the orders of all its markets before it resolves, without finer steps',
    bounds: { workPerCommand: 1 },
    hasEvent: true,
    terms: { finerTickTicks: ticks(10) },
    before: `
      bid    | price | ask
             | 600   | dan 1
      ann 1  | 500   |
      bob 1  | 100   |`,
    when: [
      'the event opens with none in the third market',
      'cat buys 1 YES2 at 100',
      'the event resolves to the second market',
      'time passes',
      'time passes',
      'time passes',
    ],
    happens: [
      'race opened with first+second+third, none: third market',
      'cat accepted',
      'bid 100: 1',
      ...closed('ann', 'market_resolved', 'bid 500: 0'),
      ...closed('bob', 'market_resolved', 'bid 100: 0'),
      ...closed('dan', 'market_resolved', 'ask 600: 0'),
      ...closed('cat', 'market_resolved', 'bid 100: 0'),
      'first market resolved to 0',
      'second market resolved to 10000',
      'third market resolved to 0',
      'race resolved to second market',
    ],
    after: '',
  },
] satisfies readonly Scenario[]);

for (const [name, make] of ENGINES) {
  t.test(`between two steps the command is part of the state: ${name}`, async (t) => {
    const book = new DrawnBook(make, { bounds });
    book.draw(FOUR);
    book.say('the first market closes');
    const state = book.engine.state();
    t.match([...state.unfinishedCommands], [{ kind: 'close_market' }]);
    t.match([...state.markets][0], { status: 'open', bids: { length: 0 }, asks: { length: 2 } });
    t.ok(book.engine.isBehind(0));
    book.engine.validate();
    book.say('time passes');
    t.strictSame([...book.engine.state().unfinishedCommands], []);
    t.notOk(book.engine.isBehind(0));
  });
}
