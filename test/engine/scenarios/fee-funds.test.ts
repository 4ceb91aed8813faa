// The cash that orders need and hold for fees, and what a budget buys after its fees.
import { strict as assert } from 'node:assert';
import type { Test } from 'tap';
import t from 'tap';
import { Engine, micros, ticks } from '../../../engine/index.ts';
import { ENGINES, makeReal } from '../engines.ts';
import { DrawnBook } from './drawn-book.ts';
import { placeOrder } from './language.ts';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const EMPTY = `
      bid | price | ask`;
const CHARGES = 'the first market charges 441/0 with exponent 1';
const CHARGED = 'first market ticks 100, least 1/1, cancel_maker, fees 441/0^1';
/** The cash that each account has at the start. */
const CASH_MICROS = 900_000_000;

/** The sentence that withdraws cash until an account has this much. */
function keeps(account: string, micros: number): string {
  return `the operator withdraws ${CASH_MICROS - micros} from ${account} as spare-${account}`;
}
const LACKING =
  'rejected not_enough_cash: field account, asset cash, required 511025, available 511024, held 0';

/** A sentence, and ann's available and held cash after it. */
type Step = readonly [sentence: string, available: number, held: number];

function follow(t: Test, drawing: string, steps: readonly Step[]): void {
  for (const [engine, make] of ENGINES) {
    const book = new DrawnBook(make);
    book.draw(drawing);
    for (const [sentence, available, held] of steps) {
      book.say(sentence);
      t.strictSame(book.cashOf('ann'), { available, held }, `${sentence} (${engine})`);
    }
  }
}

t.test('a resting BUY holds the fees of its fills and releases the rest', (t) => {
  follow(t, EMPTY, [
    ['the first market charges 400/7 with exponent 1', 900_000_000, 0],
    // 300 lots at 0.5 and 525 micros, rounded to 530; a taker would have owed 30,000.
    ['ann buys 300 YES at 5000', 898_499_470, 1_500_530],
    ['bob sells 1 YES at 5000', 898_499_470, 1_495_530],
    // After one lot, 1.75 micros round to 0; after six, 10.5 micros round to 10.
    ['bob2 sells 5 YES at 5000', 898_499_470, 1_470_520],
    ['the first market charges 0/5000 with exponent 1', 898_499_470, 1_470_520],
    ['bob3 sells 94 YES at 5000', 898_499_470, 1_000_350],
    ['ann cancels ann', 899_499_820, 0],
  ]);
  follow(t, EMPTY, [
    ['the first market charges 0/400 with exponent 1', 900_000_000, 0],
    ['[10] ann buys 300 YES at 5000 until 50', 898_470_000, 1_530_000],
    ['[50] time passes', 900_000_000, 0],
  ]);
  t.end();
});

t.test('a BUY that fills first holds its maker fee for the rest', (t) => {
  const drawing = `
      bid | price | ask
          | 4000  | bob 100`;
  follow(t, drawing, [
    ['the first market charges 400/200 with exponent 1', 900_000_000, 0],
    // 0.4 and 0.0096 for the fill; 200 lots at 0.5 and 0.01 for the rest.
    ['ann buys 300 YES at 5000', 898_580_400, 1_010_000],
    ['cat sells 200 YES at 5000', 898_580_400, 0],
  ]);
  t.end();
});

t.test('a resting SELL holds its tokens and no cash for fees', (t) => {
  follow(t, EMPTY, [
    ['the first market charges 400/400 with exponent 1', 900_000_000, 0],
    ['ann sells 100 YES at 5000', 900_000_000, 0],
    ['bob buys 40 YES at 5000', 900_196_000, 0],
    ['ann cancels ann', 900_196_000, 0],
  ]);
  t.end();
});

