import t from 'tap';
import { TIME_IN_WORDS, timeMsOf } from '../../../http/codec/index.ts';
import { checkTimestamp, missing } from '../../../http/signing/auth-headers.ts';

t.test('a timestamp is read as seconds or milliseconds by its size', async (t) => {
  const rows = [
    ['0', 0],
    ['1780449126', 1_780_449_126_000],
    ['1780449126930', 1_780_449_126_930],
    ['99999999999', 99_999_999_999_000],
    ['100000000000', 100_000_000_000],
    ['253402300799999', 253_402_300_799_999],
    ['253402300800000', undefined],
    ['', undefined],
    ['-1', undefined],
    ['01', undefined],
    ['1780449126.5', undefined],
    ['1e9', undefined],
    ['1780449126 ', undefined],
    ['1780449126\n', undefined],
    ['1000000000000000', undefined],
    ['now', undefined],
  ] as const;
  for (const [text, timeMs] of rows) t.equal(timeMsOf(text), timeMs, JSON.stringify(text));
});

t.test('a timestamp may be as far from now as the window, in both directions', async (t) => {
  const window = { nowMs: 1_780_449_126_930, windowMs: 300_000 };
  const rows = [
    [window.nowMs - 300_000, undefined],
    [window.nowMs - 300_001, 'stale'],
    [window.nowMs, undefined],
    [window.nowMs + 300_000, undefined],
    [window.nowMs + 300_001, 'stale'],
  ] as const;
  for (const [timeMs, code] of rows) t.equal(checkTimestamp(String(timeMs), window)?.code, code);
});

t.test('a refused timestamp names itself and its bounds', async (t) => {
  const window = { nowMs: 2_000_000_000_000, windowMs: 5_000 };
  t.same(checkTimestamp('now', window), {
    ok: false,
    code: 'malformed',
    field: 'timestamp',
    actual: 'now',
    expected: TIME_IN_WORDS,
  });
  t.same(checkTimestamp('1780449126', window), {
    ok: false,
    code: 'stale',
    field: 'timestamp',
    actual: '1780449126000 ms',
    expected: 'within 5000 ms of 2000000000000 ms',
  });
});

t.test('a missing header is named', async (t) => {
  const refusal = { ok: false, code: 'missing', field: 'nonce', actual: 'absent' } as const;
  t.same(missing('nonce'), { ...refusal, expected: 'present' });
});
