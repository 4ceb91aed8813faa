/** Which way imports may point (ARCHITECTURE.md, code map), and what the engine may not mention. */
import type { ModuleImport, SourceModule } from './source-module.ts';

/** What a folder may import besides itself. A folder that is not here may import anything. */
const ALLOWED_TARGETS: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  persistence: ['engine/index.ts', 'engine/facts.ts'],
  http: [
    'engine/index.ts',
    'engine/facts.ts',
    'persistence/index.ts',
    'persistence/order-ids.ts',
    'persistence/thread-priority.ts',
    'persistence/checksum-address.ts',
  ],
};

/** What the engine may import of Node: nothing that depends on where or when it runs. */
const ENGINE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:assert': ['strict'],
  'node:assert/strict': ['default'],
  'node:crypto': ['createHash'],
};
/** What http leaves to persistence. */
const FILE_SYSTEM = /^(node:)?fs(\/|$)/;
/** Of http, what may read files all the same: those of a package, no data. */
const ASSET_READER = 'http/documentation/assets.ts';

/** Clocks, settings, chance, files and waiting: `apply` is a pure, synchronous function. */
const ENGINE_WORDS = new Set(
  [
    'Date performance process setTimeout setInterval setImmediate queueMicrotask',
    'async await Promise Atomics Worker fetch crypto randomBytes randomUUID console require',
  ].flatMap((words) => words.split(' ')),
);

function folderOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

function isPure({ specifier, names }: ModuleImport): boolean {
  return names.every(({ name }) => ENGINE_BUILTINS[specifier]?.includes(name));
}

function isAllowed(path: string, one: ModuleImport): boolean {
  const { target, specifier } = one;
  const from = folderOf(path);
  const allowed = ALLOWED_TARGETS[from];
  if (allowed === undefined) return true;
  if (target !== '') return folderOf(target) === from || allowed.includes(target);
  if (from === 'engine') return isPure(one);
  return from !== 'http' || path === ASSET_READER || !FILE_SYSTEM.test(specifier);
}

function impureWords({ path, tokens }: SourceModule): string[] {
  return tokens.flatMap((token, index) => {
    const isRandom = token.text === 'random' && tokens[index - 2]?.text === 'Math';
    const isImpure = token.kind === 'word' && (isRandom || ENGINE_WORDS.has(token.text));
    return isImpure ? [`${path}:${token.line} mentions ${token.text}`] : [];
  });
}

/** Every import that points the wrong way, and every impure word of the engine. */
export function arrowFaults(modules: readonly SourceModule[]): string[] {
  return modules.flatMap((module) => {
    const from = folderOf(module.path);
    const imports = module.imports
      .filter((one) => !isAllowed(module.path, one))
      .map(({ specifier, line }) => `${module.path}:${line} imports ${specifier}`);
    return from === 'engine' ? [...imports, ...impureWords(module)] : imports;
  });
}
