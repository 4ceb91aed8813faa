/** Orders signed for programs without a client: POST /sign-order, and the page's lines for curl. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { DEV_KEYS } from '../../cli/options/dev-keys.ts';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { leaveNote } from '../notes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const share = await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 2), now: Date.now });

function ask(body: unknown) {
  return share().send('POST', '/sign-order', { body: JSON.stringify(body) });
}

t.test('what it signs is placed as it stands, under the id that it told', async (t) => {
  const { send, plain, negRisk } = share();
  const [token, other] = plain.tokenIds;
  const buy = { token, side: 'BUY', price: '0.42', size: '10' };
  const budget = { price: 0.58, size: undefined, amount: '1.16', type: 'FOK' };
  const orders: readonly (readonly [body: object, status: string])[] = [
    [buy, 'live'],
    [{ ...buy, side: 'buy', price: 0.01, size: 10, account: 1, postOnly: true }, 'live'],
    [{ ...buy, ...budget, token: other, account: 1 }, 'matched'],
    [{ ...buy, type: 'GTD', expiresIn: 600 }, 'live'],
    [{ ...buy, token: negRisk.tokenIds[0] }, 'live'],
  ];
  for (const [order, status] of orders) {
    const signed = Object(JSON.parse((await ask(order)).text));
    const { method, path, headers, body, orderId } = signed;
    const placed = await send(method, path, { headers, body });
    t.match(placed.body, { success: true, status, orderID: orderId }, JSON.stringify(order));
  }
});

t.test('the first field that is wrong is named, with its limit and value', async (t) => {
  const [token] = share().plain.tokenIds;
  const order = { token, side: 'BUY', price: '0.42', size: '10' };
  const budget = { ...order, size: undefined, amount: '1' };
  const rows: readonly (readonly [body: object, code: string, field: string, limit?: string])[] = [
    [{ ...order, key: '0x' }, 'invalid_payload', 'key'],
    [{ ...order, size: [] }, 'invalid_payload', 'size'],
    [{ ...order, token: 'x' }, 'invalid_payload', 'token', 'a token id'],
    [{ ...order, side: 'HOLD' }, 'invalid_payload', 'side', 'one of BUY, SELL'],
    [{ ...order, price: 1 }, 'invalid_payload', 'price', 'a decimal from 0.0001 to 0.9999'],
    [{ ...order, size: '0.001' }, 'invalid_payload', 'size', 'a decimal from 0.01'],
    [{ ...order, account: 20 }, 'invalid_payload', 'account', 'a whole number from 0 to 19'],
    [{ side: 'BUY', price: '0.42', size: '10' }, 'missing_field', 'token', 'a token id'],
    [{ token, side: 'BUY', price: '0.42' }, 'missing_field', 'size', 'a decimal'],
    [{ ...order, amount: '1' }, 'invalid_payload', 'amount', 'absent beside a size'],
    [budget, 'invalid_payload', 'amount', 'absent unless the order is a BUY of type FOK or FAK'],
    [
      { ...order, type: 'FOK', postOnly: true },
      'invalid_payload',
      'postOnly',
      'absent in an order',
    ],
    [{ ...order, expiresIn: 9 }, 'invalid_payload', 'expiresIn', 'absent unless the type is GTD'],
    [{ ...order, account: 2 }, 'invalid_payload', 'account', 'one of the 2 dev accounts'],
    [{ ...order, token: '7' }, 'token_unknown', 'token'],
  ];
  for (const [body, code, field, limit = ''] of rows) {
    const refusal = await ask(body);
    t.match(refusal, { status: 400, body: { code, field } }, JSON.stringify(body));
    t.ok(String(Object(refusal.body).limit ?? '').startsWith(limit), refusal.text);
  }
});

const tools = await run('sh', ['-c', 'command -v curl && command -v jq && command -v bash']).then(
  () => true,
  () => false,
);
if (!tools) leaveNote('\nTHE LINES FOR CURL WERE NOT TESTED: curl, jq or bash is not installed\n');

t.test('the lines of docs/sandbox.md place orders', { skip: !tools }, async (t) => {
  const { running, plain } = share();
  const page = readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8');
  const section = page.split('\n## ').find((text) => text.startsWith('Signing without a client'));
  const blocks = [...(section ?? '').matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block);
  t.equal(blocks.length, 2);
  const cwd = temporaryFolder(t);
  const env = { ...process.env, EXCHANGE_URL: running.url, TOKEN_ID: plain.tokenIds[0] };
  for (const block of blocks) {
    const line = block
      .replaceAll('http://127.0.0.1:8080', running.url)
      .replace('./outcome-exchange', join(ROOT, 'outcome-exchange'));
    const { stdout } = await run('bash', ['-c', line], { cwd, env });
    t.match(JSON.parse(stdout), { success: true, status: 'live' }, block);
  }
});

t.test('the command prints the same as JSON', async (t) => {
  const { running, send, plain } = share();
  const order = ['--token', plain.tokenIds[0], '--side', 'BUY', '--price', '0.02', '--size', '5'];
  const words = ['sign-order', ...order, '--url', running.url];
  const { stdout } = await run(join(ROOT, 'outcome-exchange'), words);
  const { method, path, headers, body, orderId } = JSON.parse(stdout);
  const placed = await send(method, path, { headers, body });
  t.match(placed.body, { success: true, status: 'live', orderID: orderId });
});
