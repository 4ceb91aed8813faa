/** Each package is imported where its row in ARCHITECTURE.md says, at an exact version. */
import t from 'tap';
import {
  type DependencyRow,
  dependencyFaults,
  type Manifest,
  parseDependencyTables,
} from './dependencies.ts';
import { readProject, readProjectFile } from './project.ts';
import { readModule } from './source-module.ts';

const project = readProject();
// Safe: the first test fails if package.json has another form.
const manifest = JSON.parse(readProjectFile('package.json')) as Manifest;

t.test('each package is imported where ARCHITECTURE.md says, at an exact version', async (t) => {
  const rows = parseDependencyTables(readProjectFile('ARCHITECTURE.md'));
  t.strictSame(dependencyFaults(project, rows, manifest), []);
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

t.test('an import in a wrong place and an untrue row are found', async (t) => {
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

t.test('of the tables in Markdown, only those of packages are read', async (t) => {
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
