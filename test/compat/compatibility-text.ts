/**
 * COMPATIBILITY.md, generated from the table of rows, the calls of the published client and the
 * recorded requests, so that the page states what the tests check.
 */

import { Router } from '../../http/server/router.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ROUTES } from '../all-routes.ts';
import { type RecordedRequest, vectors } from '../http/signing/fixtures.ts';
import { CALLS } from './calls.ts';
import { otherClientsText } from './clients/tables.ts';
import { ROWS, type Row, SECTIONS } from './compatibility-rows.ts';
import { DEVIATIONS } from './deviations.ts';
import { nameOf, reasonOf } from './recorded-answers.ts';

const CLIENT = '@polymarket/clob-client-v2';
export const CLIENT_TEST = 'test/compat/published-client.test.ts';
export const RECORDED_TEST = 'test/compat/recorded.test.ts';

const router = new Router<string>();
for (const route of ROUTES) router.add(route, `${route.method} ${route.path}`);

function routeOf({ method, url }: RecordedRequest): string {
  const found = router.find(method, url.split('?')[0] ?? '');
  return found.kind === 'route' ? found.target : '';
}

const recorded = Object.values(vectors.recorded).flat();
const recordedRoutes = new Set(recorded.map(routeOf));

/** Methods of the published client that call a route, directly or as a step. */
function methodsOf(route: string): readonly string[] {
  return CALLS.filter(({ routes }) => routes.includes(route)).map(({ method }) => method);
}

/** Every file that tests a row. */
export function testsOf({ route, tests }: Row): readonly string[] {
  return [
    ...(methodsOf(route).length > 0 ? [CLIENT_TEST] : []),
    ...(recordedRoutes.has(route) ? [RECORDED_TEST] : []),
    ...tests,
  ];
}

function cellsOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
function code(text: string): string {
  return `\`${text}\``;
}
function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

const STATUS = { served: '', empty: 'always empty: ', refused: 'refused: ' } as const;

function rowText({ route, clients, status, note }: Row): string {
  return cellsOf([code(route), clients, codes(methodsOf(route)), STATUS[status] + note]);
}

const HEADINGS = ['Route', 'Called by', `Methods of ${code(CLIENT)}`, 'Note'];
const HEAD = [cellsOf(HEADINGS), cellsOf(HEADINGS.map(() => '---'))];

function sectionText({ title, rows }: (typeof SECTIONS)[number]): string {
  return [`## ${title}`, '', ...HEAD, ...rows.map(rowText)].join('\n');
}

const REFUSALS = [
  '## Recorded requests that are refused',
  '',
  'The recordings were made against a stub that accepted ids which no exchange has. These requests',
  'are answered with an error that names the field. All others get what their client expects.',
  '',
];

function refusalsText(): string {
  const names = [...new Set(recorded.map(nameOf))].filter((name) => reasonOf(name) !== '');
  return [...REFUSALS, ...names.map((name) => `- ${code(name)}: ${reasonOf(name)}.`)].join('\n');
}

function deviationsText(): string {
  return [
    '## Where answers differ, and why',
    `\nTwo public venues have this interface. [One table](http/wire/0-ground-rules.md#014-dialects)
lists where their answers differ and how a request chooses, [another
one](http/wire/11-decisions.md) the points on which clients disagree. Besides:`,
    ...DEVIATIONS.map(({ title, text }) => `\n### ${title}\n\n${text}`),
  ].join('\n');
}

const version = packageJson.devDependencies[CLIENT];

const INTRODUCTION = `# Compatibility

How the exchange answers the published clients of this family. \`npm run documents\` writes this
page from the tables of the compatibility tests. The tests call every public method of
${code(CLIENT)} ${version} against a real exchange, and send every request that was
recorded from published clients again, byte for byte.

Set a client's host, chain and contracts; nothing else is needed. "Called by": the Kuest clients
(TypeScript, Python, Rust and the site), the first version of the Polymarket clients (v1) and the
second one (v2). ${ROWS.length} routes, all served but those noted as refused; ${CALLS.length}
methods. \`test/compat/compatibility-rows.ts\` names the tests of each route.`;

/** The whole page. */
export function compatibilityText(): string {
  const sections = [...SECTIONS.map(sectionText), otherClientsText(), refusalsText()];
  return [INTRODUCTION, ...sections, deviationsText(), ''].join('\n\n').replace(/\n+$/, '\n');
}
