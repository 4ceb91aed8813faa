import t from 'tap';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { compileCheck, compileRoute, parseJson } from '../../../http/api/validate.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { OPERATOR_ROUTES, ROUTES } from '../../all-routes.ts';

function faultOf(act: () => unknown): unknown {
  try {
    return { passed: act() };
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, ...error.details } : error;
  }
}

const Schema = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 4 }),
  size: Type.Optional(Type.Integer({ minimum: 0, maximum: 500 })),
  least: Type.Optional(Type.Number({ minimum: 1 })),
  side: Type.Optional(Type.Union([Type.Literal('BUY'), Type.Literal('SELL')])),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  salt: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  span: Type.Optional(
    Type.Union([Type.Enum(['1h', '1d'], { description: 'How far back' }), Type.Null()]),
  ),
  step: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 9, description: 'Minutes' }), Type.Null()]),
  ),
  time: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String(), Type.Null()])),
  list: Type.Optional(Type.Array(Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) }))),
});

t.test('the first fault names its field, the required and the given value', async (t) => {
  const check = compileCheck(Schema, 'invalid_payload');
  const long = 'x'.repeat(200);
  const rows: [value: unknown, fault: object][] = [
    [{ name: 'ab', more: 1 }, { passed: { name: 'ab', more: 1 } }],
    [undefined, { code: 'invalid_payload', field: 'body', limit: 'object', actual: null }],
    [[], { code: 'invalid_payload', field: 'body', limit: 'object', actual: 'a list of 0' }],
    [{}, { code: 'missing_field', field: 'name' }],
    [{ name: 7 }, { code: 'invalid_payload', field: 'name', limit: 'string', actual: 7 }],
    [{ name: 'a' }, { field: 'name', limit: '2..4', actual: 1 }],
    [{ name: long }, { field: 'name', limit: '2..4', actual: 200 }],
    [
      { name: 'ab', size: 501 },
      { field: 'size', limit: '0..500', actual: 501 },
    ],
    [
      { name: 'ab', size: 1.5 },
      { field: 'size', limit: 'integer', actual: 1.5 },
    ],
    [
      { name: 'ab', least: 0 },
      { field: 'least', limit: 1, actual: 0 },
    ],
    [
      { name: 'ab', side: 'buy' },
      { field: 'side', limit: 'BUY, SELL', actual: 'buy' },
    ],
    [
      { name: 'ab', kind: 'c' },
      { field: 'kind', limit: 'a, b', actual: 'c' },
    ],
    [
      { name: 'ab', salt: {} },
      { field: 'salt', limit: 'string, integer', actual: 'an object' },
    ],
    [
      { name: 'ab', span: '1y' },
      { field: 'span', limit: '1h, 1d, null', actual: '1y' },
    ],
    [
      { name: 'ab', step: 10 },
      { field: 'step', limit: '1..9, null', actual: 10 },
    ],
    [
      { name: 'ab', step: 'x' },
      { field: 'step', limit: 'Minutes, null', actual: 'x' },
    ],
    [
      { name: 'ab', time: -1 },
      { field: 'time', limit: 'must be >= 0, string, null', actual: -1 },
    ],
    [
      { name: 'ab', list: [{}] },
      { code: 'missing_field', field: 'list.0.id' },
    ],
    [
      { name: 'ab', list: [{ id: '1' }, { id: long }] },
      { field: 'list.1.id', limit: '^[0-9]+$', actual: `${'x'.repeat(128)}...` },
    ],
  ];
  for (const [value, fault] of rows) {
    t.match(
      faultOf(() => check(value)),
      fault,
      JSON.stringify(value)?.slice(0, 60) ?? 'nothing',
    );
  }
});

