/**
 * The shape of the whole, kept by reading the sources (style.md 9): imports follow the arrows of
 * ARCHITECTURE.md, the engine is pure, each package is imported where its row says.
 */
import t from 'tap';
import { arrowFaults } from './arrows.ts';
import {
  type DependencyRow,
  dependencyFaults,
  type Manifest,
  parseDependencyTables,
} from './dependencies.ts';
import { readProject, readProjectFile } from './project.ts';
import { readModule } from './source-module.ts';

const project = readProject();
// Safe: the test below fails in words where package.json is not of this form.
const manifest = JSON.parse(readProjectFile('package.json')) as Manifest;

t.test('imports follow the arrows, and the engine is pure', async (t) => {
  t.strictSame(arrowFaults(project), []);
  for (const folder of ['engine', 'persistence', 'http', 'bench', 'test', 'main.ts']) {
    t.ok(
      project.some(({ path }) => path.startsWith(folder)),
      `${folder} is looked at`,
    );
  }
});

t.test('each package is imported where ARCHITECTURE.md says, at an exact version', async (t) => {
  const rows = parseDependencyTables(readProjectFile('ARCHITECTURE.md'));
  t.strictSame(dependencyFaults(project, rows, manifest), []);
});

const WRONG_ARROWS: readonly (readonly [path: string, code: string, faults: string[]])[] = [
  ['engine/a.ts', "import { b } from './b.ts';", []],
  ['engine/a.ts', "import { strict as assert } from 'node:assert';", []],
  ['engine/a.ts', "import { createHash } from 'node:crypto';", []],
  ['engine/a.ts', "import { randomInt } from 'node:crypto';", ['imports node:crypto']],
  [
    'engine/a.ts',
    "import { b } from '../persistence/index.ts';",
    ['imports ../persistence/index.ts'],
  ],
  ['engine/a.ts', "import type { B } from '../http/b.ts';", ['imports ../http/b.ts']],
  ['engine/a.ts', "export * from '../http/b.ts';", ['imports ../http/b.ts']],
  ['engine/a.ts', "const b = new URL('../http/b.ts', c);", ['imports ../http/b.ts']],
  ['engine/a.ts', "import fs from 'node:fs';", ['imports node:fs']],
  ['engine/a.ts', 'const at = Date.now();', ['mentions Date']],
  ['engine/a.ts', 'const luck = Math.random();', ['mentions random']],
  ['engine/a.ts', `const where = \`in \${process.cwd()}\`;`, ['mentions process']],
  ['engine/a.ts', 'const f = async () => {};', ['mentions async']],
  ['engine/a.ts', 'setTimeout(() => {}, 1);', ['mentions setTimeout']],
  ['engine/a.ts', "// Date, process\nconst text = 'setTimeout';", []],
  ['persistence/a.ts', "import { b } from '../engine/index.ts';", []],
  ['persistence/a.ts', "import { b } from '../engine/book.ts';", ['imports ../engine/book.ts']],
  ['persistence/a/b.ts', "import { b } from '../../http/b.ts';", ['imports ../../http/b.ts']],
  ['http/a.ts', "import { b } from '../persistence/index.ts';", []],
  ['http/a.ts', "import { b } from '../persistence/b.ts';", ['imports ../persistence/b.ts']],
  ['http/a.ts', "const b = await import('../persistence/b.ts');", ['imports ../persistence/b.ts']],
  ['http/a.ts', "import { b } from '../test/b.ts';", ['imports ../test/b.ts']],
  ['http/a.ts', "import { readFileSync } from 'node:fs';", ['imports node:fs']],
  [
    'http/documentation/a.ts',
    "import { readFile } from 'node:fs/promises';",
    ['imports node:fs/promises'],
  ],
  ['http/documentation/assets.ts', "import { readFile } from 'node:fs/promises';", []],
  [
    'http/documentation/assets.ts',
    "import { b } from '../../persistence/b.ts';",
    ['imports ../../persistence/b.ts'],
  ],
  ['bench/a.ts', "import { b } from '../engine/book.ts';", []],
  ['main.ts', "import { b } from './persistence/node-version.ts';", []],
];

