/**
 * Builds the console: `console/browser/` becomes the files of `console/built/` and, for
 * the page /docs, `http/documentation/built/`, which are committed. Run it after each change of the
 * browser's code: `npm run console`.
 *
 * Invariant: the same sources give the same bytes on every machine; a test compares.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = join(ROOT, 'console');
const BROWSER = join(CONSOLE, 'browser');

/**
 * The pages use pure modules of the server. What else a room exports through its public face is
 * left out of the bundle, although it does something when it is loaded.
 */
const SERVER_PARTS = {
  name: 'server-parts',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, async ({ path, pluginData, ...args }) => {
      if (pluginData === SERVER_PARTS) return undefined;
      const found = await builder.resolve(path, { ...args, pluginData: SERVER_PARTS });
      return found.path.startsWith(BROWSER) ? found : { ...found, sideEffects: false };
    });
  },
};

/** Of all builds. */
const SETTINGS = {
  absWorkingDir: ROOT,
  tsconfig: join(BROWSER, 'tsconfig.json'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
  plugins: [SERVER_PARTS],
  // They are parts of what is left out; a test says so.
  external: ['node:*', 'uWebSockets.js', 'better-sqlite3', 'secp256k1', 'hash-wasm'],
};

/** Each page with the script that it loads. */
const PAGES = { 'index.html': 'main.tsx', 'operator.html': 'operator.tsx' };
/** The style sheet of all pages. */
const STYLES = 'styles/index.css';

/** The files of the console, by name, as bytes. */
export async function buildConsole() {
  const { outputFiles, metafile } = await build({
    ...SETTINGS,
    entryPoints: [...Object.values(PAGES), STYLES].map((name) => join(BROWSER, name)),
    outdir: 'built',
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    metafile: true,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const outputOf = (entry) =>
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
  const [style] = outputOf(STYLES);
  for (const [page, entry] of Object.entries(PAGES)) {
    const [script, { imports }] = outputOf(`/${entry}`);
    const parts = imports.filter(({ kind }) => kind === 'import-statement');
    const template = await readFile(join(BROWSER, page), 'utf8');
    const html = template
      .replace('SCRIPT', basename(script))
      .replace('STYLE', basename(style))
      .replace('<!-- PARTS -->', parts.map(preloadOf).join('\n'));
    files.set(page, Buffer.from(html));
  }
  return files;
}

/** Without it, a browser finds a shared part only after it has read the script. */
function preloadOf({ path }) {
  return `<link rel="modulepreload" href="${basename(path)}">`;
}

/** The files of `http/documentation/built/`, by name, as bytes. */
export async function buildDocs() {
  const entry = join(BROWSER, 'docs/request-signer.ts');
  const { outputFiles } = await build({ ...SETTINGS, entryPoints: [entry], outdir: 'built' });
  return new Map(outputFiles.map(({ contents }) => ['signing.js', contents]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = [
    { parent: CONSOLE, files: await buildConsole() },
    { parent: join(ROOT, 'http/documentation'), files: await buildDocs() },
  ];
  for (const { parent, files } of folders) {
    const folder = join(parent, 'built');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  }
}
