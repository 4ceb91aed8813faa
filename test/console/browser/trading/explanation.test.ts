/** The figures and the refusal in the answer of POST /debug/order. */
import t from 'tap';
import { explanationOf } from '../../../../console/browser/trading/explanation.ts';

const STEPS = [
  { step: 'balance', ok: true, required: '53.12', available: '100' },
  {
    step: 'book',
    ok: true,
    wouldMatch: '100',
    forCash: '52.5',
    fee: '0.12',
    wouldRest: '0',
    delayMs: 3_000,
  },
];

t.test('an order that would be accepted has figures in whole numbers', async (t) => {
  const answer = { wouldBeAccepted: true, answer: null, steps: STEPS };
  t.strictSame(explanationOf(answer, 'BUY', true), {
    outcome: {
      filledLots: 10_000,
      cashMicros: 52_500_000,
      feeMicros: 120_000,
      restingLots: 0,
      delayMs: 3_000,
      required: 53_120_000,
    },
    refusal: undefined,
  });
  const sold = explanationOf(
    { ...answer, steps: [{ step: 'balance', required: '5.5' }, STEPS[1]!] },
    'SELL',
    true,
  );
  t.equal(sold.outcome?.required, 550, 'a SELL needs lots');
});

t.test('a refusal has the words of the exchange', async (t) => {
  const body = {
    error: 'it is too small',
    code: 'size_below_minimum',
    field: 'size',
    limit: '5',
    actual: 1,
  };
  const answer = { status: 400, body };
  const steps = [
    { step: 'balance', ok: null },
    { step: 'book', ok: null, bestBid: null },
  ];
  t.strictSame(explanationOf({ wouldBeAccepted: false, answer, steps }, 'BUY', true), {
    outcome: undefined,
    refusal: {
      text: 'it is too small',
      code: 'size_below_minimum',
      field: 'size',
      limit: '5',
      actual: '1',
    },
  });
});

t.test('nobody is told that an order is not signed before it is', async (t) => {
  const answer = {
    status: 400,
    body: { error: 'the signature is wrong', code: 'invalid_signature' },
  };
  const steps = [
    { step: 'shape', ok: true },
    { step: 'domains', ok: false },
    { step: 'price', ok: null },
  ];
  const said = { wouldBeAccepted: false, answer, steps };
  t.strictSame(explanationOf(said, 'BUY', false), { outcome: undefined, refusal: undefined });
  t.equal(explanationOf(said, 'BUY', true).refusal?.code, 'invalid_signature');
  const other = { ...said, steps: [{ step: 'grid', ok: false }] };
  t.equal(explanationOf(other, 'BUY', false).refusal?.code, 'invalid_signature');
});