t.test('a wrong arrow is found, however it is written', async (t) => {
  for (const [path, code, faults] of WRONG_ARROWS) {
    const found = arrowFaults([readModule(path, code)]);
    t.strictSame(
      found.map((fault) => fault.replace(/^\S+ /, '')),
      faults,
      `${path}: ${code}`,
    );
  }
});

const SMALL_MANIFEST: Manifest = {
  dependencies: { alpha: '1.0.0', '@scope/beta': 'npm:gamma@2.0.0' },
  devDependencies: { delta: '3.0.0-rc.1' },
};
const SMALL_ROWS: readonly DependencyRow[] = [
  { name: 'alpha', paths: ['http'] },
  { name: '@scope/beta', paths: ['persistence/store.ts'] },
  { name: 'delta', paths: [] },
];
const SMALL_PROJECT = [
  readModule('http/a.ts', "import alpha from 'alpha/part';"),
  readModule('persistence/store.ts', "import { beta } from '@scope/beta';"),
  readModule('test/a.test.ts', "import alpha from 'alpha';"),
];

t.test('a package in a wrong place, and a row that is not true, are found', async (t) => {
  const check = (path: string, code: string): string[] =>
    dependencyFaults([...SMALL_PROJECT, readModule(path, code)], SMALL_ROWS, SMALL_MANIFEST);
  t.strictSame(check('http/b.ts', "import { join } from 'node:path';"), []);
  t.strictSame(check('engine/a.ts', "import alpha from 'alpha';"), [
    'engine/a.ts:1 imports alpha, and ARCHITECTURE.md names http',
  ]);
  t.strictSame(check('persistence/other.ts', "export { beta } from '@scope/beta/deep';"), [
    'persistence/other.ts:1 imports @scope/beta, and ARCHITECTURE.md names persistence/store.ts',
  ]);
  t.strictSame(check('http/b.ts', "import { delta } from 'delta';"), [
    'http/b.ts:1 imports delta, which is no run-time dependency',
  ]);
  t.strictSame(check('test/b.ts', "import { delta } from 'delta';"), [
    'test/b.ts:1 imports delta, and ARCHITECTURE.md names no file',
  ]);
  t.strictSame(check('bench/b.ts', "import 'epsilon';"), [
    'bench/b.ts:1 imports epsilon, which has no row in ARCHITECTURE.md',
  ]);
});

t.test('package.json and the tables must name the same packages', async (t) => {
  const check = (rows: readonly DependencyRow[], more: Record<string, string> = {}): string[] => {
    const dependencies = { ...SMALL_MANIFEST.dependencies, ...more };
    return dependencyFaults(SMALL_PROJECT, rows, { ...SMALL_MANIFEST, dependencies });
  };
  t.strictSame(check(SMALL_ROWS), []);
  t.strictSame(check(SMALL_ROWS, { alpha: '^1.0.0' }), [
    'package.json: alpha is "^1.0.0", no exact version',
  ]);
  t.strictSame(check(SMALL_ROWS, { zeta: '1.0.0' }), [
    'package.json: zeta has no row in ARCHITECTURE.md',
  ]);
  t.strictSame(check([...SMALL_ROWS, { name: 'eta', paths: ['main.ts'] }]), [
    'ARCHITECTURE.md: eta is not imported by main.ts',
    'ARCHITECTURE.md: eta is not in package.json',
  ]);
});

t.test('the tables are read from Markdown, and no other table is', async (t) => {
  const markdown = [
    '| where | owns | never |',
    '|---|---|---|',
    '| `not/this.ts` | x | y |',
    '',
    '| package | imported by | why |',
    '|---|---|---|',
    '| `alpha` | `http`, `persistence/store.ts` | for `this` |',
    '| `delta` | | a tool |',
    '',
    '| package | imported by | why    |',
    '| ------- | ----------- | ------ |',
    '| `gamma` | `bench`     | a load |',
  ];
  t.strictSame(parseDependencyTables(markdown.join('\n')), [
    { name: 'alpha', paths: ['http', 'persistence/store.ts'] },
    { name: 'delta', paths: [] },
    { name: 'gamma', paths: ['bench'] },
  ]);
});
