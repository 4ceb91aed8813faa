/** What the request log copies: each command of curl and each program asks the same again. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { DEV_KEYS } from '../../../../cli/options/dev-keys.ts';
import { asClientCode } from '../../../../console/browser/inspector/client-code.ts';
import { asCurl } from '../../../../console/browser/inspector/copies.ts';
import type { LoggedRequest } from '../../../../console/browser/wire/index.ts';
import { shareTestExchange } from '../../../http/exchange-fixture.ts';

// The published client signs with the time of day.
const share = await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 2), now: Date.now });
const exchange = share();
const { plain, running, send } = exchange;
const [token] = plain.tokenIds;
const origin = running.url;
const target = { origin, chainId: 137 };
process.env.PRIVATE_KEY = DEV_KEYS[0];
t.teardown(() => {
  delete process.env.PRIVATE_KEY;
});

function logged(method: LoggedRequest['method'], address: string, body?: unknown): LoggedRequest {
  return {
    ...{ id: 1, startedAt: new Date(0), method, address },
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? '' : JSON.stringify(body),
    ...{ status: 200, answer: '', answerLength: 0, durationMs: 1, isCanceled: false },
  };
}

const ZERO_WORD = `0x${'0'.repeat(64)}`;
/** As the page signs them. */
const WORDS = { metadata: ZERO_WORD, builder: ZERO_WORD };

// Programs are run where the packages are found.
const folder = fileURLToPath(
  new URL(`../../../../node_modules/.cache/copies-${process.pid}`, import.meta.url),
);
await mkdir(folder, { recursive: true });
t.teardown(() => rm(folder, { recursive: true }));
let programs = 0;

/** Runs a program in this process, and returns what it printed. */
async function run(t: Test, code: string): Promise<unknown[]> {
  programs += 1;
  const path = `${folder}/${programs}.mjs`;
  await writeFile(path, code);
  const printed = t.capture(globalThis.console, 'log');
  await import(pathToFileURL(path).href);
  return printed().at(-1)?.args ?? [];
}

