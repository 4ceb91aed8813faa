// The parameters of the venues' public documents: each is served or refused, none is ignored.
// In the past 30 of them were ignored without a word: a filter by question ids listed all markets.
import t from 'tap';
import { Type } from 'typebox';
import table from '../../../http/api/documented-parameters.json' with { type: 'json' };
import {
  DOCUMENTED_PARAMETERS,
  ignoredHeader,
  nameChecker,
  unservedParameters,
} from '../../../http/api/documented-parameters.ts';
import { parseQuery } from '../../../http/api/query-string.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { ROUTES } from '../../all-routes.ts';

function parametersOf(path: string): string[] {
  const route = ROUTES.find((one) => one.method === 'GET' && one.path === path);
  if (route === undefined) throw new Error(`there is no route GET ${path}`);
  const { query, documentedQuery = query } = route;
  return Object.keys(Object(documentedQuery).properties);
}

t.test('a route serves or refuses each parameter that the public documents know', async (t) => {
  const [refusedNames, otherNames] = [new Set<string>(), new Set<string>()];
  for (const [path, documented] of Object.entries(DOCUMENTED_PARAMETERS)) {
    t.equal(new Set(documented).size, documented.length, `${path} has each name once`);
    const { refused, noEffect } = unservedParameters(path, new Set(parametersOf(path)));
    for (const name of refused.keys()) refusedNames.add(name);
    if (!table.alwaysEmpty.includes(path)) for (const name of noEffect) otherNames.add(name);
  }
  // Each reason is needed, and each refusal has one.
  t.strictSame([...refusedNames].toSorted(), Object.keys(table.refused).toSorted());
  t.strictSame([...otherNames].toSorted(), Object.keys(table.noEffect).toSorted());
});

/** The ignored names of a query, or the refusal. */
function outcomeOf(path: string, query: string): unknown {
  const route = ROUTES.find((one) => one.method === 'GET' && one.path === path);
  if (route === undefined) throw new Error(`there is no route GET ${path}`);
  try {
    return nameChecker(route)(parseQuery(query));
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, ...error.details } : error;
  }
}

t.test('a refused parameter says why, unless it asks for nothing', async (t) => {
  const live = { code: 'parameter_not_served', field: 'live', actual: 'true' };
  t.match(outcomeOf('/events/keyset', 'live=true'), live);
  t.match(outcomeOf('/events', 'cyom=true'), { field: 'cyom', reason: /its traders/ });
  t.match(outcomeOf('/public-search', 'keep_closed_markets=0'), { field: 'keep_closed_markets' });
  for (const query of ['cyom=false', 'cyom=', 'related_tags=true', 'include_chat=true']) {
    t.strictSame(outcomeOf('/events', query), [], query);
  }
  t.strictSame(outcomeOf('/public-search', 'q=a&keep_closed_markets=1&cache=true'), []);
  t.strictSame(outcomeOf('/markets/keyset', 'tag_match=any&decimalized=true'), []);
  t.match(outcomeOf('/markets/keyset', 'tag_match=all'), { field: 'tag_match' });
  t.match(outcomeOf('/markets/keyset', 'position_ids=1'), { field: 'position_ids' });
});

t.test('a route that no document knows has its own parameters only', async (t) => {
  const route = defineRoute({
    method: 'GET',
    path: '/own',
    summary: '',
    auth: 'none',
    query: Type.Object({ a: Type.String() }),
    response: Type.Unknown(),
    handler: () => ({}),
  });
  t.strictSame(nameChecker(route)(parseQuery('a=1&b=2&cyom=true')), ['b', 'cyom']);
});

t.test('the header names ignored parameters in safe characters and within its bound', async (t) => {
  t.strictSame(ignoredHeader([]), []);
  t.strictSame(ignoredHeader(['a', 'market[]']), [['x-ignored-parameters', 'a, market[]']]);
  const [[, injected = ''] = []] = ignoredHeader(['x\r\nset-cookie: a=b', 'ä'.repeat(90)]);
  t.equal(injected, `x??set-cookie??a?b, ${'?'.repeat(40)}`);
  const [[, many = ''] = []] = ignoredHeader(Array.from({ length: 99 }, (_, index) => `p${index}`));
  t.equal(many, `${Array.from({ length: 10 }, (_, index) => `p${index}`).join(', ')}, ...`);
});
