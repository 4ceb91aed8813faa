import t from 'tap';
import { Compile } from 'typebox/compile';
import { type TradingState, ticks } from '../../../engine/index.ts';
import {
  formatSimplifiedMarket,
  liveMarket,
  SimplifiedMarket,
} from '../../../http/format/market.ts';
import { BookViews } from '../../../http/views/books.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { CatalogMarket, DurableCommand } from '../../../persistence/index.ts';
import {
  CONDITION,
  fill,
  happened,
  level,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../durable-commands.ts';
import { catalogMarket } from './records.ts';

const schema = Compile(SimplifiedMarket);

function format(changes: Partial<CatalogMarket>, history: readonly DurableCommand[]) {
  const books = new BookViews();
  const registry = new Registry();
  registry.consume(history);
  books.consume(history);
  return formatSimplifiedMarket(liveMarket(catalogMarket(changes), { books, registry }));
}

t.test('a simplified market has every field of the interface', async (t) => {
  const market = format({ creator: '0xcc', mirrorConditionId: '0xdd' }, [marketCreated()]);
  t.same(market, {
    condition_id: CONDITION,
    creator: '0xcc',
    mirror_condition_id: '0xdd',
    status: 'active',
    slug: 'rain-oslo-jun-1',
    question: 'Will it rain in Oslo on 1 June?',
    neg_risk: false,
    active: true,
    closed: false,
    archived: false,
    accepting_orders: true,
    market_id: 501,
    tokens: [
      { token_id: YES_TOKEN, outcome: 'Rain', price: 0.5, winner: false, mirror_token_id: '' },
      { token_id: NO_TOKEN, outcome: 'No rain', price: 0.5, winner: false, mirror_token_id: '' },
    ],
    rewards: { rates: [], min_size: 0, max_spread: 0 },
    assets_ids: [YES_TOKEN, NO_TOKEN],
    outcomes: ['Rain', 'No rain'],
  });
  t.ok(schema.Check(market), 'matches its schema');
});

const bid = level('bid', 4_000, 1);
const ask = level('ask', 4_300, 1);
const trade = fill({ takerPriceTicks: ticks(1_000) });
const prices: readonly (readonly [string, DurableCommand[], number, number])[] = [
  ['nothing', [], 0.5, 0.5],
  ['a trade', [happened(2, 2, [trade])], 0.1, 0.9],
  ['a trade and an ask', [happened(2, 2, [trade, ask])], 0.1, 0.9],
  ['a trade and a bid', [happened(2, 2, [trade, bid])], 0.1, 0.9],
  ['both sides', [happened(2, 2, [trade, bid, ask])], 0.415, 0.585],
];
t.test('the price of a token comes from its book', async (t) => {
  for (const [name, history, yes, no] of prices) {
    const { tokens } = format({}, [marketCreated(), ...history]);
    t.same(
      tokens.map((token) => token.price),
      [yes, no],
      name,
    );
  }
});

const sources: readonly (readonly [string, object, DurableCommand[], unknown[]])[] = [
  [
    'open',
    { sourcePrices: ['0.125', '0.875'] },
    [],
    [
      [0.125, false],
      [0.875, false],
    ],
  ],
  [
    'closed',
    { sourcePrices: ['1', '0'], closed: true },
    [],
    [
      [1, true],
      [0, false],
    ],
  ],
  [
    'unreadable',
    { sourcePrices: ['', '2'], closed: true },
    [],
    [
      [0.5, false],
      [0.5, false],
    ],
  ],
  [
    'opened here',
    { sourcePrices: ['1', '0'] },
    [marketCreated()],
    [
      [0.5, false],
      [0.5, false],
    ],
  ],
];
t.test('a market that never opened here has the values of its source', async (t) => {
  for (const [name, changes, history, expected] of sources) {
    const { tokens } = format(changes, history);
    t.same(
      tokens.map(({ price, winner }) => [price, winner]),
      expected,
      name,
    );
  }
});

function stateOf(conditionId: string, state: TradingState): DurableCommand {
  return happened(2, 2, [{ kind: 'trading_state_changed', conditionId, state }]);
}
const OPEN = [marketCreated()];
const SHUT = { acceptingOrders: false };

type State = readonly [status: string, accepting: boolean, closed: boolean];
const states: readonly (readonly [string, Partial<CatalogMarket>, DurableCommand[], State])[] = [
  ['an open market', {}, OPEN, ['active', true, false]],
  ['one that takes no orders', SHUT, OPEN, ['paused', false, false]],
  ['one that the engine has not opened', {}, [], ['paused', false, false]],
  ['a closed one', { closed: true, ...SHUT }, OPEN, ['closed', false, true]],
  ['an archived one', { archived: true, ...SHUT }, OPEN, ['closed', false, false]],
  ['one that was paused', {}, [...OPEN, stateOf(CONDITION, 'halted')], ['paused', false, false]],
  ['on a paused exchange', {}, [...OPEN, stateOf('', 'cancel_only')], ['paused', false, false]],
  [
    'one that the operator closed',
    {},
    [...OPEN, happened(2, 2, [{ kind: 'market_closed', conditionId: CONDITION }])],
    ['closed', false, true],
  ],
];
t.test('the status of a market follows from its state', async (t) => {
  for (const [name, changes, history, [status, accepting_orders, closed]] of states) {
    t.match(format(changes, history), { status, accepting_orders, closed }, name);
  }
});
