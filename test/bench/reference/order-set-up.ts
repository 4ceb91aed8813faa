/**
 * What tests of the servers beside ours share: the real program, requests that are signed for it by
 * our own code, and what is said of an answer.
 */
import t from 'tap';
import { OrderRequests } from '../../../bench/harness/order-requests.ts';
import { startServer } from '../../../bench/harness/server-process.ts';
import { signL2 } from '../../../http/signing/l2.ts';

const CASH_UNITS = 2_000;

export type Request = ReturnType<OrderRequests['make']>[number];

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const server = await startServer([
  '--paper-amount',
  String(CASH_UNITS),
  '--log-level',
  'error',
]);
t.teardown(async () => {
  await server.stop();
  server.remove();
});
export const requests = await OrderRequests.of(server);
/** For another server of the same accounts and markets. */
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
    method: String(method),
    // Safe: those of order-requests.ts are plain texts.
    headers: headers as Record<string, string>,
    body: String(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // JSON objects
}

/** A request with other contents, authenticated anew: only the order's signature can tell. */
export function withOrder(request: Request, change: Readonly<Record<string, unknown>>): Request {
  const contents = JSON.parse(String(request.body)) as { order: object; owner: string }; // ours
  const order = { ...contents.order, ...change };
  const body = JSON.stringify({ ...contents, order });
  const account = server.devAccounts.find(({ apiKey }) => apiKey === contents.owner)!;
  // Safe: as above.
  const headers = request.headers as Record<string, string>;
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
