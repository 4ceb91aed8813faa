import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { runReady } from '../../../cli/ready/index.ts';

const requests: string[] = [];
let answer = { status: 200, body: '' };
const server = createServer(({ method, url }, response) => {
  requests.push(`${method} ${url}`);
  response.writeHead(answer.status).end(answer.body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
t.teardown(() => server.close());
// Safe: it listens on a port.
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function ask(target: string) {
  return runReady({ flags: new Map(), environment: { EXCHANGE_URL: target } });
}

t.test('it repeats what GET /readyz answers', async (t) => {
  const rows: readonly (readonly [status: number, body: string, text: string, ok: boolean])[] = [
    [200, '{"ready":true,"failed":[]}', 'is ready.', true],
    [503, '{"failed":["journal","reader"]}', 'is not ready: journal, reader', false],
    [404, 'no JSON', 'is not ready: it answered 404', false],
  ];
  for (const [status, body, text, ok] of rows) {
    answer = { status, body };
    t.strictSame(await ask(url), { text: `The exchange at ${url} ${text}`, ok });
  }
  t.strictSame([...new Set(requests)], ['GET /readyz']);
});

t.test('where nothing listens, it says so', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo; // as above
  closed.close();
  await t.rejects(ask(`http://127.0.0.1:${port}`), { message: /^No exchange answers at http/ });
});
