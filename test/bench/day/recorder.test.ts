// What the trading day of the bench counts of its answers.

import t from 'tap';
import { DayRecorder } from '../../../bench/day/recorder.ts';

const OPENING_MS = 5_000;
const answer = { read: '', items: 1, dueMs: OPENING_MS + 61_000, latencyMs: 3 } as const;
function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

t.test('accepted orders, refusals by code and latencies by minute', async (t) => {
  const recorder = new DayRecorder(2, OPENING_MS);
  const batch = [
    { success: true },
    { success: false, code: 'not_enough_cash' },
    { success: true },
    { success: false, code: 'internal_error' },
  ];
  recorder.take({ ...answer, lane: 'orders', items: 4, status: 200, body: json(batch) });
  const refusal = { success: false, code: 'overloaded' };
  recorder.take({ ...answer, lane: 'orders', status: 503, body: json(refusal) });
  const cancelled = { canceled: ['0xa', '0xb'], not_canceled: { '0xc': 'gone' } };
  recorder.take({ ...answer, lane: 'cancels', items: 3, status: 200, body: json(cancelled) });
  const book = json({ code: 'in a book', market: 'm' });
  recorder.take({ ...answer, lane: 'reads', read: 'book', status: 200, body: book });
  recorder.take({ ...answer, lane: 'reads', read: 'price', status: 500, body: json('what') });

  t.equal(recorder.accepted, 2);
  t.strictSame(recorder.cancels, { cancelled: 2, gone: 1 });
  t.strictSame(
    new Map(recorder.unexpected),
    new Map([
      ['orders: internal_error', 1],
      ['orders: overloaded', 1],
      ['price: status 500', 1],
    ]),
  );
  t.equal(new Map(recorder.codes).get('orders: not_enough_cash'), 1);
  const [first, second] = recorder.minutes;
  t.equal(first?.orders.requests, 0);
  t.match(second?.orders, { requests: 2, items: 5 });
  t.match(second?.cancels, { requests: 1, items: 3 });
  t.equal(Math.round((second?.reads.p50 ?? 0) / 1e6), 3);
});

t.test('of the opening only what is in the journal counts, not how long it took', async (t) => {
  const recorder = new DayRecorder(1, OPENING_MS);
  const body = json({ success: true });
  recorder.take({ ...answer, lane: 'orders', dueMs: 4_999, status: 200, body });
  t.equal(recorder.accepted, 1);
  t.equal(recorder.minutes[0]?.orders.requests, 0);
});
