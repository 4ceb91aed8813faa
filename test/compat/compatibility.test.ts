// COMPATIBILITY.md matches its tables, has every route, and names only existing tests.
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { ROUTES } from '../all-routes.ts';
import { CALLS } from './calls.ts';
import { ROWS } from './compatibility-rows.ts';
import { CLIENT_TEST, RECORDED_TEST, testsOf } from './compatibility-text.ts';
import { DEVIATIONS } from './deviations.ts';

function project(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
const rows = ROWS.map(({ route }) => route);

t.test('each route has one row, and each row a route', async (t) => {
  const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
  t.strictSame(rows.toSorted(), served.toSorted());
});

t.test('each route that a client calls has a row', async (t) => {
  for (const { method, routes, besides = [] } of CALLS) {
    for (const route of [...routes, ...besides]) t.ok(rows.includes(route), `${method}: ${route}`);
  }
});

t.test('each row names existing test files that contain its path', async (t) => {
  for (const row of ROWS) {
    const files = testsOf(row);
    t.ok(files.length > 0, row.route);
    const path = (row.route.split(' ')[1] ?? '').split('{')[0] ?? '';
    for (const file of files) {
      if (!t.ok(existsSync(project(file)), `${row.route}: ${file}`)) continue;
      if (file === CLIENT_TEST || file === RECORDED_TEST || path === '/') continue;
      const text = readFileSync(project(file), 'utf8');
      t.ok(text.includes(path) || text.includes('RFQ_ROUTES'), `${file} contains ${path}`);
    }
  }
});

t.test('a route that is not served has a reason', async (t) => {
  for (const { route, status, note } of ROWS) t.ok(status === 'served' || note !== '', route);
});

t.test('routes of one site that are named as not served are not', async (t) => {
  const section = DEVIATIONS.find(({ title }) => title === 'Routes of one site');
  // Parentheses name what is served in their place.
  const text = section?.text.replaceAll(/\([^)]*\)/g, '') ?? '';
  const paths = [...text.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path);
  t.ok(paths.length > 5, `${paths}`);
  const served: readonly string[] = ROUTES.map(({ path }) => path);
  t.strictSame(
    paths.filter((path) => served.includes(`${path}`)),
    [],
  );
});
