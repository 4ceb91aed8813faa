/**
 * Each plot of `venue/plots.ts` is optional. In a copy of the product its folder and its line are
 * removed: what is left starts and serves (each plot alone: in the long set), and without all plots
 * it still type-checks. That no other file imports a plot, so that one can be removed without the
 * others, is a rule of `npm run layers`.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import config from '../../.dependency-cruiser.mjs';
import { isLong } from '../long-set.ts';
import { ProgramProcess } from '../program-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PRODUCT_FOLDERS } from './project.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SERVE = ['serve', '--json', '--memory', '--port=0', '--admin-port=0', '--log-level=warn'];
const PLOTS_FILE = 'venue/plots.ts';
const LINE = /^export \{ \w+Plot \} from '\.\.\/([\w/-]+)\/index\.ts';$/;

/** The lines of `venue/plots.ts` that name a plot, by the plot's folder. */
function plotLines(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(ROOT, PLOTS_FILE), 'utf8').split('\n');
  return new Map(lines.flatMap((line) => (LINE.test(line) ? [[folderIn(line), line]] : [])));
}

function folderIn(line: string): string {
  const folder = LINE.exec(line)?.[1];
  assert(folder !== undefined);
  return folder;
}

const LINES = plotLines();
const COPY = temporaryFolder(t);

for (const name of [...PRODUCT_FOLDERS, 'main.ts', 'package.json', 'tsconfig.json']) {
  cpSync(join(ROOT, name), join(COPY, name), { recursive: true });
}
symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'));

/** Takes plots out of the copy, and returns a function that puts them back. */
function remove(folders: Iterable<string>): () => void {
  const text = readFileSync(join(COPY, PLOTS_FILE), 'utf8');
  const away = [...folders].map((folder) => {
    const place = join(temporaryFolder(t), 'plot');
    renameSync(join(COPY, folder), place);
    return [folder, place] as const;
  });
  const lines = away.map(([folder]) => LINES.get(folder));
  const left = text.split('\n').filter((line) => !lines.includes(line));
  // A file that exports nothing would be no module.
  writeFileSync(join(COPY, PLOTS_FILE), `${left.join('\n')}\nexport {};\n`);
  return () => {
    for (const [folder, place] of away) renameSync(place, join(COPY, folder));
    writeFileSync(join(COPY, PLOTS_FILE), text);
  };
}

/** Starts what is left, and returns the status of a request for each path. */
async function statuses(paths: readonly string[]): Promise<number[]> {
  const program = new ProgramProcess(t, SERVE, {}, join(COPY, 'main.ts'));
  const { url } = JSON.parse(await program.firstOutput());
  const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
  const found = answers.map(({ status }) => status);
  t.equal((await program.stop()).code, 0, program.stderr);
  return found;
}

t.test('the plots are those that the layers know as optional', async (t) => {
  const optional = config.forbidden.flatMap(({ name }) =>
    name.startsWith('optional: ') ? [name.slice('optional: '.length)] : [],
  );
  t.strictSame([...LINES.keys()].toSorted(), optional.toSorted());
});

// No plot imports another: what needs one of them mostly fails without all of them, too.
for (const folder of isLong ? LINES.keys() : []) {
  t.test(`the exchange starts without ${folder}`, async (t) => {
    const putBack = remove([folder]);
    t.strictSame(await statuses(['/time', '/markets']), [200, 200]);
    putBack();
  });
}

t.test('without all plots the rest type-checks, and serves what is not theirs', async (t) => {
  remove(LINES.keys());
  // The copy shares the folder in which `npm run check` notes what it has checked.
  const isWhole = ['--incremental', 'false', '--tsBuildInfoFile', 'null'];
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', COPY, ...isWhole], { stdio: 'pipe' });
  t.strictSame(await statuses(['/time', '/markets', '/ui/']), [200, 200, 404]);
});
