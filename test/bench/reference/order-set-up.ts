/** The tests of the reference and the floor share the real program and signed requests for it. */
import t from 'tap';
import type { LoadRequest } from '../../../bench/harness/closed-loop.ts';
import { Exchange } from '../../../bench/harness/exchange.ts';
import { Orders } from '../../../bench/harness/orders.ts';
import { signL2 } from '../../../http/signing/l2.ts';

const CASH_UNITS = 2_000;

export type Request = LoadRequest;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const server = await Exchange.start([
  '--paper-amount',
  String(CASH_UNITS),
  '--log-level',
  'error',
]);
t.teardown(async () => {
  await server.stop();
  server.remove();
});
export const requests = await Orders.of(server);
/** For another server with the same accounts and markets. */
export const input = {
  accounts: server.devAccounts,
  markets: requests.markets,
  cashMicros: CASH_UNITS * 1e6,
};

/** Sends a request to ours, or to another server. */
export async function ask(
  { method, path, headers, body }: Request,
  url: string = server.url,
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // JSON objects
}

/** A request with other contents and a new HMAC, so that only the order's signature is wrong. */
export function withOrder(request: Request, change: Readonly<Record<string, unknown>>): Request {
  const contents = JSON.parse(request.body) as { order: object; owner: string }; // ours
  const order = { ...contents.order, ...change };
  const body = JSON.stringify({ ...contents, order });
  const account = server.devAccounts.find(({ apiKey }) => apiKey === contents.owner)!;
  const { headers } = request;
  const timestamp = headers.POLY_TIMESTAMP ?? '';
  const head = { timestamp, method: 'POST', path: '/order' };
  const signature = signL2(account.secret, head, Buffer.from(body));
  return { ...request, body, headers: { ...headers, POLY_SIGNATURE: signature } };
}

export function withHeader(request: Request, name: string, value: string): Request {
  return {
    ...request,
    headers: { ...request.headers, [name]: value },
  };
}
