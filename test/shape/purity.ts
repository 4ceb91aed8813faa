/**
 * What code of a folder may not use: the engine, anything that depends on where or when it runs;
 * http, files. Which rooms may import which is stated in .dependency-cruiser.mjs.
 */
import type { ModuleImport, SourceModule } from './source-module.ts';

/** What the engine may import of Node. */
const ENGINE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:assert': ['strict'],
  'node:assert/strict': ['default'],
  'node:crypto': ['createHash'],
};
const FILE_SYSTEM = /^(node:)?fs(\/|$)/;
/** The files of http that read files: those of pages, never data. */
const ASSET_READERS = ['http/documentation/assets.ts', 'console/files.ts'];

/** Words for clocks, settings, randomness and waiting: `apply` is pure and synchronous. */
const ENGINE_WORDS = new Set(
  [
    'Date performance process setTimeout setInterval setImmediate queueMicrotask',
    'async await Promise Atomics Worker fetch crypto randomBytes randomUUID console require',
  ].flatMap((words) => words.split(' ')),
);

function isAllowed(path: string, { target, specifier, names }: ModuleImport): boolean {
  if (target !== '') return true;
  if (path.startsWith('engine/')) {
    return names.every(({ name }) => ENGINE_BUILTINS[specifier]?.includes(name));
  }
  return !path.startsWith('http/') || ASSET_READERS.includes(path) || !FILE_SYSTEM.test(specifier);
}

function impureWords({ path, tokens }: SourceModule): string[] {
  return tokens.flatMap((token, index) => {
    const isRandom = token.text === 'random' && tokens[index - 2]?.text === 'Math';
    const isImpure = token.kind === 'word' && (isRandom || ENGINE_WORDS.has(token.text));
    return isImpure ? [`${path}:${token.line} mentions ${token.text}`] : [];
  });
}

/**
 * Threads load the modules of persistence, where a top-level await can cost the process its exit
 * code (persistence/shared/account-profile.ts).
 */
function topLevelAwaits({ path, code }: SourceModule): string[] {
  if (!/^(persistence|catalog|cluster)\//.test(path)) return [];
  return code
    .split('\n')
    .flatMap((line, index) =>
      /^((export )?const .* = )?await /.test(line)
        ? [`${path}:${index + 1} has a top-level await`]
        : [],
    );
}

/** Every import, word and top-level await that is not allowed, one sentence each. */
export function purityFaults(modules: readonly SourceModule[]): string[] {
  return modules.flatMap((module) => {
    const imports = module.imports
      .filter((one) => !isAllowed(module.path, one))
      .map(({ specifier, line }) => `${module.path}:${line} imports ${specifier}`);
    const words = module.path.startsWith('engine/') ? impureWords(module) : [];
    return [...imports, ...words, ...topLevelAwaits(module)];
  });
}
