// Fees: what each side of a fill pays, on top of its price or out of its proceeds, and to whom.
import t from 'tap';
import type { Scenario } from './scenario.ts';
import { runScenarios } from './scenario.ts';

const ONE_ASK = `
      bid | price | ask
          | 5000  | bob 10000`;
const ONE_BID = `
      bid       | price | ask
      bob 10000 | 5000  |`;
const EMPTY = `
      bid | price | ask`;
function charged(rates: string) {
  return `first market ticks 100, least 1/1, cancel_maker, fees ${rates}`;
}
function lacks(required: number, available: number): string {
  return `field account, asset cash, required ${required}, available ${available}, held 0`;
}
const FREE = 'first market ticks 100, least 1/1, cancel_maker';

const TAKERS: readonly Scenario[] = [
  {
    name: 'a buying taker pays on top of the price',
    before: ONE_ASK,
    when: ['the first market charges 441/0 with exponent 1', 'ann buys 10000 YES at 5000'],
    happens: [
      'account_opened',
      charged('441/0^1'),
      'ann accepted',
      'transfer 10000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'bob matched, filled 10000 for 50000000',
      'ask 5000: 0',
      'ann matched, filled 10000 for 50000000, fees 1102500',
    ],
    after: EMPTY,
    moved: [
      'ann: -51102500 cash, +10000 YES',
      'bob: +50000000 cash, -10000 YES',
      'fees: +1102500 cash',
    ],
  },
  {
    name: 'a selling taker pays out of its proceeds',
    before: ONE_BID,
    when: [
      'the second market charges 0/1 with exponent 0',
      'the first market charges 441/0 with exponent 1',
      'ann sells 10000 YES at 4000',
    ],
    happens: [
      'account_opened',
      'second market ticks 100, least 1/1, cancel_maker, fees 0/1^0',
      charged('441/0^1'),
      'ann accepted',
      'transfer 10000: ann SELL YES 5000, bob BUY YES 5000 (0), fees 1102500 + 0 at 441/0',
      'bob matched, filled 10000 for 50000000',
      'bid 5000: 0',
      'ann matched, filled 10000 for 50000000, fees 1102500',
    ],
    after: EMPTY,
    moved: [
      'ann: +48897500 cash, -10000 YES',
      'bob: -50000000 cash, +10000 YES',
      'fees: +1102500 cash',
    ],
  },
  {
    name: 'both sides of a mint pay on top, each at its own price and rate',
    before: EMPTY,
    when: [
      'the first market charges 441/100 with exponent 2',
      'bob buys 10000 NO at 2000',
      'ann buys 10000 YES at 8000',
    ],
    happens: [
      'account_opened',
      charged('441/100^2'),
      'bob accepted',
      'ask 8000: 10000',
      'ann accepted',
      // 100 x (0.8 x 0.2)^2 is 2.56; the fees are 4.41% and 1% of it.
      'mint 10000: ann BUY YES 8000, bob BUY NO 2000 (0), fees 112900 + 25600 at 441/100',
      'bob matched, filled 10000 for 20000000, fees 25600',
      'ask 8000: 0',
      'ann matched, filled 10000 for 80000000, fees 112900',
    ],
    after: EMPTY,
    moved: [
      'ann: -80112900 cash, +10000 YES',
      'bob: -20025600 cash, +10000 NO',
      'fees: +138500 cash',
    ],
  },
  {
    name: 'both sides of a merge pay out of their proceeds',
    before: EMPTY,
    when: [
      'the first market charges 200/100 with exponent 0',
      'bob sells 10000 NO at 2000',
      'ann sells 10000 YES at 8000',
    ],
    happens: [
      'account_opened',
      charged('200/100^0'),
      'bob accepted',
      'bid 8000: 10000',
      'ann accepted',
      'merge 10000: ann SELL YES 8000, bob SELL NO 2000 (0), fees 2000000 + 1000000 at 200/100',
      'bob matched, filled 10000 for 20000000, fees 1000000',
      'bid 8000: 0',
      'ann matched, filled 10000 for 80000000, fees 2000000',
    ],
    after: EMPTY,
    moved: [
      'ann: +78000000 cash, -10000 YES',
      'bob: +19000000 cash, -10000 NO',
      'fees: +3000000 cash',
    ],
  },
  {
    name: 'a fill is charged the increase of the fee of all fills',
    before: `
      bid | price | ask
          | 5200  | dan 10
          | 5100  | eve 10
          | 5000  | bob 10`,
    when: ['the first market charges 7/0 with exponent 1', 'ann buys 30 YES at 5200'],
    happens: [
      'account_opened',
      charged('7/0^1'),
      'ann accepted',
      // The fee so far: 17.5 micros, then 34.993, then 52.465, each rounded to 10.
      'transfer 10: ann BUY YES 5000, bob SELL YES 5000 (0), fees 20 + 0 at 7/0',
      'bob matched, filled 10 for 50000',
      'ask 5000: 0',
      'transfer 10: ann BUY YES 5100, eve SELL YES 5100 (1), fees 10 + 0 at 7/0',
      'eve matched, filled 10 for 51000',
      'ask 5100: 0',
      'transfer 10: ann BUY YES 5200, dan SELL YES 5200 (2), fees 20 + 0 at 7/0',
      'dan matched, filled 10 for 52000',
      'ask 5200: 0',
      'ann matched, filled 30 for 153000, fees 50',
    ],
    after: EMPTY,
  },
  {
    name: 'a seller is never charged more than the proceeds of a fill; the exchange is paid first',
    before: `
      bid     | price | ask
      bob 100 | 9000  |
      cat 100 | 1000  |`,
    when: [
      'the first market charges 5000/0 with exponent 0',
      'the builder apps earns 5000, 0/0 for zoe',
      'ann sells 200 YES at 1000 via apps',
    ],
    happens: [
      'account_opened',
      charged('5000/0^0'),
      'builder apps 5000, 0/0 for zoe',
      'ann accepted',
      // Due are 0.5 for the exchange and 0.5 for the builder: more than 0.9, and than 0.1.
      'transfer 100: ann SELL YES 9000, bob BUY YES 9000 (0), fees 900000 (400000) + 0 at 5000/0',
      'bob matched, filled 100 for 900000',
      'bid 9000: 0',
      'transfer 100: ann SELL YES 1000, cat BUY YES 1000 (1), fees 100000 + 0 at 5000/0',
      'cat matched, filled 100 for 100000',
      'bid 1000: 0',
      'ann matched, filled 200 for 1000000, fees 1000000',
    ],
    after: EMPTY,
    moved: [
      'ann: -200 YES',
      'bob: -900000 cash, +100 YES',
      'cat: -100000 cash, +100 YES',
      'zoe: +400000 cash',
      'fees: +600000 cash',
    ],
  },
];

