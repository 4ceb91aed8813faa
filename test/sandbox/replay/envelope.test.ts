import t from 'tap';
import { readEnvelope, timeMsIn } from '../../../sandbox/replay/envelope.ts';

const BOOK = { event_type: 'book', asset_id: '1' };
const TEXT = JSON.stringify(BOOK);
const MS = 1_757_908_892_351;
const ISO = '2025-09-15T04:01:32.351Z';

t.test('a line is a message, a list of them, or an envelope of either', async (t) => {
  const rows: readonly (readonly [line: unknown, messages: readonly object[], ms?: number])[] = [
    [BOOK, [BOOK]],
    [
      [BOOK, BOOK],
      [BOOK, BOOK],
    ],
    [{ ts: MS, msg: BOOK }, [BOOK], MS],
    [{ ts: MS / 1_000, msg: [BOOK] }, [BOOK], MS],
    [{ frame_seq: 1, ts_recv: 1_757_908_892.351, raw: TEXT }, [BOOK], MS],
    [{ frame_seq: 2, ts_recv: 1_757_908_892.351, raw: `[${TEXT}]` }, [BOOK], MS],
    [{ received_at_utc: ISO, raw_text: TEXT, json: BOOK }, [BOOK], MS],
    [{ received_at: ISO, payload: TEXT }, [BOOK], MS],
    [{ time: MS * 1_000, data: BOOK }, [BOOK], MS],
    [{ t: `${MS}000000`, message: BOOK }, [BOOK], MS],
    [{ ts: MS, event_type: 'book', data: BOOK }, [BOOK], MS],
    [{ ts: MS, raw: 'PONG' }, [], MS],
    [{ ts: 'yesterday', msg: BOOK }, [BOOK]],
  ];
  for (const [line, messages, ms] of rows) {
    const text = JSON.stringify(line);
    t.strictSame(readEnvelope(text), { receivedMs: ms, messages }, text);
  }
});

t.test('what is no message of any form is undefined', async (t) => {
  for (const line of ['{', '1', 'null', '[1]', '[[]]', '"text"', 'PONG PONG']) {
    t.equal(readEnvelope(line), undefined, line);
  }
});

t.test('times are seconds to nanoseconds, or ISO 8601', async (t) => {
  t.equal(timeMsIn(1_757_908_892.351), MS);
  t.equal(timeMsIn(`${MS}`), MS);
  t.equal(timeMsIn(MS * 1e3), MS);
  t.equal(timeMsIn(ISO), MS);
  for (const none of [0, -1, Number.NaN, null, {}, '', 'now']) t.equal(timeMsIn(none), undefined);
});
