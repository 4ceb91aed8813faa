// Faults of requests, over real connections.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { makeFault, readFault, removeFault } from '../fault-fixture.ts';

const next = await shareTestExchange(t);

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly fault: string | null;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** What a client sees of a request; undefined for a connection that closed without an answer. */
async function seen(
  { running }: TestExchange,
  trader: Trader,
  [method, path, value]: readonly [method: string, path: string, value?: unknown],
): Promise<Seen | undefined> {
  const body = value === undefined ? null : JSON.stringify(value);
  const headers = trader.keyHeaders(method, path, body ?? '');
  let response: Response;
  try {
    response = await fetch(running.url + path, { method, headers, body });
  } catch {
    return undefined;
  }
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    fault: response.headers.get('x-injected-fault'),
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

/** Whether an order was placed: a retry is answered as a duplicate. */
async function isPlaced(trader: Trader, payload: object): Promise<boolean> {
  return (await trader.signed('POST', '/order', payload)).body.duplicate === true;
}

async function untilFired(exchange: TestExchange, id: string): Promise<void> {
  while ((await readFault(exchange, id)).fired === 0) await sleep(1);
}

t.test('an acknowledgement is lost after the order was applied', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const rows: [answer: string, status: number | undefined, type?: string][] = [
    ['close', undefined],
    ['500', 500, 'application/json'],
    ['502', 502, 'text/html'],
  ];
  for (const [answer, status, type] of rows) {
    const match = { owner: trader.address };
    const id = await makeFault(exchange, { kind: 'lost_acknowledgement', match, answer });
    const payload = trader.order({ tokenId: exchange.plain.tokenIds[0], priceTicks: 4000 });
    const lost = await seen(exchange, trader, ['POST', '/order', payload]);
    if (status === undefined) t.equal(lost, undefined, 'the connection closed');
    else t.match(lost, { status, type, fault: id });
    t.equal(await isPlaced(trader, payload), true, `${answer}: the order was applied`);
    const fault = await removeFault(exchange, id);
    t.match(fault, {
      state: 'spent',
      matched: 1,
      hits: [{ method: 'POST', path: '/order', owner: trader.address }],
    });
    t.match(fault.hits[0], { account: trader.address, market: exchange.plain.conditionId });
  }
});

t.test('what a fault holds back goes on when it is removed', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const match = { owner: trader.address, method: 'POST' };
  const rows: [fault: object, status: number | undefined][] = [
    [{ kind: 'slow_answer', seconds: 600 }, 200],
    [{ kind: 'lost_acknowledgement', answer: 'timeout', timeout_seconds: 600 }, undefined],
  ];
  for (const [fault, status] of rows) {
    const id = await makeFault(exchange, { ...fault, match });
    const payload = trader.order({ tokenId: exchange.plain.tokenIds[0], priceTicks: 4000 });
    const held = seen(exchange, trader, ['POST', '/order', payload]);
    await untilFired(exchange, id);
    const orderId = trader.idOf(payload);
    while ((await trader.signed('GET', `/data/order/${orderId}`)).status !== 200) await sleep(1);
    t.pass('the order is applied while its answer is held back');
    await removeFault(exchange, id);
    const answer = await held;
    t.equal(answer?.status, status);
    if (answer !== undefined) t.equal(answer.fault, id);
  }
});

t.test('a refused request changes nothing, and its answer names the fault', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const other = await exchange.trader(2);
  const match = { api_key: trader.credentials.apiKey };
  const keys = { success: false, orderID: '', status: 'error' };
  const rows: [fault: object, status: number, body: object][] = [
    [
      { kind: 'too_early' },
      425,
      { error: 'service not ready', code: 'service_not_ready', ...keys },
    ],
    [{ kind: 'rate_limited' }, 429, { error: 'Too Many Requests', code: 'too_many_requests' }],
    [{ kind: 'unavailable' }, 503, { code: 'overloaded' }],
    [
      { kind: 'post_only', for_seconds: 79 },
      503,
      {
        error: 'post-only mode: only post-only orders and cancels are allowed',
        code: 'post_only_mode',
        retry_after_seconds: 79,
      },
    ],
  ];
  const before = exchange.stateHash();
  for (const [fault, status, body] of rows) {
    const id = await makeFault(exchange, { ...fault, match });
    const payload = trader.order({ tokenId: exchange.plain.tokenIds[0], priceTicks: 4000 });
    const answer = await seen(exchange, trader, ['POST', '/order', payload]);
    t.match(answer, { status, fault: id, type: 'application/json' });
    t.match(answer?.retryAfter, /^\d+$/);
    t.match(JSON.parse(answer?.text ?? ''), body);
    t.notMatch(await seen(exchange, other, ['GET', '/data/orders']), { fault: id }, 'another key');
    await removeFault(exchange, id);
  }
  t.equal(exchange.stateHash(), before);
});

