/**
 * The reference for orders accepts exactly what the exchange accepts: both give the same answers to
 * the same requests, and both refuse a request that was changed after it was signed.
 */
import { join } from 'node:path';
import t from 'tap';
import type { LoadRequest as Request } from '../../../bench/harness/closed-loop.ts';
import { Exchange } from '../../../bench/harness/exchange.ts';
import { Orders } from '../../../bench/harness/orders.ts';
import { referenceTerms } from '../../../bench/orders/servers.ts';
import { OrderServer } from '../../../bench/reference/order-server.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const CASH_UNITS = 2_000;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const flags = ['--paper-amount', String(CASH_UNITS), '--log-level', 'error'];
const server = await Exchange.start(flags);
t.teardown(async () => {
  await server.stop();
  server.remove();
});
const requests = await Orders.of(server);
const folder = temporaryFolder(t);
const terms = referenceTerms(server, requests, CASH_UNITS, join(folder, 'orders.db'));
const reference = new OrderServer(terms);
const app = reference.create();
t.teardown(async () => {
  await app.close();
  reference.close();
});

/** Sends a request to the program. */
async function ask({ method, path, headers, body }: Request): Promise<Answer> {
  const answer = await fetch(`${server.url}${path}`, { method, headers, body });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // JSON objects
}

/** A request with other contents and a new HMAC, so that only the order's signature is wrong. */
function withOrder(request: Request, change: Readonly<Record<string, unknown>>): Request {
  const contents = JSON.parse(request.body) as { order: object; owner: string }; // our own JSON
  const order = { ...contents.order, ...change };
  const body = JSON.stringify({ ...contents, order });
  const account = server.devAccounts.find(({ apiKey }) => apiKey === contents.owner)!;
  const { headers } = request;
  const timestamp = headers.POLY_TIMESTAMP ?? '';
  const head = { timestamp, method: 'POST', path: '/order' };
  const signature = signL2(account.secret, head, Buffer.from(body));
  return { ...request, body, headers: { ...headers, POLY_SIGNATURE: signature } };
}

function withHeader(request: Request, name: string, value: string): Request {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

async function askReference({ method, path, headers, body }: Request): Promise<Answer> {
  const answer = await app.inject({
    method: method === 'DELETE' ? 'DELETE' : 'POST',
    url: path,
    headers,
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** An order that rests in the reference. */
async function placeLive() {
  for (const order of requests.make(20)) {
    const placed = await askReference(order);
    if (placed.body.status === 'live') return { order, placed };
  }
  throw new Error('none of 20 orders rests');
}

/** What both must answer alike; the ids of trades differ. */
function saidAlike({ status, body }: Answer) {
  const { success, orderID, orderHash, takingAmount, makingAmount, canceled } = body;
  const trades = Array.isArray(body.tradeIDs) ? body.tradeIDs.length : 0;
  const hashes = Array.isArray(body.transactionsHashes) ? body.transactionsHashes.length : 0;
  const said = { success, orderID, orderHash, takingAmount, makingAmount, canceled };
  return { status, ...said, state: body.status, trades, hashes };
}

t.test('the same orders in the same order get the same answers from both', async (t) => {
  const orders = requests.make(60);
  const states = new Set<unknown>();
  const live: { id: string; owner: string }[] = [];
  for (const order of orders) {
    const ours = await ask(order);
    t.strictSame(saidAlike(await askReference(order)), saidAlike(ours));
    states.add(ours.body.status);
    const { owner } = JSON.parse(order.body) as { owner: string }; // our own JSON
    if (ours.body.status === 'live') live.push({ id: String(ours.body.orderID), owner });
  }
  t.strictSame([...states].sort(), ['live', 'matched']);
  t.equal(reference.count(), orders.length, 'each of them is in the database');
  for (const cancel of requests.makeCancels(live.slice(0, 10))) {
    t.strictSame(saidAlike(await askReference(cancel)), saidAlike(await ask(cancel)));
  }
});

t.test('a request that was changed is refused by both', async (t) => {
  const [order] = requests.make(1) as [Request];
  const stale = String(Math.floor(Date.now() / 1_000) - 301);
  const other = server.devAccounts[5]!;
  const tampered: readonly (readonly [name: string, request: Request, status: number])[] = [
    ['another amount', withOrder(order, { makerAmount: '5' }), 400],
    ['another salt', withOrder(order, { salt: '5' }), 400],
    ['another signer', withOrder(order, { signer: other.address }), 403],
    ['another maker', withOrder(order, { maker: other.address }), 403],
    ['an unknown key', withHeader(order, 'POLY_API_KEY', 'nobody'), 401],
    ['a wrong passphrase', withHeader(order, 'POLY_PASSPHRASE', other.passphrase), 401],
    ['a wrong address', withHeader(order, 'POLY_ADDRESS', other.address), 401],
    ['a stale timestamp', withHeader(order, 'POLY_TIMESTAMP', stale), 401],
    ['another body', { ...order, body: `${order.body} ` }, 401],
    ['a missing signature', withHeader(order, 'POLY_SIGNATURE', ''), 401],
  ];
  for (const [name, request, status] of tampered) {
    t.equal((await ask(request)).status, status, `${name}: ours`);
    t.equal((await askReference(request)).status, status, `${name}: the reference`);
  }
  t.equal((await askReference(order)).status, 200, 'the unchanged order is accepted');
  t.equal((await askReference(order)).status, 400, 'but only once');
});

t.test('an account cannot cancel the order of another', async (t) => {
  const { order, placed } = await placeLive();
  const [mine] = server.devAccounts;
  const id = String(placed.body.orderID);
  const { owner } = JSON.parse(order.body) as { owner: string }; // our own JSON
  const thief = server.devAccounts.find(({ apiKey }) => apiKey !== owner) ?? mine!;
  const [stolen] = requests.makeCancels([{ id, owner: thief.apiKey }]) as [Request];
  t.strictSame((await askReference(stolen)).body.canceled, []);
  const [own] = requests.makeCancels([{ id, owner }]) as [Request];
  t.strictSame((await askReference(own)).body.canceled, [id]);
  t.strictSame((await askReference(own)).body.canceled, [], 'and only once');
});

t.test('an order that its account cannot pay is refused', async (t) => {
  const path = join(temporaryFolder(t), 'poor.db');
  const poor = new OrderServer({ ...terms, cashMicros: 10_000, path });
  const poorApp = poor.create();
  t.teardown(async () => {
    await poorApp.close();
    poor.close();
  });
  const { headers, body } = requests.make(1)[0]!;
  const sent = { method: 'POST', url: '/order', headers, payload: body } as const;
  const answer = await poorApp.inject(sent);
  t.equal(answer.statusCode, 400);
  t.match(answer.json().errorMsg, /balance/);
  t.equal(poor.count(), 0);
});
