// Paths and queries in unusual spellings: each leads to the route that it names or to none.
import t from 'tap';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { nextOf, sendRaw, statusesIn } from './raw-server.ts';

/** None of these paths may show a file, or what another path shows. */
const NOWHERE: readonly string[] = [
  '/docs/../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/..%5c..%5cpackage.json',
  '/docs/%252e%252e%252fpackage.json',
  '/docs/package.json',
  '/docs/%00',
  '/docs/swagger-ui.css%00.js',
  '/docs//etc/passwd',
  '/docs/%2fetc%2fpasswd',
  '/..',
  '/../ok',
  '/./ok',
  '/ok/',
  '//ok',
  '/ok//',
  '/OK',
  '/o%6b',
  '/ok%00',
  '/ok%20',
  '/ok;a=b',
  '/ok.json',
  '/clob',
  '/clob//ok',
  '/clob/../ok',
  '/CLOB/ok',
  '/c%6cob/ok',
  '/clob/clob/ok',
  '/clob/gamma/ok',
  '/admin',
  '/audit',
  '/clob/audit',
  '/state',
  '/.git/config',
  '/data/../audit',
];

const share = await shareTestExchange(t);

t.test('an unusual spelling of a path finds no route', async (t) => {
  const { running } = share();
  for (const path of NOWHERE) {
    // Raw bytes, because every client library normalizes paths.
    const wire = sendRaw(t, running.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await nextOf(wire.socket);
    const [status] = statusesIn(wire.received());
    t.equal(status, 404, path);
    t.notMatch(wire.received(), /"dependencies"|root:|\[core\]/);
  }
});

t.test('a path parameter is one segment, decoded once, with any content', async (t) => {
  const { running } = share();
  const odd = ['%2e%2e', '..', '%2fmarkets', 'a%2fb', '%00', '%ff', '%', '%252f', "'%20OR%201=1"];
  for (const id of odd) {
    for (const path of [`/markets/${id}`, `/clob-markets/${id}`, `/neg-risk/${id}`]) {
      const wire = sendRaw(t, running.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await nextOf(wire.socket);
      const [status = 0] = statusesIn(wire.received());
      t.ok(status >= 400 && status < 500, `${path}: ${status}`);
    }
  }
});

t.test('a query may fill the head with parameters, and unknown ones are ignored', async (t) => {
  const { running, send } = share();
  const many = Array.from({ length: 1_800 }, (_, index) => `k${index}=`).join('&');
  t.equal((await send('GET', `/time?${many}`)).status, 200);
  t.equal((await send('GET', `/markets?${many}&limit=1`)).status, 200);
  t.equal((await send('GET', `/markets?${'limit=1&'.repeat(1_500)}limit=2`)).body.length, 2);
  const tooLong = `GET /time?${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const wire = sendRaw(t, running.port, tooLong);
  await nextOf(wire.socket);
  t.strictSame(statusesIn(wire.received()), [431]);
});
