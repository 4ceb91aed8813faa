// GET /books, GET /prices and GET /midpoints: the tokens are in the query.
import t from 'tap';
import { READ_BOUNDS } from '../../../../http/bounds/read-bounds.ts';
import { postBooks } from '../../../../http/routes/prices/books.ts';
import { getBooks, getMidpoints, getPrices } from '../../../../http/routes/prices/by-query.ts';
import { postMidpoints, postPrices } from '../../../../http/routes/prices/prices.ts';
import { happened, level, marketCreated, NO_TOKEN, YES_TOKEN } from '../../durable-commands.ts';
import { startReadServer } from '../read-server.ts';

const ROUTES = [getBooks, postBooks, getPrices, postPrices, getMidpoints, postMidpoints];
const UNKNOWN = '99';
const HEXADECIMAL = `0x${BigInt(YES_TOKEN).toString(16)}`;

/** Lists of tokens, and of sides where there are any. */
const LISTS: readonly (readonly [tokens: readonly string[], sides?: readonly string[]])[] = [
  [[YES_TOKEN]],
  [[YES_TOKEN, NO_TOKEN]],
  [[NO_TOKEN, UNKNOWN, YES_TOKEN]],
  [[HEXADECIMAL]],
  [[UNKNOWN]],
  [
    [YES_TOKEN, NO_TOKEN],
    ['BUY', 'sell'],
  ],
  [
    [YES_TOKEN, YES_TOKEN],
    ['BUY', 'SELL'],
  ],
];

t.test('the answer is that of the POST form', async (t) => {
  const server = await startReadServer(t, ROUTES);
  const events = [level('bid', 4_000, 100), level('ask', 6_000, 100)];
  server.consume([marketCreated(), happened(3, 3, events)]);
  for (const path of ['/books', '/prices', '/midpoints']) {
    for (const [tokens, sides] of LISTS) {
      const query = [
        `token_ids=${tokens.join(',')}`,
        ...(sides ? [`sides=${sides.join(',')}`] : []),
      ];
      const list = tokens.map((token_id, at) => ({ token_id, ...(sides && { side: sides[at] }) }));
      const got = await server.get(`${path}?${query.join('&')}`);
      const posted = await server.post(path, list);
      t.equal(got.status, 200, got.text);
      t.equal(got.text, posted.text, `${path} ${query.join('&')}`);
    }
  }
});

const MANY = READ_BOUNDS.tokensPerRequest + 1;
const REFUSED: readonly (readonly [query: string, code: string, details: object])[] = [
  ['', 'missing_field', { field: 'token_ids' }],
  ['token_ids=', 'invalid_parameter', { field: '0.token_id' }],
  ['token_ids=1,,2', 'invalid_parameter', { field: '1.token_id' }],
  ['token_ids=1,x', 'invalid_parameter', { field: '1.token_id', actual: 'x' }],
  [
    `token_ids=${Array.from({ length: MANY }, () => '1').join(',')}`,
    'too_many_items',
    { field: 'token_ids', limit: MANY - 1, actual: MANY },
  ],
  ['token_ids=1,2&sides=BUY', 'invalid_parameter', { field: 'sides', actual: 1 }],
  ['token_ids=1&sides=LEFT', 'invalid_payload', { field: '0.side', actual: 'LEFT' }],
];

t.test('other lists are refused with the field that is wrong', async (t) => {
  const server = await startReadServer(t, ROUTES);
  for (const path of ['/books', '/prices', '/midpoints']) {
    for (const [query, code, details] of REFUSED) {
      const { status, body } = await server.get(`${path}?${query}`);
      t.equal(status, 400, `${path}?${query.slice(0, 40)}`);
      t.match(body, { code, ...details });
    }
  }
});