const MAKERS: readonly Scenario[] = [
  {
    name: 'a resting order pays the rates at its acceptance',
    before: EMPTY,
    when: [
      'bob buys 100 YES at 5000',
      'the first market charges 400/200 with exponent 1',
      'cat buys 100 YES at 5000',
      'the first market charges 0/0 with exponent 1',
      'dan buys 100 YES at 5000',
      'ann sells 300 YES at 5000',
    ],
    happens: [
      'bob accepted',
      'bid 5000: 100',
      'account_opened',
      charged('400/200^1'),
      'cat accepted',
      'bid 5000: 200',
      FREE,
      'dan accepted',
      'bid 5000: 300',
      'ann accepted',
      'transfer 100: ann SELL YES 5000, bob BUY YES 5000 (0)',
      'bob matched, filled 100 for 500000',
      'transfer 100: ann SELL YES 5000, cat BUY YES 5000 (0), fees 0 + 5000 at 0/200',
      'cat matched, filled 100 for 500000, fees 5000',
      'transfer 100: ann SELL YES 5000, dan BUY YES 5000 (0)',
      'dan matched, filled 100 for 500000',
      'bid 5000: 0',
      'ann matched, filled 300 for 1500000',
    ],
    after: EMPTY,
    moved: [
      'ann: +1500000 cash, -300 YES',
      'bob: -500000 cash, +100 YES',
      'cat: -505000 cash, +100 YES',
      'dan: -500000 cash, +100 YES',
      'fees: +5000 cash',
    ],
  },
  {
    name: 'an order pays as a taker first and as a maker for its rest',
    before: `
      bid | price | ask
          | 5000  | bob 100`,
    when: [
      'the first market charges 400/200 with exponent 1',
      'ann buys 300 YES at 5000',
      'cat sells 50 YES at 5000',
      'cat2 sells 150 YES at 5000',
    ],
    happens: [
      'account_opened',
      charged('400/200^1'),
      'ann accepted',
      'transfer 100: ann BUY YES 5000, bob SELL YES 5000 (0), fees 10000 + 0 at 400/0',
      'bob matched, filled 100 for 500000',
      'ask 5000: 0',
      'bid 5000: 200',
      'cat accepted',
      'transfer 50: cat SELL YES 5000, ann BUY YES 5000 (0), fees 5000 + 2500 at 400/200',
      'bid 5000: 150',
      'cat matched, filled 50 for 250000, fees 5000',
      'cat2 accepted',
      'transfer 150: cat2 SELL YES 5000, ann BUY YES 5000 (0), fees 15000 + 7500 at 400/200',
      'ann matched, filled 300 for 1500000, fees 20000',
      'bid 5000: 0',
      'cat2 matched, filled 150 for 750000, fees 15000',
    ],
    after: EMPTY,
    moved: [
      'ann: -1520000 cash, +300 YES',
      'bob: +500000 cash, -100 YES',
      'cat: +980000 cash, -200 YES',
      'fees: +40000 cash',
    ],
  },
];

