/** The engine is pure, http touches no files, and persistence has no top-level await. */
import t from 'tap';
import { readProject } from './project.ts';
import { purityFaults } from './purity.ts';
import { readModule } from './source-module.ts';

t.test(
  'the engine is pure, http touches no files, and persistence has no top-level await',
  async (t) => {
    const project = readProject();
    t.ok(project.some(({ path }) => path.startsWith('engine/')));
    t.ok(project.some(({ path }) => path.startsWith('http/')));
    t.strictSame(purityFaults(project), []);
  },
);

const SAMPLES: readonly (readonly [path: string, code: string, faults: string[]])[] = [
  ['engine/a.ts', "import { b } from './b.ts';", []],
  ['engine/a.ts', "import { strict as assert } from 'node:assert';", []],
  ['engine/a.ts', "import { createHash } from 'node:crypto';", []],
  ['engine/a.ts', "import { randomInt } from 'node:crypto';", ['imports node:crypto']],
  ['engine/a.ts', "import fs from 'node:fs';", ['imports node:fs']],
  ['engine/a.ts', "import { Type } from 'typebox';", ['imports typebox']],
  ['engine/a.ts', 'const at = Date.now();', ['mentions Date']],
  ['engine/a.ts', 'const luck = Math.random();', ['mentions random']],
  ['engine/a.ts', `const where = \`in \${process.cwd()}\`;`, ['mentions process']],
  ['engine/a.ts', 'const f = async () => {};', ['mentions async']],
  ['engine/a.ts', 'setTimeout(() => {}, 1);', ['mentions setTimeout']],
  ['engine/a.ts', "// Date, process\nconst text = 'setTimeout';", []],
  ['persistence/a.ts', "import { readFileSync } from 'node:fs';", []],
  ['persistence/a.ts', 'const hasher = await make();', ['has a top-level await']],
  ['persistence/a.ts', 'await ready;', ['has a top-level await']],
  ['persistence/a.ts', 'async function f() {\n  await ready;\n}', []],
  ['http/a.ts', "import { readFileSync } from 'node:fs';", ['imports node:fs']],
  ['http/documentation/a.ts', "import { b } from 'fs/promises';", ['imports fs/promises']],
  ['http/documentation/assets.ts', "import { readFile } from 'node:fs/promises';", []],
];

t.test('a forbidden import or word is found, however it is written', async (t) => {
  for (const [path, code, faults] of SAMPLES) {
    const found = purityFaults([readModule(path, code)]);
    t.strictSame(
      found.map((fault) => fault.replace(/^\S+ /, '')),
      faults,
      `${path}: ${code}`,
    );
  }
});
