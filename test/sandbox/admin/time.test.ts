// The operator's requests that show and move the clock, and all that refuses them.
import t from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { isoTime } from '../../../http/codec/time.ts';
import { START_MS, shareTestExchange, startTestExchange } from '../../http/exchange-fixture.ts';

const HOUR_MS = 3_600_000;
const MOST_SECONDS = HTTP_BOUNDS.clockOffsetMs / 1_000;

/** Not shared with other files, whose orders would expire. */
const own = await startTestExchange(t);

t.test('a malformed request is refused by field, and changes nothing', async (t) => {
  const { operator, running, stateHash } = own;
  const { clock, exchange } = running.services;
  const now = isoTime(START_MS);
  const span = `after ${now}, up to ${isoTime(START_MS + HTTP_BOUNDS.clockOffsetMs)}`;
  const zoned = 'a date with a time and a time zone, such as 2027-01-31T12:00:00Z';
  type Row = [body: object, code: string, field: string, limit?: unknown, actual?: unknown];
  const rows: readonly Row[] = [
    [{}, 'missing_field', 'seconds'],
    [
      { seconds: 1, to: '2040-01-01T00:00:00Z' },
      'invalid_payload',
      'to',
      'absent beside `seconds`',
    ],
    [{ seconds: '60' }, 'invalid_payload', 'seconds', 'number', '60'],
    [{ seconds: null }, 'invalid_payload', 'seconds', 'number', null],
    [{ seconds: 0 }, 'invalid_payload', 'seconds', `0.001..${MOST_SECONDS}`, 0],
    [{ seconds: -60 }, 'invalid_payload', 'seconds', `0.001..${MOST_SECONDS}`, -60],
    [{ seconds: 1.0005 }, 'invalid_payload', 'seconds', 'a number with up to 3 decimals', 1.0005],
    [{ seconds: MOST_SECONDS + 1 }, 'invalid_payload', 'seconds', `0.001..${MOST_SECONDS}`],
    [{ to: 1_900_000_000 }, 'invalid_payload', 'to', 'string'],
    [{ to: '' }, 'invalid_payload', 'to', zoned, ''],
    [{ to: 'tomorrow' }, 'invalid_payload', 'to', zoned, 'tomorrow'],
    [{ to: '2040-01-01' }, 'invalid_payload', 'to', zoned],
    [{ to: '2040-01-01T00:00:00' }, 'invalid_payload', 'to', zoned],
    [{ to: '2040-02-30T00:00:00Z' }, 'invalid_payload', 'to', zoned],
    [{ to: '2027-01-01T25:00:00Z' }, 'invalid_payload', 'to', zoned],
    [{ to: '9999-12-31T23:59:59-01:00' }, 'invalid_payload', 'to', zoned],
    [{ to: '1999-12-31T23:59:59Z' }, 'invalid_payload', 'to', span, '1999-12-31T23:59:59Z'],
    [{ to: now }, 'invalid_payload', 'to', span, now],
    [{ to: '2040-01-01T00:00:00Z' }, 'invalid_payload', 'to', span],
  ];
  const before = [stateHash(), exchange.appliedSeq];
  for (const [body, code, field, limit, actual] of rows) {
    const answer = await operator('POST', '/time', body);
    const details = {
      code,
      field,
      ...(limit === undefined ? {} : { limit }),
      ...(actual === undefined ? {} : { actual }),
    };
    t.match([answer.status, answer.body], [400, details], JSON.stringify(body));
  }
  t.strictSame([stateHash(), exchange.appliedSeq], before);
  t.equal(clock.offsetMs, 0);
});

t.test('the clock moves by an amount or to a moment, and never beyond ten years', async (t) => {
  const { operator, send } = own;
  const shown = async () => (await operator('GET', '/time')).body;
  const answerAt = (offsetMs: number) => ({
    time: isoTime(START_MS + offsetMs),
    time_ms: START_MS + offsetMs,
    wall_time: isoTime(START_MS),
    offset_ms: offsetMs,
  });
  t.strictSame(await shown(), answerAt(0));
  const first = await operator('POST', '/time', { seconds: 3_600.001 });
  t.strictSame(first.body, { ...answerAt(HOUR_MS + 1), expired: 0, released: 0 });
  t.strictSame(await shown(), answerAt(HOUR_MS + 1));
  const moment = isoTime(START_MS + 2 * HOUR_MS).replace('Z', '+00:00');
  const second = await operator('POST', '/time', { to: moment });
  t.match(second, { status: 200, body: answerAt(2 * HOUR_MS) });
  t.match(await operator('POST', '/time', { to: moment }), { status: 400 }, 'never twice');
  t.equal((await send('GET', '/time')).text, `${Math.floor((START_MS + 2 * HOUR_MS) / 1_000)}`);
  const left = MOST_SECONDS - 2 * 3_600;
  const refused = await operator('POST', '/time', { seconds: left + 1 });
  const limit = `0.001..${left}`;
  t.match(refused, { status: 400, body: { field: 'seconds', limit, actual: left + 1 } });
  const farthest = await operator('POST', '/time', { seconds: left });
  t.match(farthest, { status: 200, body: answerAt(HTTP_BOUNDS.clockOffsetMs) });
});

t.test('there is no such clock where money is at stake', async (t) => {
  for (const settings of [{ funding: 'ledger' }, { strict: true }] as const) {
    const { operator, running } = (await shareTestExchange(t, settings))();
    const refusal = { status: 403, body: { code: 'sandbox_only' } };
    t.match(await operator('GET', '/time'), refusal);
    t.match(await operator('POST', '/time', { seconds: 60 }), refusal);
    t.equal(running.services.clock.offsetMs, 0);
  }
});
