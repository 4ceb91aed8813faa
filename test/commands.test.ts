/** The commands that documents and the program print: they work with any Node of the machine. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import packageJson from '../package.json' with { type: 'json' };
import { ALL_COMMANDS } from './all-commands.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What users read, and the sources that print commands. */
const PATHS = ['README.md', 'main.ts', '{deploy,docs,http,persistence}/**/*.{md,ts}'];
const texts = globSync(PATHS, { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

t.test('the program runs with its own Node, whatever node comes first on the path', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "the wrong Node" >&2\nexit 9\n', {
    mode: 0o755,
  });
  const link = join(folder, 'linked');
  symlinkSync(join(ROOT, 'outcome-exchange'), link);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  for (const program of [join(ROOT, 'outcome-exchange'), link]) {
    const printed = execFileSync(program, ['--version'], { cwd: folder, env, encoding: 'utf8' });
    t.equal(printed, `${packageJson.version}\n`);
  }
});

// Most commands were once printed as `node main.ts`, which fails on Node 20. `.ci/install.mjs` is
// for whatever node there is: it installs the Node of the program.
t.test('no printed command needs Node 22 on the path', async (t) => {
  const plain = /(?<!\.bin\/)\bnode (?!\.ci\/install\.mjs)[\w./-]+\.(?:ts|mjs)\b/g;
  for (const { path, text } of texts) t.strictSame(text.match(plain), null, path);
});

t.test('every printed npm script and every command of the program exists', async (t) => {
  const scripts = Object.keys(packageJson.scripts);
  const commands: readonly string[] = ALL_COMMANDS.map(({ name }) => name);
  for (const { path, text } of texts) {
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
      t.ok(scripts.includes(script), `${path}: npm run ${script}`);
    }
    for (const [, words = ''] of text.matchAll(/\.\/outcome-exchange ((?:[a-z-]+ ?)+)/g)) {
      const isKnown = commands.some((name) => `${words.trim()} `.startsWith(`${name} `));
      t.ok(isKnown || words.startsWith('-'), `${path}: ${words}`);
    }
  }
});
