import t from 'tap';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

/** Every account starts with 10,000 lots of each outcome. */
const SETS: readonly Scenario[] = [
  {
    name: 'a split turns cash into sets, and a merge turns sets into cash',
    before: '',
    when: [
      'ann splits 20 YES+NO as k1',
      'ann merges 5 YES+NO as k2',
      'ann-safe merges 7 YES+NO as k3',
    ],
    happens: [
      'ann 20 sets of first market for -200000 (k1)',
      'ann -5 sets of first market for 50000 (k2)',
      'ann-safe -7 sets of first market for 70000 (k3)',
    ],
    after: '',
    moved: ['ann: -150000 cash, +15 YES, +15 NO', 'ann-safe: +70000 cash, -7 YES, -7 NO'],
  },
  {
    name: 'a repeated key reports the first movement again; with other terms it is refused',
    before: '',
    when: [
      'ann splits 20 YES+NO as k1',
      'ann splits 20 YES+NO as k1',
      'ann splits 21 YES+NO as k1',
      'ann splits 20 YES2+NO2 as k1',
      'ann merges 20 YES+NO as k1',
      'ann-safe splits 20 YES+NO as k1',
      'bob splits 20 YES+NO as k1',
    ],
    happens: [
      'ann 20 sets of first market for -200000 (k1)',
      'known split: -200000, 20 YES, 20 NO',
      'rejected money_key_reused: field key, actual k1',
      'rejected money_key_reused: field key, actual k1',
      'rejected money_key_reused: field key, actual k1',
      'rejected money_key_reused: field key, actual k1',
      'bob 20 sets of first market for -200000 (k1)',
    ],
    after: '',
    moved: ['ann: -200000 cash, +20 YES, +20 NO', 'bob: -200000 cash, +20 YES, +20 NO'],
  },
  {
    name: 'a set in a new market can be sold at once',
    before: '',
    when: ['ann splits 3 YES2+NO2 as k1', 'ann sells 3 NO2 at 4000', 'ann merges 3 YES2+NO2 as k2'],
    happens: [
      'ann 3 sets of second market for -30000 (k1)',
      'ann accepted',
      'bid 6000: 3',
      'rejected not_enough_tokens: field account, asset 22, required 3, available 0, held 3',
    ],
    after: '',
  },
  {
    name: 'splits are allowed in cancel_only; merges also when closed; neither when halted',
    before: '',
    when: [
      'the exchange is cancel_only',
      'ann splits 1 YES+NO as k1',
      'ann merges 1 YES+NO as k2',
      'the exchange is halted',
      'ann splits 1 YES+NO as k3',
      'ann merges 1 YES+NO as k3',
      'ann merges 1 YES+NO as k2',
      'the exchange is open',
      'the first market is halted',
      'ann splits 1 YES+NO as k3',
      'ann merges 1 YES+NO as k3',
      'the first market closes',
      'ann splits 1 YES+NO as k3',
      'ann merges 1 YES+NO as k3',
    ],
    happens: [
      'exchange cancel_only',
      'ann 1 sets of first market for -10000 (k1)',
      'ann -1 sets of first market for 10000 (k2)',
      'exchange halted',
      'rejected exchange_halted: field state, actual halted',
      'rejected exchange_halted: field state, actual halted',
      'known merge: 10000, 1 YES, 1 NO',
      'exchange open',
      'first market halted',
      `rejected market_halted: field conditionId, actual 0x${'1'.repeat(64)}`,
      `rejected market_halted: field conditionId, actual 0x${'1'.repeat(64)}`,
      'first market closed',
      `rejected market_closed: field conditionId, actual 0x${'1'.repeat(64)}`,
      'ann -1 sets of first market for 10000 (k3)',
    ],
    after: '',
    moved: ['ann: +10000 cash, -1 YES, -1 NO'],
  },
  {
    name: 'an owner who may not buy can merge, but not split',
    before: '',
    when: [
      'ann is banned',
      'bob is closed_only',
      'ann-safe splits 1 YES+NO as k1',
      'bob splits 1 YES+NO as k1',
      'ann-safe merges 1 YES+NO as k1',
      'bob merges 1 YES+NO as k1',
    ],
    happens: [
      'ann banned',
      'bob closed_only',
      'rejected owner_banned: field owner, actual 0x616e6e0000000000000000000000000000000000',
      'rejected owner_closed_only: field owner, actual 0x626f620000000000000000000000000000000000',
      'ann-safe -1 sets of first market for 10000 (k1)',
      'bob -1 sets of first market for 10000 (k1)',
    ],
    after: '',
    moved: ['ann-safe: +10000 cash, -1 YES, -1 NO', 'bob: +10000 cash, -1 YES, -1 NO'],
  },
];

t.test('sets', (t) => {
  runScenarios(t, SETS);
  t.end();
});
