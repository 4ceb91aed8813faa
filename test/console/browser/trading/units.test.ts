/** Amounts as the pages write them. */
import t from 'tap';
import {
  lotsOfTokens,
  microsOf,
  shortMoney,
  signedMoney,
  tokenCount,
} from '../../../../console/browser/trading/units.ts';

t.test('numbers of the analytics are whole numbers again', async (t) => {
  for (const [amount, micros] of [
    [0, 0],
    [0.1, 100_000],
    [4.35, 4_350_000],
    [-0.009999, -9_999],
    [1_000_000_000.000001, 1_000_000_000_000_001],
  ] as const) {
    t.equal(microsOf(amount), micros);
  }
  t.equal(lotsOfTokens(1.15), 115, 'not 114, as 1.15 times 100 is less than 115');
});

t.test('cash is cut to cents, and less than a cent is written out', async (t) => {
  for (const [micros, text] of [
    [0, '$0.00'],
    [1_999_999, '$1.99'],
    [-1_999_999, '−$1.99'],
    [1_234_567_890_000, '$1,234,567.89'],
    [9_999, '$0.009999'],
    [-1, '−$0.000001'],
  ] as const) {
    t.equal(shortMoney(micros), text);
  }
});

t.test('a profit has a plus, and a loss a minus', async (t) => {
  t.equal(signedMoney(1_500_000), '+$1.50');
  t.equal(signedMoney(-1_500_000), '−$1.50');
  t.equal(signedMoney(0), '$0.00');
});

t.test('tokens are counted in words', async (t) => {
  t.equal(tokenCount(100), '1 token');
  t.equal(tokenCount(1), '0.01 tokens');
  t.equal(tokenCount(123_450), '1,234.5 tokens');
});
