// What the trading day counts of its answers.

import t from 'tap';
import { DayRecorder } from '../../../bench/day/recorder.ts';
import type { DayRequest } from '../../../bench/day/terms.ts';

const OPENING_MS = 5_000;
const request = { method: 'POST', path: '/', headers: {}, body: '' } as const;

function sent(lane: DayRequest['lane'], terms: Partial<DayRequest> = {}): DayRequest {
  return { request, lane, read: '', items: 1, dueMs: OPENING_MS + 61_000, ...terms };
}

function answer(value: unknown): string {
  return `HTTP/1.1 200 OK\r\n\r\n${JSON.stringify(value)}`;
}

t.test('accepted orders, refusals by code and latencies by minute', async (t) => {
  const recorder = new DayRecorder(2, OPENING_MS);
  const batch = [
    { success: true },
    { success: false, code: 'not_enough_cash' },
    { success: true },
    { success: false, code: 'internal_error' },
  ];
  recorder.take(sent('orders', { items: 4 }), 200, 3, answer(batch));
  recorder.take(sent('orders'), 503, 3, answer({ success: false, code: 'overloaded' }));
  const cancelled = { canceled: ['0xa', '0xb'], not_canceled: { '0xc': 'gone' } };
  recorder.take(sent('cancels', { items: 3 }), 200, 3, answer(cancelled));
  const book = answer({ code: 'in a book', market: 'm' });
  recorder.take(sent('reads', { read: 'book' }), 200, 3, book);
  recorder.take(sent('reads', { read: 'price' }), 500, 3, answer('what'));

  t.equal(recorder.accepted, 2);
  t.strictSame(recorder.cancels, { cancelled: 2, gone: 1 });
  t.strictSame(
    recorder.unexpected,
    new Map([
      ['orders: internal_error', 1],
      ['orders: overloaded', 1],
      ['price: status 500', 1],
    ]),
  );
  t.equal(recorder.refused.get('orders: not_enough_cash'), 1);
  const [first, second] = recorder.minutes;
  t.equal(first?.orders.requests, 0);
  t.match(second?.orders, { requests: 2, items: 5 });
  t.match(second?.cancels, { requests: 1, items: 3 });
  t.equal(Math.round((second?.reads.p50 ?? 0) / 1e6), 3);
  t.strictSame(
    recorder.reads.map(([read, { requests }]) => [read, requests]),
    [
      ['book', 1],
      ['price', 1],
    ],
  );
});

t.test('the orders of the opening count, their latencies do not', async (t) => {
  const recorder = new DayRecorder(1, OPENING_MS);
  recorder.take(sent('orders', { dueMs: 4_999 }), 200, 3, answer({ success: true }));
  t.equal(recorder.accepted, 1);
  t.equal(recorder.minutes[0]?.orders.requests, 0);
});