const SELF_TRADES: readonly Scenario[] = [
  {
    name: 'an own order that self-trade prevention cancels releases the fees that it held',
    before: EMPTY,
    when: [
      'the first market charges 0/400 with exponent 1',
      'ann buys 100 YES at 5000',
      'ann-safe sells 100 YES at 5000 FAK',
      'bob buys 50 YES at 5000',
      'ann-safe2 sells 100 YES at 5000',
      'ann cancels ann-safe2',
    ],
    happens: [
      'account_opened',
      'first market ticks 100, least 1/1, cancel_maker, fees 0/400^1',
      'ann accepted',
      'bid 5000: 100',
      'rejected nothing_to_match: field priceTicks, limit 5000, actual 5000',
      'bob accepted',
      'bid 5000: 150',
      'ann-safe2 accepted',
      'ann self_trade, filled 0 for 0',
      'transfer 50: ann-safe2 SELL YES 5000, bob BUY YES 5000 (0), fees 0 + 5000 at 0/400',
      'bob matched, filled 50 for 250000, fees 5000',
      'bid 5000: 0',
      'ask 5000: 50',
      'ann-safe2 canceled, filled 50 for 250000',
      'ask 5000: 0',
    ],
    after: EMPTY,
    moved: ['ann-safe: +250000 cash, -50 YES', 'bob: -255000 cash, +50 YES', 'fees: +5000 cash'],
  },
  {
    name: 'a taker that stops at an own order has paid for what it filled',
    selfTrade: 'cancel_taker',
    before: `
      bid | price | ask
          | 5100  | ann 100
          | 5000  | bob 100`,
    when: [CHARGES, 'ann2 buys 200 YES at 5100'],
    happens: [
      'account_opened',
      'first market ticks 100, least 1/1, cancel_taker, fees 441/0^1',
      'ann2 accepted',
      'transfer 100: ann2 BUY YES 5000, bob SELL YES 5000 (0), fees 11030 + 0 at 441/0',
      'bob matched, filled 100 for 500000',
      'ask 5000: 0',
      'ann2 self_trade, filled 100 for 500000, fees 11030',
    ],
    after: `
      bid | price | ask
          | 5100  | ann 100`,
    moved: ['ann: -511030 cash, +100 YES', 'bob: +500000 cash, -100 YES', 'fees: +11030 cash'],
  },
];

const FINE = { tickTicks: ticks(1) };
const TWO_PRICES = `
      bid | price | ask
          | 6396  | eve 5
          | 6395  | bob 5`;

