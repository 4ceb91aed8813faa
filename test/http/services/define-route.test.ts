import t from 'tap';
import { type Static, Type } from 'typebox';
import {
  NO_BODY,
  NO_PARAMETERS,
  type RouteDefinition,
  servicesFor,
} from '../../../http/api/route.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import type { Services } from '../../../http/services/services.ts';
import { bareRoute } from '../bare-server.ts';

const base = { ...bareRoute, method: 'GET', path: '/of-this-test', body: NO_BODY } as const;

// Safe: no handler of this test calls these services.
const services = { books: { a: 1 }, registry: { b: 2 }, exchange: { c: 3 } } as unknown as Services;

t.test('a handler gets the services that its route names, and no others', async (t) => {
  const route = defineRoute({
    ...base,
    needs: ['books', 'registry'],
    handler: ({ services }) => services,
  });
  const given = servicesFor(route, services);
  t.strictSame(given, { books: { a: 1 }, registry: { b: 2 } });
  t.notOk('exchange' in given);
});

t.test('a route without needs gets no services', async (t) => {
  const route = defineRoute({ ...base, handler: ({ services }) => services });
  t.strictSame(servicesFor(route, services), {});
});

t.test('the types refuse a service that the route does not name', async (t) => {
  defineRoute({
    ...base,
    needs: ['books'],
    // @ts-expect-error: the route does not name the registry
    handler: ({ services: { registry } }) => registry,
  });
  defineRoute({
    ...base,
    // @ts-expect-error: the route names nothing
    handler: ({ services: { books } }) => books,
  });
  defineRoute({
    ...base,
    // @ts-expect-error: there is no such service
    needs: ['bookkeeping'],
    handler: () => 'OK',
  });
  t.pass('tsc reports each of these lines when it compiles');
});

t.test('a handler gets its input in the types of the schemas', async (t) => {
  const Query = Type.Object({ count: Type.Integer() });
  const route = defineRoute({
    ...base,
    query: Query,
    handler: ({ query }): Static<typeof Query> => query,
  });
  const anyRoute: RouteDefinition = route;
  t.equal(anyRoute.path, '/of-this-test', 'any route fits a table of routes');
});

t.test('an omitted schema means that there is no such input', async (t) => {
  const { method, auth } = base;
  const head = { method, auth, path: '/of-this-test', summary: '', response: Type.Null() } as const;
  const route = defineRoute({ ...head, handler: ({ params, query }) => [params, query] });
  t.match(route, { params: NO_PARAMETERS, query: NO_PARAMETERS, body: NO_BODY });
});
