/**
 * Bundles the program for the npm package, for servers and for tests: one JavaScript file for
 * `main.ts` and one for each thread, with chunks that they share. A bundle starts with a third of
 * the processor time, because each thread opens some twenty files in place of up to 1,500.
 *
 * Invariant: a bundle behaves as the sources do. `import.meta.url` in it is still the address of
 * the source file, so data files are read from where they are; the threads are those of the bundle.
 *
 * Run directly, it fills the folder `dist`, which the npm package contains, also with the types of
 * what the package exports, with source maps and with the licenses of all packages.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { licensesText } from './licenses.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What starts a process or a thread, and what the npm package exports; plots are optional. */
const ENTRIES = [
  'main.ts',
  'cluster/content/writer-thread.ts',
  'cluster/feed/history-thread.ts',
  'cluster/log/etcd-thread.ts',
  'persistence/journal/thread.ts',
  'persistence/projection/thread.ts',
  'persistence/reads/thread.ts',
  'catalog/reader-thread.ts',
  'catalog/writer-thread.ts',
  'persistence/snapshots/follower-thread.ts',
  'http/orders/verifier-thread.ts',
  'catalog/sync/thread.ts',
  'sandbox/package/index.ts',
].filter((entry) => existsSync(join(ROOT, entry)));

/** The name of an entry's file, without its extension. */
function bundleName(entry) {
  return entry.replace(/\.ts$/, '').replaceAll('/', '-');
}

const OWN_URL = /\bimport\.meta\.url\b/g;
const THREAD_URL = /\bnew URL\('([^']+\.ts)', import\.meta\.url\)/g;

/** The source with the addresses that its bundle has. */
function withAddresses(source, path, folder) {
  const threads = source.replace(THREAD_URL, (_, file) => {
    const entry = relative(ROOT, resolve(dirname(path), file));
    if (!ENTRIES.includes(entry)) throw new Error(`${entry} is not in ENTRIES of .ci/bundle.mjs`);
    return `new URL('./${bundleName(entry)}.js', import.meta.__url)`;
  });
  const own = JSON.stringify(relative(folder, path));
  return threads
    .replace(OWN_URL, `new URL(${own}, import.meta.__url).href`)
    .replaceAll('import.meta.__url', 'import.meta.url');
}

/**
 * Writes the bundles into a folder of the project, with further options of esbuild. Returns the
 * address of the bundle of each entry, by the entry's own.
 */
export async function bundle(folder, options = {}) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((entry) => ({ in: entry, out: bundleName(entry) })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Only typebox is bundled: it has 570 small modules, the others have few.
    external: (await packageNames()).filter((name) => name !== 'typebox'),
    logLevel: 'warning',
    ...options,
    plugins: [
      {
        name: 'addresses',
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const source = await readFile(path, 'utf8');
            return { contents: withAddresses(source, path, folder), loader: 'ts' };
          });
        },
      },
    ],
  });
  const addressIn = (base, file) => pathToFileURL(join(base, file)).href;
  return Object.fromEntries(
    ENTRIES.map((entry) => [addressIn(ROOT, entry), addressIn(folder, `${bundleName(entry)}.js`)]),
  );
}

async function packageNames() {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return Object.keys(dependencies);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(ROOT, 'dist');
  await rm(dist, { recursive: true, force: true });
  // Node reads the maps only with --enable-source-maps, so they cost a start nothing.
  await bundle(dist, { sourcemap: true, sourcesContent: false });
  await writeFile(join(dist, 'licenses.txt'), licensesText());
  execFileSync('tsc', ['--project', '.ci/types.json'], { cwd: ROOT, stdio: 'inherit' });
}