const BUDGETS: readonly Scenario[] = [
  {
    name: 'the fees of a budget are added to it',
    before: `
      bid | price | ask
          | 5000  | bob 10000`,
    when: [CHARGES, keeps('ann', 51_102_500), 'ann buys YES for 50000000 at 5000 FOK'],
    happens: [
      'account_opened',
      CHARGED,
      'cash_moved',
      'ann accepted',
      'transfer 10000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'bob matched, filled 10000 for 50000000',
      'ask 5000: 0',
      'ann matched, filled 10000 for 50000000, fees 1102500',
    ],
    after: EMPTY,
    moved: [
      'ann: -900000000 cash, +10000 YES',
      'bob: +50000000 cash, -10000 YES',
      'fees: +1102500 cash',
    ],
  },
  {
    name: 'a budget that meets a better price buys what the cash allows and is complete',
    before: `
      bid | price | ask
          | 1000  | bob 200, cat 790, eve 10`,
    when: [
      CHARGES,
      keeps('ann', 511_024),
      'ann buys YES for 500000 at 5000 FOK',
      keeps('dan', 511_025),
      // 500 lots would cost 519845 with their fees, 492 would cost 511530.
      'dan buys YES for 500000 at 5000 FOK',
    ],
    happens: [
      'account_opened',
      CHARGED,
      'cash_moved',
      LACKING,
      'cash_moved',
      'dan accepted',
      'transfer 200: dan BUY YES 1000, bob SELL YES 1000 (0), fees 7940 + 0 at 441/0',
      'bob matched, filled 200 for 200000',
      'transfer 291: dan BUY YES 1000, cat SELL YES 1000 (0), fees 11550 + 0 at 441/0',
      'ask 1000: 509',
      'dan matched, filled 491 for 491000, fees 19490',
    ],
    after: `
      bid | price | ask
          | 1000  | cat 499, eve 10`,
    moved: [
      'ann: -899488976 cash',
      'bob: +200000 cash, -200 YES',
      'cat: +291000 cash, -291 YES',
      'dan: -899999465 cash, +491 YES',
      'fees: +19490 cash',
    ],
  },
  {
    name: 'a budget stops where its cash ends, even if rounding makes another lot cheaper',
    terms: FINE,
    before: TWO_PRICES,
    when: [CHARGES, keeps('ann', 19_486), 'ann buys YES for 19186 at 6396 FOK'],
    happens: [
      'account_opened',
      CHARGED.replace('ticks 100', 'ticks 1'),
      'cash_moved',
      'ann accepted',
      // Three lots would cost 19495 if the third were bought at 6395, and cost 19486 at 6396.
      'transfer 2: ann BUY YES 6395, bob SELL YES 6395 (0), fees 200 + 0 at 441/0',
      'ask 6395: 3',
      'ann matched, filled 2 for 12790, fees 200',
    ],
    after: `
      bid | price | ask
          | 6396  | eve 5
          | 6395  | bob 3`,
  },
  {
    name: 'with the cash that the published client reserves, rounding can cost one lot',
    before: `
      bid | price | ask
          | 5000  | bob 1000`,
    when: [CHARGES, keeps('ann', 511_025), 'ann buys YES for 500000 at 5000 FOK'],
    happens: [
      'account_opened',
      CHARGED,
      'cash_moved',
      'ann accepted',
      // The fee of 100 lots is 11025 and charged as 11030.
      'transfer 99: ann BUY YES 5000, bob SELL YES 5000 (0), fees 10910 + 0 at 441/0',
      'ask 5000: 901',
      'ann matched, filled 99 for 495000, fees 10910',
    ],
    after: `
      bid | price | ask
          | 5000  | bob 901`,
  },
  {
    name: 'the published client lowers 200 with a balance of 200 to 195.59, which is accepted',
    before: `
      bid | price | ask
          | 5000  | eve 10000, dan 10000, cat 10000, bob 10000`,
    when: [CHARGES, keeps('ann', 200_000_000), 'ann buys YES for 195590000 at 5000 FOK'],
    happens: [
      'account_opened',
      CHARGED,
      'cash_moved',
      'ann accepted',
      'transfer 10000: ann BUY YES 5000, eve SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'eve matched, filled 10000 for 50000000',
      'transfer 10000: ann BUY YES 5000, dan SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'dan matched, filled 10000 for 50000000',
      'transfer 10000: ann BUY YES 5000, cat SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'cat matched, filled 10000 for 50000000',
      'transfer 9118: ann BUY YES 5000, bob SELL YES 5000 (0), fees 1005260 + 0 at 441/0',
      'ask 5000: 882',
      'ann matched, filled 39118 for 195590000, fees 4312760',
    ],
    after: `
      bid | price | ask
          | 5000  | bob 882`,
  },
  {
    name: 'the unspent budget of a FAK is released with its fees; a FOK is refused instead',
    before: `
      bid | price | ask
          | 1000  | bob 100`,
    when: [
      CHARGES,
      keeps('ann', 511_025),
      'ann buys YES for 500000 at 5000 FOK',
      'ann buys YES for 500000 at 5000 FAK',
    ],
    happens: [
      'account_opened',
      CHARGED,
      'cash_moved',
      'rejected fill_or_kill_unfilled: field budgetMicros, limit 100000, actual 500000',
      'ann accepted',
      'transfer 100: ann BUY YES 1000, bob SELL YES 1000 (0), fees 3970 + 0 at 441/0',
      'bob matched, filled 100 for 100000',
      'ask 1000: 0',
      'ann remainder_released, filled 100 for 100000, fees 3970',
    ],
    after: EMPTY,
    moved: ['ann: -899592945 cash, +100 YES', 'bob: +100000 cash, -100 YES', 'fees: +3970 cash'],
  },
  {
    name: 'a FAK and a FOK of lots are charged like other takers',
    before: `
      bid     | price | ask
      bob 100 | 5000  |`,
    when: [CHARGES, 'ann sells 50 YES at 5000 FOK', 'ann2 sells 80 YES at 5000 FAK'],
    happens: [
      'account_opened',
      CHARGED,
      'ann accepted',
      'transfer 50: ann SELL YES 5000, bob BUY YES 5000 (0), fees 5510 + 0 at 441/0',
      'bid 5000: 50',
      'ann matched, filled 50 for 250000, fees 5510',
      'ann2 accepted',
      'transfer 50: ann2 SELL YES 5000, bob BUY YES 5000 (0), fees 5510 + 0 at 441/0',
      'bob matched, filled 100 for 500000',
      'bid 5000: 0',
      'ann2 remainder_released, filled 50 for 250000, fees 5510',
    ],
    after: EMPTY,
  },
];

t.test('self-trades and fees', (t) => {
  runScenarios(t, SELF_TRADES);
  t.end();
});

t.test('budgets and fees', (t) => {
  runScenarios(t, BUDGETS);
  t.end();
});

t.test('the preview of a budget stops where its cash ends', (t) => {
  const book = new DrawnBook(makeReal, { terms: FINE });
  book.draw(TWO_PRICES);
  for (const sentence of [CHARGES, keeps('ann', 19_486)]) book.say(sentence);
  const { engine } = book;
  assert(engine instanceof Engine);
  const budget = { budgetMicros: micros(19_186), priceTicks: ticks(6_396), type: 'FOK' } as const;
  const preview = engine.previewOrder(0, placeOrder('ann', budget));
  t.match(preview, { event: undefined, filledLots: 2, filledMicros: 12_790, feeMicros: 200 });
  t.end();
});