const BUILDERS: readonly Scenario[] = [
  {
    name: 'a builder gets its share and its flat rate; an unknown code gets nothing',
    before: ONE_ASK,
    when: [
      'the first market charges 441/0 with exponent 1',
      'the builder apps earns 3000, 25/7 for zoe',
      'ann buys 5000 YES at 5000 via apps',
      'cat buys 5000 YES at 5000 via bots',
    ],
    happens: [
      'account_opened',
      charged('441/0^1'),
      'builder apps 3000, 25/7 for zoe',
      'ann accepted',
      // 0.55125 / 0.7 is 0.7875, and 0.25% of 25 is 0.0625.
      'transfer 5000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 850000 (298750) + 0 at 441/0',
      'ask 5000: 5000',
      'ann matched, filled 5000 for 25000000, fees 850000',
      'cat accepted',
      'transfer 5000: cat BUY YES 5000, bob SELL YES 5000 (0), fees 551250 + 0 at 441/0',
      'bob matched, filled 10000 for 50000000',
      'ask 5000: 0',
      'cat matched, filled 5000 for 25000000, fees 551250',
    ],
    after: EMPTY,
    moved: [
      'ann: -25850000 cash, +5000 YES',
      'bob: +50000000 cash, -10000 YES',
      'cat: -25551250 cash, +5000 YES',
      'zoe: +298750 cash',
      'fees: +1102500 cash',
    ],
  },
  {
    name: 'a maker pays the builder as set at its acceptance, even in a market without fees',
    before: EMPTY,
    when: [
      'the builder apps earns 3000, 0/7 for zoe',
      'bob sells 10000 YES at 5000 via apps',
      'the builder apps earns 0, 0/0 for dan',
      'ann buys 10000 YES at 5000 via apps',
    ],
    happens: [
      'account_opened',
      'builder apps 3000, 0/7 for zoe',
      'bob accepted',
      'ask 5000: 10000',
      'builder apps 0, 0/0 for dan',
      'ann accepted',
      'transfer 10000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 0 + 35000 (35000) at 0/0',
      'bob matched, filled 10000 for 50000000, fees 35000',
      'ask 5000: 0',
      'ann matched, filled 10000 for 50000000',
    ],
    after: EMPTY,
    moved: [
      'ann: -50000000 cash, +10000 YES',
      'bob: +49965000 cash, -10000 YES',
      'zoe: +35000 cash',
    ],
  },
  {
    name: 'a builder that trades with its own code pays itself',
    before: `
      bid | price | ask
          | 5000  | bob 1000`,
    when: [
      'the first market charges 441/0 with exponent 1',
      'the builder me earns 5000, 0/100 for ann',
      'ann buys YES for 5000000 at 5000 FOK via me',
    ],
    happens: [
      'account_opened',
      charged('441/0^1'),
      'builder me 5000, 0/100 for ann',
      'ann accepted',
      'transfer 1000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 220500 (110250) + 0 at 441/0',
      'bob matched, filled 1000 for 5000000',
      'ask 5000: 0',
      'ann matched, filled 1000 for 5000000, fees 220500',
    ],
    after: EMPTY,
    moved: ['ann: -5110250 cash, +1000 YES', 'bob: +5000000 cash, -1000 YES', 'fees: +110250 cash'],
  },
  {
    name: 'the operator can withdraw the collected fees and no more',
    before: ONE_ASK,
    when: [
      'the first market charges 441/0 with exponent 1',
      'ann buys 10000 YES at 5000',
      'the operator withdraws 1102501 from fees as w1',
      'the operator withdraws 1102500 from fees as w1',
    ],
    happens: [
      'account_opened',
      charged('441/0^1'),
      'ann accepted',
      'transfer 10000: ann BUY YES 5000, bob SELL YES 5000 (0), fees 1102500 + 0 at 441/0',
      'bob matched, filled 10000 for 50000000',
      'ask 5000: 0',
      'ann matched, filled 10000 for 50000000, fees 1102500',
      `rejected not_enough_cash: ${lacks(1_102_501, 1_102_500)}`,
      'cash_moved',
    ],
    after: EMPTY,
    moved: ['ann: -51102500 cash, +10000 YES', 'bob: +50000000 cash, -10000 YES'],
  },
];

t.test('fees of takers', (t) => {
  runScenarios(t, TAKERS);
  t.end();
});

t.test('fees of orders that rest', (t) => {
  runScenarios(t, MAKERS);
  t.end();
});

t.test('the shares of builders and of the exchange', (t) => {
  runScenarios(t, BUILDERS);
  t.end();
});