// The errors of every item were collected, so a refusal took ten times as long as a good body.
t.test('a wrong list is refused for its length or first wrong item, and no other', async (t) => {
  const Item = Type.Object({ id: Type.String() });
  const Lists = Type.Object({ list: Type.Array(Item, { maxItems: 10_000 }), name: Type.String() });
  const check = compileCheck(Lists, 'invalid_payload');
  const rows: [good: number, length: number, name: unknown, fault: object][] = [
    [0, 10_000, 'a', { field: 'list.0.id', limit: 'string', actual: 7 }],
    [9, 10_000, 'a', { field: 'list.9.id', limit: 'string', actual: 7 }],
    [0, 10_001, 'a', { code: 'too_many_items', field: 'list', limit: 10_000, actual: 10_001 }],
    [10_000, 10_000, 7, { field: 'name', limit: 'string', actual: 7 }],
  ];
  for (const [good, length, name, fault] of rows) {
    let reads = 0;
    const list = Array.from({ length }, (_, place) => ({
      get id() {
        reads += 1;
        return place < good ? 'a' : 7;
      },
    }));
    t.match(
      faultOf(() => check({ list, name })),
      fault,
    );
    t.ok(reads <= 2 * good + 10, `${reads} reads`);
  }
});

t.test('a list that is too long has its own code in a body, not in a query', async (t) => {
  const Lists = Type.Object({ list: Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }) });
  const inBody = compileCheck(Lists, 'invalid_payload');
  const inQuery = compileCheck(Lists, 'invalid_parameter');
  const tooLong = { list: [1, 2, 3] };
  t.match(
    faultOf(() => inBody(tooLong)),
    { code: 'too_many_items', field: 'list', limit: 2, actual: 3 },
  );
  t.match(
    faultOf(() => inBody({ list: [] })),
    { code: 'invalid_payload', field: 'list', limit: '1..2', actual: 0 },
  );
  t.match(
    faultOf(() => inQuery(tooLong)),
    { code: 'invalid_parameter', field: 'list', limit: '1..2', actual: 3 },
  );
});

t.test(
  'a body that is not JSON is refused with the position of the fault; an empty one is absent',
  async (t) => {
    const parse = (text: string) => parseJson(Buffer.from(text, 'latin1'));
    t.equal(parse(''), undefined);
    t.strictSame(parse(' {"a":[1]} '), { a: [1] });
    t.match(
      faultOf(() => parse('{"a":}')),
      { code: 'malformed_json', position: 5 },
    );
    // History: such a body was read with U+FFFD in place of each wrong byte, and stored.
    t.match(
      faultOf(() => parse('["\xff"]')),
      { code: 'malformed_json', reason: /UTF-8/ },
    );
  },
);

t.test('each part of the input is refused with its own code', async (t) => {
  const checks = compileRoute(
    defineRoute({
      method: 'POST',
      path: '/things/{id}',
      summary: 'Things',
      auth: 'none',
      params: Type.Object({ id: Type.String({ pattern: '^x' }) }),
      query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 9 }) }),
      body: Schema,
      response: Type.Any(),
      handler: () => 'OK',
    }),
  );
  t.match(
    faultOf(() => checks.params({ id: 'y' })),
    { code: 'invalid_parameter', field: 'id' },
  );
  t.match(
    faultOf(() => checks.query('limit=10')),
    { code: 'invalid_parameter', actual: 10 },
  );
  t.match(
    faultOf(() => checks.query('')),
    { code: 'missing_field', field: 'limit' },
  );
  t.match(
    faultOf(() => checks.body({ name: 7 })),
    { code: 'invalid_payload' },
  );
  t.strictSame(checks.query('limit=9&other=1'), { values: { limit: 9 }, ignored: ['other'] });
});

// Each is compiled when it is first needed.
t.test('the schemas of all routes can be compiled', async (t) => {
  for (const { method, path, params, query, body } of [...ROUTES, ...OPERATOR_ROUTES]) {
    t.doesNotThrow(
      () => [params, query, body].map((schema) => Compile(schema)),
      `${method} ${path}`,
    );
  }
});