t.test('a fault of all spares the probes and the operator', async (t) => {
  const exchange = next();
  const id = await makeFault(exchange, { kind: 'unavailable' });
  t.match(await exchange.send('GET', '/markets'), { status: 503 });
  for (const path of ['/healthz', '/readyz']) {
    t.match(await exchange.send('GET', path), { status: 200 }, path);
  }
  t.match(await removeFault(exchange, id), { fired: 1, hits: [{ owner: '', account: '' }] });
  t.match(await exchange.send('GET', '/markets'), { status: 200 });
});

t.test('in post-only mode others are refused, and cancels work', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const resting = (await trader.place({ tokenId, priceTicks: 3000 })).body.orderID;
  const id = await makeFault(exchange, { kind: 'post_only', match: { owner: trader.address } });
  const orders = [
    trader.order({ tokenId, priceTicks: 3100 }),
    trader.order({ tokenId, priceTicks: 3200, postOnly: true }),
    trader.order({ tokenId, priceTicks: 3300 }),
  ];
  const batch = await seen(exchange, trader, ['POST', '/orders', orders]);
  const refused = {
    errorMsg: 'post-only mode: only post-only orders and cancels are allowed',
    code: 'post_only_mode',
    orderID: '',
  };
  t.match(batch, { status: 200, fault: id });
  t.match(JSON.parse(batch?.text ?? ''), [refused, { success: true, status: 'live' }, refused]);
  const cancel = await trader.cancel(resting);
  t.strictSame(cancel.body.canceled, [resting]);
  const postOnly = await trader.place({ tokenId, priceTicks: 3400, postOnly: true });
  t.match(postOnly, { status: 200, body: { success: true } });
  await removeFault(exchange, id);
  const open = await trader.signed('GET', '/data/orders');
  t.equal(open.body.data.length, 2);
});

t.test('a market counts as named by an order, a token or the id of a live order', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const market = exchange.plain.conditionId;
  const [{ conditionId, tokenIds }] = [exchange.negRisk];
  const own = (await trader.place({ tokenId, priceTicks: 3000 })).body.orderID;
  const rows: [method: string, path: string, body: unknown, hits: number][] = [
    ['POST', '/order', trader.order({ tokenId, priceTicks: 3000 }), 1],
    ['POST', '/orders', [trader.order({ tokenId, priceTicks: 3000 })], 1],
    ['POST', '/order', trader.order({ tokenId: tokenIds[0], priceTicks: 3000 }), 0],
    ['DELETE', '/order', { orderID: own }, 1],
    ['DELETE', '/orders', [own.toUpperCase().replace('0X', '0x')], 1],
    ['DELETE', '/orders', [`0x${'7'.repeat(64)}`], 0],
    ['DELETE', '/cancel-market-orders', { market }, 1],
    ['DELETE', '/cancel-market-orders', { asset_id: tokenId }, 1],
    ['DELETE', '/cancel-market-orders', { market: conditionId }, 0],
    ['GET', `/book?token_id=${tokenId}`, undefined, 1],
    ['GET', `/clob-markets/${market}`, undefined, 1],
    ['GET', `/book?token_id=${tokenIds[0]}`, undefined, 0],
    ['POST', '/books', [{ token_id: tokenId }], 1],
    ['GET', `/data/orders?market=${market}`, undefined, 1],
  ];
  for (const [method, path, body, hits] of rows) {
    const id = await makeFault(exchange, { kind: 'unavailable', match: { market } });
    const answer = await seen(exchange, trader, [method, path, body]);
    t.equal(answer?.fault, hits === 1 ? id : null, `${method} ${path} ${JSON.stringify(body)}`);
    const expected = hits === 1 ? [{ market }] : [];
    t.match((await removeFault(exchange, id)).hits, expected);
  }
});

t.test('an account counts as named by its orders, or by its owner', async (t) => {
  const exchange = next();
  const trader = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const wallet = `0x${'d7'.repeat(20)}`;
  const opened = { address: wallet, owner: trader.address, wallet: 'deposit' };
  t.equal((await exchange.operator('POST', '/accounts', opened)).status, 200);
  const own = (await trader.place({ tokenId, priceTicks: 3000 })).body.orderID;
  const rows: [account: string, method: string, path: string, body: unknown, hits: number][] = [
    [wallet, 'POST', '/order', trader.walletOrder({ tokenId, priceTicks: 3000 }, wallet), 1],
    [wallet, 'POST', '/order', trader.order({ tokenId, priceTicks: 3000 }), 0],
    [trader.address, 'POST', '/order', trader.order({ tokenId, priceTicks: 3000 }), 1],
    [wallet, 'DELETE', '/order', { orderID: own }, 0],
    [trader.address, 'DELETE', '/order', { orderID: own }, 1],
    [wallet, 'DELETE', '/cancel-all', undefined, 1],
    [trader.address, 'DELETE', '/cancel-all', undefined, 1],
  ];
  for (const [account, method, path, body, hits] of rows) {
    const id = await makeFault(exchange, { kind: 'unavailable', match: { account } });
    const answer = await seen(exchange, trader, [method, path, body]);
    t.equal(answer?.fault, hits === 1 ? id : null, `${account}: ${method} ${path}`);
    await removeFault(exchange, id);
  }
});
