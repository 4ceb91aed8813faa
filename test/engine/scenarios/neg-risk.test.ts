import t from 'tap';
import { lots, ticks } from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';
import { DrawnBook, MARKET } from './drawn-book.ts';
import { addressOf, EVENT, SECOND_MARKET, THIRD_MARKET } from './names.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const OPENED = 'race opened with first+second+third, none: third market';
const [hasEvent, before, after] = [true, '', ''];

/** Splits ten sets of the second market and converts NO of both markets. */
const CONVERT = [
  'the event opens with none in the third market',
  'ann splits 10 YES2+NO2 as k1',
  'ann converts 10 NO of first+second as k2',
  'ann sells 2 YES3 at 4000',
  'bob buys 2 YES at 100',
];
const CONVERTED = [
  OPENED,
  'ann 10 sets of second market for -100000 (k1)',
  'ann converted 10 NO of first+second for 100000 (k2)',
  'ann accepted',
  'ask 4000: 2',
  'bob accepted',
  'bid 100: 2',
];
const REDEEM = [
  'ann redeems YES+NO as k3',
  'ann redeems YES2+NO2 as k4',
  'ann redeems YES3+NO3 as k5',
];

/** Every account starts with 10,000 lots of each outcome of the first market. */
const EVENTS: readonly Scenario[] = [
  {
    name: 'NO in two of three markets is one unit of cash, and YES in the third',
    hasEvent,
    before,
    when: [
      'the event opens with none in the third market',
      'ann splits 10 YES2+NO2 as k1',
      'ann converts 4 NO of second+first as k2',
      'ann converts 4 NO of second+first as k2',
      'ann converts 4 NO of first+second as k2',
      'ann converts 4 NO of first as k2',
      'ann converts 7 NO of second+first as k3',
    ],
    happens: [
      OPENED,
      'ann 10 sets of second market for -100000 (k1)',
      'ann converted 4 NO of second+first for 40000 (k2)',
      'known convert: 40000, 4 YES, 4 NO',
      'known convert: 40000, 4 YES, 4 NO',
      'rejected money_key_reused: field key, actual k2',
      'rejected not_enough_tokens: field account, asset 22, required 7, available 6, held 0',
    ],
    after,
    moved: ['ann: -60000 cash, -4 NO, +10 YES2, +6 NO2, +4 YES3'],
  },
  {
    name: 'NO in one market is YES in each of the others, and no cash',
    hasEvent,
    before,
    when: ['the event opens', 'ann converts 10000 NO of first as k1'],
    happens: [
      'race opened with first+second+third, none: exchange',
      'ann converted 10000 NO of first for 0 (k1)',
    ],
    after,
    moved: ['ann: -10000 NO, +10000 YES2, +10000 YES3'],
  },
  {
    name: 'NO in all three markets is two units of cash, and no YES',
    hasEvent,
    before,
    when: [
      'the event opens',
      'ann splits 3 YES2+NO2 as k1',
      'ann splits 3 YES3+NO3 as k2',
      'ann converts 3 NO of first+second+third as k3',
      'ann converts 3 NO of first+second+third as k3',
    ],
    happens: [
      'race opened with first+second+third, none: exchange',
      'ann 3 sets of second market for -30000 (k1)',
      'ann 3 sets of third market for -30000 (k2)',
      'ann converted 3 NO of first+second+third for 60000 (k3)',
      'known convert: 60000, 0 YES, 3 NO',
    ],
    after,
    moved: ['ann: -3 NO, +3 YES2, +3 YES3'],
  },
  {
    name: 'a conversion keeps its worth if the market that was not converted wins',
    hasEvent,
    before,
    when: [...CONVERT, 'the event resolves to the third market', ...REDEEM],
    happens: [
      ...CONVERTED,
      'bob market_resolved, filled 0 for 0',
      'bid 100: 0',
      'ann market_resolved, filled 0 for 0',
      'ask 4000: 0',
      'first market resolved to 0',
      'second market resolved to 0',
      'third market resolved to 10000',
      'race resolved to third market',
      'ann redeemed 10000 YES, 9990 NO of first market for 99900000 (k3)',
      'ann redeemed 10 YES, 0 NO of second market for 0 (k4)',
      'ann redeemed 10 YES, 0 NO of third market for 100000 (k5)',
    ],
    after,
    moved: ['ann: +100000000 cash, -10000 YES, -10000 NO'],
  },
  {
    name: 'a conversion keeps its worth if a converted market wins',
    hasEvent,
    before,
    when: [...CONVERT, 'the event resolves to the first market', ...REDEEM],
    happens: [
      ...CONVERTED,
      'bob market_resolved, filled 0 for 0',
      'bid 100: 0',
      'ann market_resolved, filled 0 for 0',
      'ask 4000: 0',
      'first market resolved to 10000',
      'second market resolved to 0',
      'third market resolved to 0',
      'race resolved to first market',
      'ann redeemed 10000 YES, 9990 NO of first market for 100000000 (k3)',
      'ann redeemed 10 YES, 0 NO of second market for 0 (k4)',
      'ann redeemed 10 YES, 0 NO of third market for 0 (k5)',
    ],
    after,
    moved: ['ann: +100000000 cash, -10000 YES, -10000 NO'],
  },
  {
    name: 'an unopened event cannot convert or resolve, and its markets cannot resolve alone',
    hasEvent,
    before,
    when: [
      'ann converts 1 NO of first as k1',
      'the event resolves to the first market',
      'the first market resolves to 10000',
      'the event opens',
      'the first market resolves to 10000',
      'the event opens',
      'the event opens with none in the third market',
      'the first market closes',
      'ann converts 1 NO of first as k1',
      'the second market is halted',
      'ann converts 1 NO of first as k2',
      'the second market is cancel_only',
      'ann is closed_only',
      'ann converts 1 NO of first as k2',
      'bob converts 1 NO of first as k1',
    ],
    happens: [
      'rejected event_not_sealed: field eventId, actual race',
      'rejected event_not_sealed: field eventId, actual race',
      'rejected market_of_event: field conditionId, actual race',
      'race opened with first+second+third, none: exchange',
      'rejected market_of_event: field conditionId, actual race',
      'known open_event',
      `rejected event_sealed: field noneConditionId, actual ${THIRD_MARKET.conditionId}`,
      'first market closed',
      'ann converted 1 NO of first for 0 (k1)',
      'second market halted',
      `rejected market_halted: field conditionIds, actual ${SECOND_MARKET.conditionId}`,
      'second market cancel_only',
      'ann closed_only',
      `rejected owner_closed_only: field owner, actual ${addressOf('ann')}`,
      'bob converted 1 NO of first for 0 (k1)',
    ],
    after,
    moved: ['ann: -1 NO, +1 YES2, +1 YES3', 'bob: -1 NO, +1 YES2, +1 YES3'],
  },
];

t.test('neg-risk events', (t) => {
  runScenarios(t, EVENTS);
  t.end();
});

t.test('markets of one event that are not all neg-risk resolve alone, and never open', (t) => {
  for (const [name, make] of ENGINES) {
    const book = new DrawnBook(make, { hasEvent: true });
    const plain = { ...MARKET, conditionId: `0x${'4'.repeat(64)}`, eventId: EVENT };
    book.apply({ ...plain, tokenIds: ['41', '42'], tickTicks: ticks(100), minimumLots: lots(1) });
    const events = ['the event opens', 'the first market resolves to 2500'].flatMap((sentence) =>
      book.say(sentence),
    );
    t.strictSame(
      events,
      [
        `rejected event_malformed: field negRisk, actual ${plain.conditionId}`,
        'first market resolved to 2500',
      ],
      name,
    );
  }
  t.end();
});
