/**
 * Makes the exchange of a test start in two thirds of the time. The suite preloads this file in
 * every process and thread. It does four things:
 *
 * - TypeScript files come from a cache of their stripped text. Stripping types takes 40% of the
 *   time in which a process loads the exchange, and resolving paths 10%. The key of an entry is the
 *   hash of its source, so an entry is never out of date.
 * - The program and its threads come from the bundle that TEST_BUNDLE names (.ci/bundle.mjs), which
 *   the suite has just made. A test file still imports the sources.
 * - Where the suite says OPTIMIZES=false, V8 does not optimize: most code of a test runs too rarely
 *   to pay for that. It saves a tenth of the suite's processor time.
 * - In a batch, tap gets no domains. By them it finds the test of an uncaught error, and they
 *   follow each promise of the process, for 5% of its processor time. The batch finds it cheaper.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.OPTIMIZES === 'false') setFlagsFromString('--no-opt');

const CACHE = new URL(`../node_modules/.cache/stripped-${process.version}/`, import.meta.url);
mkdirSync(CACHE, { recursive: true });

const isBatch = process.env.TEST_FILES !== undefined;
const NO_DOMAINS = {
  url: 'data:text/javascript,export class Domain { destroy() {} }',
  format: 'module',
  shortCircuit: true,
};

/** The source without types; lines and columns stay the same. */
function strip(source) {
  const entry = new URL(`${createHash('sha256').update(source).digest('hex')}.mjs`, CACHE);
  try {
    return readFileSync(entry, 'utf8');
  } catch {
    const stripped = stripTypeScriptTypes(source);
    // Whole or not at all: other processes read it meanwhile.
    const beside = new URL(`${entry.href}.${process.pid}-${performance.now()}`);
    writeFileSync(beside, stripped);
    renameSync(beside, entry);
    return stripped;
  }
}

/** The files that start a process or a thread, with their bundles. */
const bundled = new Map(Object.entries(JSON.parse(process.env.TEST_BUNDLE || '{}')));
/** Whether the first file of this process or thread is still to be loaded. */
let isFirst = true;

/** The text of a bundled entry if this process or thread starts with it. */
function bundleOf(url) {
  const wasFirst = isFirst;
  isFirst = false;
  const path = wasFirst ? bundled.get(url) : undefined;
  return path && `import ${JSON.stringify(path)};`;
}

registerHooks({
  // A path is what it says: Node would look for links and package files beside each module.
  resolve(specifier, context, nextResolve) {
    if (isBatch && specifier === 'async-hook-domain') return NO_DOMAINS;
    if (!/^\.\.?\/.*\.ts$/.test(specifier)) return nextResolve(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    return { url: href, format: 'module', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
    const bundle = bundleOf(url);
    if (bundle !== undefined) return { format: 'module', source: bundle, shortCircuit: true };
    const source = strip(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
