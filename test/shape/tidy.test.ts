/** The rules of CONTRIBUTING.md that can be checked in the sources. */
import t from 'tap';
import { deadExports } from './dead-exports.ts';
import { readProject } from './project.ts';
import { readModule } from './source-module.ts';
import { TIDY_BOUNDS, tidyFaults } from './tidy.ts';
import { tokenise } from './tokens.ts';

const project = readProject();

t.test('no faults of length, prints, unfinished marks, exports or types', async (t) => {
  t.strictSame(project.flatMap(tidyFaults), []);
});

t.test('everything exported is imported somewhere', async (t) => {
  t.strictSame(deadExports(project), []);
});

function lines(count: number, line: string): string {
  return `${line}\n`.repeat(count);
}
const LONGEST_LINE = `const a = '${'x'.repeat(TIDY_BOUNDS.lineColumns - 13)}';`;
function longFunction(head: string, tail: string, count: number): string {
  return `${head}\n${lines(count - 2, '  f();')}${tail}\n`;
}
function unfinished(word: string): string {
  return `// ${word}: later`;
}

type Sample = readonly [name: string, code: string, faults: readonly string[]];

const SAMPLES: readonly Sample[] = [
  ['a longest line', LONGEST_LINE, []],
  ['a longer line', `\n ${LONGEST_LINE}`, [':2 has 101 columns']],
  ['a longest file', lines(500, 'f();'), []],
  ['a longer file', lines(501, 'f();'), [' has 501 lines']],
  ['a longest function', longFunction('function a() {', '}', 70), []],
  ['a longer function', longFunction('function a() {', '}', 71), [':1 has a function of 71 lines']],
  [
    'a longer arrow function',
    longFunction('const a = (b: Map<string, number>): void => {', '};', 71),
    [':1 has a function of 71 lines'],
  ],
  [
    'a longer arrow function of one expression',
    `const a = () => [\n${lines(70, '  f(),')}];`,
    [':1 has a function of 72 lines'],
  ],
  [
    'a longer method with a return type',
    `class A {\n${longFunction('  #b(c: () => void): { d: number } {', '  }', 71)}}`,
    [':2 has a function of 71 lines'],
  ],
  ['a long class of short methods', `class A {\n${lines(80, '  b() {}')}}`, []],
  ['a long loop outside a function', longFunction('for (const a of [1]) {', '}', 80), []],
  ['a print', "console.log('a');", [':1 prints by console']],
  ['a print to the stream', "process.stderr.write('a');", [':1 prints by process']],
  ['another member of process', 'f(process.pid);', []],
  ['a member called console', 'f(a.console);', []],
  ['a breakpoint', 'debugger;', [':1 prints by debugger']],
  ['a print in a text', "f('console.log()'); // console.log()", []],
  ['an unfinished mark', unfinished(`TO${'DO'}`), [`:1 has TO${'DO'}`]],
  ['another unfinished mark', unfinished(`FIX${'ME'}`), [`:1 has FIX${'ME'}`]],
  ['a third unfinished mark', unfinished('XX'.padEnd(3, 'X')), [`:1 has ${'X'.repeat(3)}`]],
  ['a default export', 'export default 1;', [':1 has a default export']],
  ['the type any', 'const a: any = 1;', [':1 has the type any']],
  ['the type any as an argument', 'const a = new Map<string, any>();', [':1 has the type any']],
  ['a cast to any', '\nf(a as any);', [':2 has the type any']],
  ['a value called any', 'const any = 1; f(any, Promise.any([]));', []],
];

t.test('each fault is found, and what only looks like one is not', async (t) => {
  for (const [name, code, faults] of SAMPLES) {
    const found = tidyFaults(readModule('http/sample.ts', code));
    t.strictSame(
      found,
      faults.map((fault) => `http/sample.ts${fault}`),
      name,
    );
  }
  t.strictSame(tidyFaults(readModule('main.ts', "console.log('a');")), [], 'a program may print');
  const child = readModule('test/child.ts', "process.stdout.write('a');\nconsole.log('a');");
  t.strictSame(tidyFaults(child), ['test/child.ts:2 prints by console']);
});

/** Files by path, and the dead exports to find in them. */
type Exports = readonly [name: string, files: Record<string, string>, dead: readonly string[]];

