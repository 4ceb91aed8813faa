/** What /docs signs requests with, against a real exchange. */
import t from 'tap';
import { builtinRecords } from '../../../catalog/builtin/index.ts';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import {
  type Operations,
  RequestSigner,
  readFacts,
} from '../../../console/browser/docs/request-signer.ts';
import type { Json } from '../../../http/documentation/schema.ts';
import { shareTestExchange } from '../exchange-fixture.ts';
import { asObject, documentText, operationsOf } from './read-document.ts';

const [maker = '', taker = ''] = DEV_KEYS;

const exchange = (await shareTestExchange(t, { now: Date.now, devKeys: DEV_KEYS.slice(0, 2) }))();
const { url, services } = exchange.running;
for (const batch of builtinRecords()) await services.exchange.catalog.write.putRecords(batch);

/** The signer as start.js makes it: with what the page got from the exchange. */
async function openSigner(): Promise<RequestSigner> {
  const facts = await readFacts(url);
  const answer = await fetch(`${url}/openapi.json`);
  // Safe: it is an OpenAPI document.
  const document = (await answer.json()) as Operations;
  return new RequestSigner({ document, facts, base: url });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

async function send(signer: RequestSigner, key: string, { method, path, body }: Sent) {
  const signed = await signer.sign(
    {
      url: url + path,
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    key,
  );
  const answer = await fetch(signed.url, { ...signed, redirect: 'manual' });
  signer.noteAnswer(answer.status);
  return { status: answer.status, text: await answer.text() };
}

/** The request that Swagger UI makes of an operation's examples. */
function exampleRequest({ method, path, content }: ReturnType<typeof operationsOf>[number]): Sent {
  const query = new URLSearchParams();
  let filled = path;
  const parameters = Array.isArray(content.parameters) ? content.parameters.map(asObject) : [];
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'query') query.set(String(name), String(example));
    else filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
  }
  const whole = query.size === 0 ? filled : `${filled}?${query}`;
  if (content.requestBody === undefined) return { method, path: whole };
  const [type = {}] = Object.values(asObject(asObject(content.requestBody).content));
  const { example } = asObject(type);
  return { method, path: whole, ...(example === undefined ? {} : { body: example }) };
}

/** Examples that need something that a new exchange does not have, and their answers. */
const NEED_MORE = new Map([
  ['POST /invitations/accept', 403],
  ['GET /data/order/{id}', 404],
  ['GET /explorer/accounts/{address}', 400],
  ['GET /explorer/orders/{id}', 404],
  ['GET /explorer/trades/{id}', 404],
  ['DELETE /auth/readonly-api-key', 404],
  ['PUT /comments/{id}', 404],
  ['DELETE /comments/{id}', 404],
  ['POST /comments/{id}/reactions', 404],
  ['DELETE /comments/{id}/reactions', 404],
  ['POST /comments/{id}/reports', 404],
  ['POST /sets/redeem', 409],
  ['POST /sets/convert', 409],
  ['GET /transaction', 404],
  // It needs a header, or the headers of a builder.
  ['GET /transactions', 400],
  ['GET /v1/account/transactions/{id}', 404],
]);

t.test('every example of the page works, signed as a dev account', async (t) => {
  const signer = await openSigner();
  const operations = operationsOf(documentText('public'));
  // The key goes last, because the others need it.
  const last = ({ path, method }: { path: string; method: string }) =>
    `${method} ${path}` === 'DELETE /auth/api-key';
  for (const operation of operations.toSorted((one, other) => +last(one) - +last(other))) {
    const { method, path, content } = operation;
    const name = `${method} ${path}`;
    const request = exampleRequest(operation);
    if (method === 'GET' && request.body !== undefined) {
      await t.rejects(
        send(signer, maker, request),
        /a browser can not send a GET with a body/,
        name,
      );
      continue;
    }
    const { status, text } = await send(signer, maker, request);
    const [documented = ''] = Object.keys(asObject(content.responses));
    t.equal(status, NEED_MORE.get(name) ?? Number(documented), `${name}: ${text.slice(0, 200)}`);
  }
});

t.test('orders of two accounts match, and a revoked key is replaced', async (t) => {
  const signer = await openSigner();
  const [, tokenId] = exchange.plain.tokenIds;
  const order = (side: string, makerAmount: string, takerAmount: string) => ({
    method: 'POST',
    path: '/order',
    body: {
      order: { salt: 5, tokenId, makerAmount, takerAmount, side, signatureType: 0 },
      orderType: 'GTC',
    },
  });
  const bought = await send(signer, maker, order('BUY', '4000000', '10000000'));
  t.match(JSON.parse(bought.text), { success: true, status: 'live' }, bought.text);
  const { conditionId: market } = exchange.plain;
  const split = { market, amount: '10', key: 'docs-split' };
  const sets = { method: 'POST', path: '/sets/split', body: split };
  t.equal((await send(signer, taker, sets)).status, 200);
  const sold = await send(signer, taker, order('SELL', '10000000', '4000000'));
  t.match(JSON.parse(sold.text), { success: true, status: 'matched' }, sold.text);
  const revoke = { method: 'DELETE', path: '/auth/api-key' };
  t.equal((await send(signer, taker, revoke)).status, 200);
  const keys = { method: 'GET', path: '/auth/api-keys' };
  t.equal((await send(signer, taker, keys)).status, 401, 'the page does not know yet');
  t.equal((await send(signer, taker, keys)).status, 200);
});
