import t from 'tap';
import { Router } from '../../../http/server/router.ts';

function makeRouter(): Router<string> {
  const router = new Router<string>();
  const routes = [
    ['GET', '/'],
    ['GET', '/book'],
    ['POST', '/order'],
    ['DELETE', '/order'],
    ['GET', '/data/orders'],
    ['GET', '/data/order/{id}'],
    ['GET', '/events/creators'],
    ['GET', '/events/{id}'],
    ['GET', '/events/slug/{slug}'],
  ] as const;
  for (const [method, path] of routes) router.add({ method, path }, `${method} ${path}`);
  return router;
}

t.test('a method and path find their route', async (t) => {
  const router = makeRouter();
  const rows: [method: string, path: string, target: string, params?: object, bare?: string][] = [
    ['GET', '/', 'GET /'],
    ['GET', '/book', 'GET /book'],
    ['DELETE', '/order', 'DELETE /order'],
    ['GET', '/data/order/0x1', 'GET /data/order/{id}', { id: '0x1' }],
    ['GET', '/data/order/a%20b%2Fc', 'GET /data/order/{id}', { id: 'a b/c' }],
    ['GET', '/data/order/%zz', 'GET /data/order/{id}', { id: '%zz' }],
    ['GET', '/events/creators', 'GET /events/creators'],
    ['GET', '/events/7', 'GET /events/{id}', { id: '7' }],
    ['GET', '/events/slug/x', 'GET /events/slug/{slug}', { slug: 'x' }],
    ['POST', '/clob/order', 'POST /order', {}, '/order'],
    ['GET', '/gamma/events/7', 'GET /events/{id}', { id: '7' }, '/events/7'],
    ['GET', '/data/data/orders', 'GET /data/orders', {}, '/data/orders'],
    ['GET', '/clob/', 'GET /', {}, '/'],
  ];
  for (const [method, path, target, params = {}, bare = path] of rows) {
    const surface = path === bare ? '' : path.split('/')[1];
    const expected = { kind: 'route', target, params, path: bare, surface };
    t.strictSame(router.find(method, path), expected, `${method} ${path}`);
  }
});

t.test('an unknown path has the routes that begin most like it, at most five', async (t) => {
  const router = makeRouter();
  t.strictSame(router.find('PUT', '/order'), {
    kind: 'other_methods',
    allowed: ['POST', 'DELETE'],
  });
  for (const path of [
    '/order/',
    '/orders',
    '/data',
    '/clob',
    '/clobber/order',
    '/data/order/a/b',
  ]) {
    t.strictSame(router.find('GET', path), { kind: 'nothing' }, path);
  }
  t.ok(router.nearest('/data/ordr').includes('GET /data/order/{id}'));
  t.ok(router.nearest('/ordre').includes('POST /order'));
  t.strictSame(router.nearest('/xyz'), []);
  t.strictSame(router.nearest(''), []);
  for (let number = 0; number < 9; number += 1) {
    router.add({ method: 'GET', path: `/many/${number}` }, 'one');
  }
  t.equal(router.nearest('/many/x').length, 5);
});

t.test('a route that is defined twice is a mistake', async (t) => {
  const router = makeRouter();
  t.throws(() => router.add({ method: 'GET', path: '/book' }, 'again'), /defined twice/);
  t.throws(() => router.add({ method: 'GET', path: '/events/{id}' }, 'again'), /defined twice/);
});
