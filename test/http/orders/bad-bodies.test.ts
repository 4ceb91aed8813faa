import t from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { shareTestExchange } from '../exchange-fixture.ts';
import { FAILED_RESULT } from './refusal.ts';

const { bodyBytes, ordersBodyBytes } = HTTP_BOUNDS;
function long(bytes: number): string {
  return JSON.stringify('x'.repeat(bytes));
}

type Row = [method: string, path: string, body: string, status: number, expected: object];

const ROWS: readonly Row[] = [
  ['POST', '/order', '', 400, { code: 'invalid_order_payload', field: 'body' }],
  ['POST', '/order', '{"order":', 400, { code: 'malformed_json', position: 9 }],
  ['POST', '/order', '[]', 400, { code: 'invalid_order_payload', actual: 'a list of 0' }],
  ['POST', '/order', long(bodyBytes), 413, { code: 'body_too_large', limit: bodyBytes }],
  ['POST', '/orders', '{}', 400, { error: 'Invalid payload', code: 'invalid_payload' }],
  ['POST', '/orders', '[]', 400, { code: 'invalid_payload', field: 'body', actual: 0 }],
  [
    'POST',
    '/orders',
    JSON.stringify(Array(16).fill({})),
    400,
    { error: 'Too many orders in payload: 16, max allowed: 15', limit: 15, actual: 16 },
  ],
  ['POST', '/orders', long(ordersBodyBytes), 413, { limit: ordersBodyBytes }],
  ['DELETE', '/order', '{}', 400, { error: 'Invalid orderID', code: 'invalid_order_id' }],
  ['DELETE', '/order', '', 400, { error: 'Invalid orderID', code: 'invalid_order_id' }],
  ['DELETE', '/order', '["0x33"]', 400, { code: 'invalid_order_id', actual: 'a list of 1' }],
  ['DELETE', '/order', '{"orderID":5}', 400, { code: 'invalid_order_id', actual: 5 }],
  ['DELETE', '/order', '{"orderID":""}', 400, { code: 'invalid_order_id' }],
];

const share = await shareTestExchange(t);

t.test('bodies that are not orders are refused', async (t) => {
  const { trader, stateHash } = share();
  const alice = await trader(1, 'SERVICE');
  const before = stateHash();
  for (const [method, path, body, status, expected] of ROWS) {
    const headers = alice.keyHeaders(method, path, body);
    const answer = await alice.send(method, path, { body, headers });
    t.equal(answer.status, status, `${method} ${path} ${body.slice(0, 20)}`);
    t.match(answer.body, expected);
    if (path === '/order' && method === 'POST') t.match(answer.body, FAILED_RESULT);
  }
  t.equal(stateHash(), before, 'nothing was changed');
});

t.test('each order of a batch is accepted or refused on its own', async (t) => {
  const { trader, plain } = share();
  const alice = await trader(1, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const answer = await alice.signed('POST', '/orders', [
    alice.order({ tokenId }),
    'no order',
    alice.order({ tokenId, lots: 1 }),
    alice.order({ tokenId, priceTicks: 4000 }),
  ]);
  t.equal(answer.status, 200);
  t.equal(answer.body.length, 4);
  t.match(answer.body, [
    { success: true, status: 'live' },
    { ...FAILED_RESULT, error: 'Invalid order payload', orderHash: null },
    {
      ...FAILED_RESULT,
      errorMsg: 'order is invalid. Size lower than the minimum',
      orderHash: /^0x/,
    },
    { success: true, status: 'live' },
  ]);
});