/** The method of the published client that a program calls; undefined for `fetch`. */
function methodOf(code: string): string | undefined {
  return /await client\.(\w+)\(/.exec(code)?.[1];
}

const READS: readonly (readonly [method: string | undefined, request: LoggedRequest])[] = [
  ['getServerTime', logged('GET', '/time')],
  ['getOrderBook', logged('GET', `/book?token_id=${token}`)],
  ['getOrderBooks', logged('POST', '/books', [{ token_id: token }])],
  ['getTickSize', logged('GET', `/tick-size?token_id=${token}`)],
  ['getPricesHistory', logged('GET', `/prices-history?market=${token}&interval=1d&fidelity=5`)],
  ['getMarket', logged('GET', `/markets/${plain.conditionId}`)],
  ['getClobMarketInfo', logged('GET', `/clob-markets/${plain.conditionId}`)],
  ['getMarkets', logged('GET', '/markets?next_cursor=MA%3D%3D')],
  ['getOpenOrders', logged('GET', `/data/orders?market=${plain.conditionId}`)],
  ['getTrades', logged('GET', '/data/trades')],
  ['getBalanceAllowance', logged('GET', '/balance-allowance?asset_type=COLLATERAL')],
  [undefined, logged('GET', '/markets?limit=1')],
  [undefined, logged('GET', '/explorer/commands?limit=1')],
  [undefined, logged('POST', '/faucet', { address: `0x${'12'.repeat(20)}`, amount: "1'" })],
];

for (const [method, request] of READS) {
  t.test(`${request.method} ${request.address} is a program`, async (t) => {
    const code = asClientCode(request, target);
    t.equal(methodOf(code), method, code);
    const [first, text] = await run(t, code);
    if (method === undefined) t.match([first, text], [Number, /^[[{]/]);
    else t.ok(first !== undefined, 'it prints the answer');
  });
}

t.test('a program places an order with the same terms, and cancels it', async (t) => {
  const trader = await exchange.trader(1);
  const rows = [
    { side: 'BUY', priceTicks: 100, lots: 700, orderType: 'GTC', postOnly: true },
    { side: 'BUY', priceTicks: 200, lots: 550, orderType: 'GTC', postOnly: false },
  ] as const;
  for (const terms of rows) {
    const request = logged(
      'POST',
      '/order',
      trader.order({ tokenId: token, ...terms, changes: WORDS }),
    );
    const code = asClientCode(request, target);
    t.equal(methodOf(code), 'createAndPostOrder');
    const [answer] = await run(t, code);
    t.match(answer, { success: true, status: 'live' });
    // Safe: it is the answer to an order.
    const { orderID } = answer as { orderID: string };
    const { text } = await send('GET', `/explorer/orders/${orderID}`);
    const { side, price_ticks, lots, type, post_only } = JSON.parse(text);
    const placed = { side, priceTicks: price_ticks, lots, orderType: type, postOnly: post_only };
    t.strictSame(placed, terms);
    const cancel = asClientCode(logged('DELETE', '/order', { orderID }), target);
    t.match(await run(t, cancel), [{ canceled: [orderID] }]);
  }
});

t.test('a program places an order with the same budget', async (t) => {
  const [maker, taker] = [await exchange.trader(2), await exchange.trader(3)];
  await maker.place({ tokenId: plain.tokenIds[1], priceTicks: 6_500, lots: 5_000 });
  const payload = taker.order({
    ...{ tokenId: token, orderType: 'FAK' },
    // 3.99 at 0.35 does not divide.
    changes: { ...WORDS, makerAmount: '3990000', takerAmount: '11399900' },
  });
  const code = asClientCode(logged('POST', '/order', payload), target);
  t.match(code, /price: 0\.35, amount: 3\.99 /);
  t.equal(methodOf(code), 'createAndPostMarketOrder');
  const [answer] = await run(t, code);
  t.match(answer, { success: true, status: 'matched', makingAmount: '3.99' });
});

t.test('the operator has no published client', async (t) => {
  const headers = { authorization: '(secret)' };
  const request = { ...logged('GET', '/markets?next_cursor=MA%3D%3D'), headers };
  const code = asClientCode(request, target);
  t.match(code, /fetch\(.*"authorization": process\.env\.AUTHORIZATION,/s);
});

const execute = promisify(execFile);

/** Runs a command as a shell does. */
async function shell(command: string, variables: Readonly<Record<string, string>> = {}) {
  const options = { env: { ...process.env, ...variables } };
  return (await execute('sh', ['-c', command], options)).stdout;
}

t.test('a command of curl asks the same', async (t) => {
  const rows = [
    logged('GET', `/book?token_id=${token}`),
    logged('POST', '/books', [{ token_id: token }]),
    // A quote in a body ends no word of the shell.
    logged('POST', '/faucet', { address: 'it\'s `$(id)` "\\\n', amount: '1' }),
  ];
  for (const request of rows) {
    const { method, address, body, headers } = request;
    const { text } = await send(method, address, { headers, ...(body === '' ? {} : { body }) });
    const got = JSON.parse(await shell(asCurl(request, origin)));
    const { requestId: _, ...wanted } = JSON.parse(text);
    t.match(got, wanted, address);
  }
});

t.test('secrets of a command of curl come from variables', async (t) => {
  const trader = await exchange.trader(4, 'KUEST');
  const whole = trader.keyHeaders('GET', '/data/orders');
  const headers = Object.fromEntries(Object.keys(whole).map((name) => [name, '(secret)']));
  const request = { ...logged('GET', '/data/orders'), headers };
  const command = asCurl(request, origin);
  for (const secret of Object.values(whole)) t.notOk(command.includes(secret));
  t.match(JSON.parse(await shell(command, whole)), { data: [] });
});