const EXPORTS: readonly Exports[] = [
  [
    'an export that is imported',
    { a: 'export const x = 1;', b: "import { x } from './a.ts';" },
    [],
  ],
  ['a dead value', { a: 'export const x = 1;\nf(x);' }, ['a.ts:1 exports x']],
  ['a dead function', { a: '\nexport async function x() {}' }, ['a.ts:2 exports x']],
  ['a dead class', { a: 'export abstract class X {}' }, ['a.ts:1 exports X']],
  ['a dead type', { a: 'export type X = 1;' }, ['a.ts:1 exports X']],
  ['a type of another export', { a: 'export type X = 1;\nf((x: X) => x);' }, []],
  [
    'a type of another export, re-exported',
    { a: 'export type X = 1;\nf((x: X) => x);', index: "export type { X } from './a.ts';" },
    [],
  ],
  [
    'a dead type, re-exported',
    { a: 'export type X = 1;', index: "export type { X } from './a.ts';" },
    ['a.ts:1 exports X', 'index.ts:1 exports X'],
  ],
  [
    'a dead list',
    { a: 'const x = 1, y = 2;\nexport { x, y as z };' },
    ['a.ts:2 exports x', 'a.ts:2 exports z'],
  ],
  [
    'an import by another name',
    { a: 'export const x = 1;', b: "import { x as y } from './a.ts';" },
    [],
  ],
  ['a type import', { a: 'export interface X {}', b: "import type { X } from './a.ts';" }, []],
  ['a mixed import', { a: 'export const x = 1;', b: "import y, { type z, x } from './a.ts';" }, []],
  [
    'the same name of another file',
    { a: 'export const x = 1;', b: "import { x } from './c.ts';", c: '' },
    ['a.ts:1 exports x'],
  ],
  [
    're-exported and imported',
    {
      a: 'export const x = 1;',
      index: "export * from './a.ts';",
      b: "import { x } from './index.ts';",
    },
    [],
  ],
  [
    're-exported and not imported',
    { a: 'export const x = 1;', index: "export * from './a.ts';" },
    ['a.ts:1 exports x'],
  ],
  [
    're-exported as types and imported',
    {
      a: 'export interface X {}',
      index: "export type * from './a.ts';",
      b: "import type { X } from './index.ts';",
    },
    [],
  ],
  [
    're-exported by name and not imported',
    { a: 'export const x = 1;', index: "export { x as y } from './a.ts';" },
    ['a.ts:1 exports x', 'index.ts:1 exports y'],
  ],
  [
    're-exported by name and imported',
    {
      a: 'export const x = 1;',
      index: "export { x as y } from './a.ts';",
      b: "import { y } from './index.ts';",
    },
    [],
  ],
  [
    'read off a namespace',
    {
      a: 'export const x = 1, z = 2;\nexport const y = 1;',
      b: "import * as a from './a.ts';\nf(a.x);",
    },
    ['a.ts:2 exports y'],
  ],
  [
    'a namespace as a whole',
    { a: 'export const x = 1;', b: "import * as a from './a.ts';\nf(a);" },
    [],
  ],
  ['imported at run time', { a: 'export const x = 1;', b: "f(await import('./a.ts'));" }, []],
  [
    'run as a thread',
    { a: 'export const x = 1;', b: "f(new URL('./a.ts', import.meta.url));" },
    [],
  ],
];

t.test('a dead export is found, through every way of exporting and importing', async (t) => {
  for (const [name, files, dead] of EXPORTS) {
    const modules = Object.entries(files).map(([file, code]) => readModule(`${file}.ts`, code));
    const found = deadExports(modules).map((fault) => fault.replace(', which nothing imports', ''));
    t.strictSame(found, dead, name);
  }
});

t.test('a word in a string, comment, template or regular expression is no token', async (t) => {
  const code = [
    `f('a', "b\\"c", /d[/]e/g, \`g\${h + \`i\${{ j: 1 }.j}k\`}l\`); // m`,
    '/* n */ const o = p / q / r;',
    "if (s) f(/t'/);",
  ].join('\n');
  const words = tokenise(code).tokens.filter(({ kind }) => kind === 'word');
  t.equal(words.map(({ text }) => text).join(' '), 'f h j j const o p q r if s f');
  t.equal(words.at(-1)?.line, 3);
});
