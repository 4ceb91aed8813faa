import fc from 'fast-check';
import t from 'tap';
import type { Dialect } from '../../../http/codec/headers.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import {
  cursorOf,
  cursorPlace,
  END_CURSOR,
  endOfOrders,
  offsetOf,
  pageAfterEnd,
  pageOf,
} from '../../../http/parameters/cursor.ts';
import vectors from '../../vectors.json' with { type: 'json' };

t.test('cursors match the published vectors', async (t) => {
  t.ok(vectors.cursors.length > 0, 'there are vectors');
  for (const { offset, cursor } of vectors.cursors) {
    t.equal(cursorOf(offset), cursor, `${offset} is ${cursor}`);
    if (offset >= 0) t.equal(offsetOf(cursor), offset, `${cursor} is ${offset}`);
  }
});

t.test('a cursor leads back to its offset', async (t) => {
  fc.assert(fc.property(fc.maxSafeNat(), (offset) => offsetOf(cursorOf(offset)) === offset));
  t.pass('no counterexample');
});

const ORDER = `0x${'4c'.repeat(32)}`;
const TRADE = '28c4d2eb-0000-8104-8eb1-016ccc16f780';
t.test('a cursor may bind the item before its page', async (t) => {
  for (const after of [ORDER, TRADE, '4711']) {
    t.strictSame(cursorPlace(cursorOf(100, after)), { offset: 100, after });
  }
  t.strictSame(cursorPlace('MTAw'), { offset: 100 }, 'one that a client made itself');
  for (const after of ['', '-1', `${ORDER}0`, ORDER.toUpperCase()]) {
    t.throws(() => cursorPlace(cursorOf(100, after)), { code: 'invalid_cursor' }, after);
  }
});

t.test('no cursor and an empty one mean the first page', async (t) => {
  t.equal(offsetOf(undefined), 0);
  t.equal(offsetOf(''), 0);
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
const wrong: readonly (readonly [string, string])[] = [
  ['the end, which is no page', END_CURSOR],
  ['a number that is not encoded', '100'],
  ['no base64 at all', '%%%'],
  ['a cursor with something after it', 'MA==!'],
  ['a cursor without its padding', 'MA'],
  ['a negative offset', base64('-100')],
  ['part of an offset', base64('1.5')],
  ['an offset with a leading zero', base64('0100')],
  ['an offset with an exponent', base64('1e3')],
  ['no digits', base64(' ')],
  ['an offset above the safe integers', base64('9007199254740993')],
  ['a very long one', base64('9'.repeat(500))],
];
t.test('a cursor that no page gave is refused with its value', async (t) => {
  for (const [name, cursor] of wrong) {
    try {
      t.fail(`${name} was read as ${offsetOf(cursor)}`);
    } catch (error) {
      t.ok(error instanceof ApiError && error.code === 'invalid_cursor', name);
      t.match(error, { details: { field: 'next_cursor', actual: cursor.slice(0, 64) } });
    }
  }
});

const agents: readonly (readonly [string, string, Dialect?])[] = [
  ['@polymarket/clob-client', 'LTE='],
  ['py_clob_client', 'LTE='],
  ['py_clob_client_v2', 'LTE='],
  ['rs_clob_client', 'LTE='],
  ['@kuestcom/clob-client', ''],
  ['Mozilla/5.0', ''],
  ['', ''],
  ['my bot, not py_clob_client', ''],
  ['my bot, not py_clob_client', 'LTE=', 'polymarket'],
];
t.test('the open orders end as each client expects', async (t) => {
  for (const [userAgent, end, dialect = 'kuest'] of agents) {
    t.equal(
      endOfOrders({ userAgent, dialect }),
      end,
      `${dialect}, ${userAgent || 'no User-Agent'}`,
    );
  }
});

t.test('a page gives the next cursor, the last one the end', async (t) => {
  const bounds = { offset: 200, limit: 100, end: '' };
  const [a, b] = [{ id: ORDER }, { id: TRADE }];
  t.same(pageOf([a, b], { ...bounds, more: true }), {
    data: [a, b],
    next_cursor: cursorOf(300, TRADE),
    limit: 100,
    count: 2,
  });
  t.equal(pageOf([a], { ...bounds, more: false }).next_cursor, '');
  t.equal(pageOf([a], { ...bounds, more: false, end: END_CURSOR }).next_cursor, 'LTE=');
});

t.test('after the end comes an empty last page', async (t) => {
  t.same(pageAfterEnd(100), { data: [], next_cursor: 'LTE=', limit: 100, count: 0 });
});
