// What the trading day counts of its answers.

import t from 'tap';
import { DayRecorder } from '../../../bench/day/recorder.ts';
import type { DayRequest } from '../../../bench/day/trading.ts';

const OPENING_MS = 5_000;
const request = { method: 'POST', path: '/orders', headers: {}, body: '' } as const;

function sent(lane: DayRequest['lane'], terms: Partial<DayRequest> = {}): DayRequest {
  return { request, lane, items: 1, dueMs: OPENING_MS + 61_000, ...terms };
}

function read(path: string): DayRequest {
  return sent('reads', { request: { ...request, method: 'GET', path } });
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
  recorder.take(sent('cancels', { items: 3 }), 200, 3, answer({ canceled: ['0xa', '0xb'] }));
  recorder.take(read('/book?token_id=1'), 200, 3, answer({ code: 'in a book', market: 'm' }));
  recorder.take(read('/price?token_id=1'), 500, 3, answer('what'));

  t.equal(recorder.accepted, 2);
  t.strictSame(
    recorder.unexpected,
    new Map([
      ['/orders: internal_error', 1],
      ['/orders: overloaded', 1],
      ['/price: status 500', 1],
    ]),
  );
  t.equal(recorder.refused.get('/orders: not_enough_cash'), 1);
  const [first, second] = recorder.minutes;
  t.equal(first?.lanes.orders.count, 0);
  t.equal(second?.lanes.orders.count, 2);
  t.equal(second?.orders, 5);
  t.equal(second?.lanes.cancels.count, 1);
  t.equal(second?.lanes.reads.count, 2);
  t.equal(Math.round((second?.lanes.reads.percentiles.p50 ?? 0) / 1e6), 3);
});

t.test('the orders of the opening count, their latencies do not', async (t) => {
  const recorder = new DayRecorder(1, OPENING_MS);
  recorder.take(sent('orders', { dueMs: 4_999 }), 200, 3, answer({ success: true }));
  t.equal(recorder.accepted, 1);
  t.equal(recorder.minutes[0]?.lanes.orders.count, 0);
});
