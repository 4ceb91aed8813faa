// Reads of the public listener on the operator's listener, for its pages.
import t from 'tap';
import { PUBLIC_READS } from '../../../http/admin/get-audit.ts';
import { exampleOf } from '../../../http/documentation/schema.ts';
import { ROUTES } from '../../all-routes.ts';
import { pathOf } from '../documentation/example-session.ts';
import { shareTestExchange } from '../exchange-fixture.ts';

const { running } = (await shareTestExchange(t))();
const operatorUrl = `http://127.0.0.1:${running.adminPort}`;
const headers = { authorization: `Bearer ${running.adminToken}` };

t.test('an operator reads what everybody reads on the public listener', async (t) => {
  let found = 0;
  for (const route of PUBLIC_READS) {
    const path = pathOf(route.path, exampleOf('public', route) ?? {});
    const everybody = await fetch(running.url + path);
    const own = await fetch(operatorUrl + path, { headers });
    t.strictSame([own.status, await own.text()], [everybody.status, await everybody.text()], path);
    t.equal(own.headers.get('content-type'), everybody.headers.get('content-type'), path);
    if (own.ok) found += 1;
    const isPicture = route.path === '/images/{file}';
    const { status } = await fetch(operatorUrl + path);
    t.equal(status, isPicture ? 200 : 401, `${path} without the token`);
  }
  t.ok(found > PUBLIC_READS.length / 2, `${found} of ${PUBLIC_READS.length} found something`);
});

t.test('each of them is a route of the public listener', async (t) => {
  for (const route of PUBLIC_READS) {
    const same = ROUTES.find(({ method, path }) => method === 'GET' && path === route.path);
    t.equal(same?.handler, route.handler, route.path);
    t.equal(same?.auth, 'none', `${route.path} shows nothing that is private`);
  }
});

t.test('searches and filters work, and bad ones are refused', async (t) => {
  const read = async (path: string) => {
    const answer = await fetch(operatorUrl + path, { headers });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const found = await read('/public-search?q=election');
  t.ok(found.body.events.length > 0, 'a search by words');
  const [event] = (await read('/events?limit=1')).body;
  t.match((await read(`/events/${event.id}`)).body, { slug: event.slug });
  const rows = [
    ['/events?limit=x', 400],
    ['/events?closed=perhaps', 400],
    ['/events/no-number', 400],
    ['/events/99999999', 404],
    ['/markets/0x00', 400],
    ['/public-search', 400],
    ['/positions', 400],
  ] as const;
  for (const [path, status] of rows) t.equal((await read(path)).status, status, path);
});
