import t from 'tap';
import { Type } from 'typebox';
import { hasParameter, parseQuery, queryReader } from '../../../http/api/query-string.ts';
import { ANY_QUERY } from '../../../http/api/route.ts';

t.test('parameters are decoded, in order, with repeats', async (t) => {
  const rows: [query: string, values: [string, string[]][]][] = [
    ['', []],
    ['a=1', [['a', ['1']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['a%20b=c+d%26', [['a b', ['c d&']]]],
    ['cursor=MA%3D%3D', [['cursor', ['MA==']]]],
    ['bad=%zz', [['bad', ['%zz']]]],
    ['__proto__=x', [['__proto__', ['x']]]],
  ];
  for (const [query, values] of rows) {
    t.strictSame([...parseQuery(query)], values, query);
    for (const name of ['a', 'b', 'a b', 'cursor', '__proto__', 'z', '']) {
      const isThere = name !== '' && parseQuery(query).has(name);
      t.equal(name !== '' && hasParameter(query, name), isThere, `${name} in ${query}`);
    }
  }
  t.equal(hasParameter('x=1&%63%75%72%73%6F%72', 'cursor'), true, 'encoded, without a value');
});

const Schema = Type.Object({
  text: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ default: 100 })),
  amount: Type.Optional(Type.Number()),
  flag: Type.Optional(Type.Boolean()),
  side: Type.Optional(Type.Union([Type.Literal('BUY'), Type.Literal('SELL')])),
  market: Type.Optional(Type.Array(Type.String())),
  ids: Type.Optional(Type.Array(Type.Integer())),
});

t.test('values are coerced to the types of the schema, or stay text that it refuses', async (t) => {
  const rows: [query: string, value: Record<string, unknown>][] = [
    ['', { limit: 100 }],
    ['limit=5', { limit: 5 }],
    ['limit=-5', { limit: -5 }],
    ['limit=5.5', { limit: '5.5' }],
    ['limit=1e3', { limit: '1e3' }],
    ['limit=99999999999999999999', { limit: '99999999999999999999' }],
    ['limit=', { limit: 100 }],
    ['limit=1&limit=2', { limit: 2 }],
    ['amount=0.25', { limit: 100, amount: 0.25 }],
    ['amount=.5', { limit: 100, amount: '.5' }],
    ['flag=true', { limit: 100, flag: true }],
    ['flag=FALSE', { limit: 100, flag: false }],
    ['flag=1', { limit: 100, flag: true }],
    ['flag=0', { limit: 100, flag: false }],
    ['flag=yes', { limit: 100, flag: 'yes' }],
    ['text=', { limit: 100, text: '' }],
    ['side=BUY', { limit: 100, side: 'BUY' }],
    ['market=a,b&market=c', { limit: 100, market: ['a', 'b', 'c'] }],
    ['market=', { limit: 100, market: [] }],
    ['ids=1,x', { limit: 100, ids: [1, 'x'] }],
    ['unknown=1', { limit: 100 }],
  ];
  const read = queryReader(Schema);
  for (const [query, value] of rows) {
    t.strictSame(read(parseQuery(query)), value, query);
  }
});

t.test(
  'an empty text counts as absent for an optional enum and is refused for a required one',
  async (t) => {
    const schema = Type.Object({
      side: Type.Enum(['BUY', 'SELL']),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      sortBy: Type.Optional(Type.Enum(['UP', 'DOWN'], { default: 'UP' })),
    });
    const rows: [query: string, value: Record<string, unknown>][] = [
      ['side=BUY&kind=&sortBy=', { side: 'BUY', sortBy: 'UP' }],
      ['side=&kind=b&sortBy=DOWN', { side: '', kind: 'b', sortBy: 'DOWN' }],
      ['side=BUY&kind=+', { side: 'BUY', kind: ' ', sortBy: 'UP' }],
    ];
    for (const [query, value] of rows)
      t.strictSame(queryReader(schema)(parseQuery(query)), value, query);
  },
);

t.test('ANY_QUERY gives the handler all parameters, empty texts too', async (t) => {
  const rows: [query: string, texts: Record<string, string[]>][] = [
    ['', {}],
    ['next_cursor=', { next_cursor: [''] }],
    ['next_cursor', { next_cursor: [''] }],
    ['limit=x&limit=2&tag=a,b', { limit: ['x', '2'], tag: ['a,b'] }],
  ];
  for (const [query, texts] of rows)
    t.strictSame(queryReader(ANY_QUERY)(parseQuery(query)), texts, query);
  t.ok(
    Object.hasOwn(queryReader(ANY_QUERY)(parseQuery('__proto__=x')), '__proto__'),
    'an ordinary name',
  );
  const named = Type.Object({ constructor: Type.Optional(Type.String()) });
  t.strictSame(queryReader(named)(parseQuery('')), {}, 'inherited properties are not sent');
});
