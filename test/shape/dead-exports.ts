/**
 * Finds exported names that nothing imports. Names are followed through re-exports, but a re-export
 * alone is not a use. A type that its own file mentions again counts as used, because it is part of
 * another export of that file.
 */
import type { ModuleImport, SourceModule } from './source-module.ts';

type ModuleMap = ReadonlyMap<string, SourceModule>;

function useOf(path: string, name: string): string {
  return `${path}#${name}`;
}

class Uses {
  readonly #modules: ModuleMap;
  readonly used = new Set<string>();

  constructor(modules: ModuleMap) {
    this.#modules = modules;
  }

  /** Marks a name of a file as used, and also in the file that it is re-exported from. */
  mark(path: string, name: string): void {
    const module = this.#modules.get(path);
    const use = useOf(path, name);
    if (module === undefined || this.used.has(use)) return;
    this.used.add(use);
    for (const one of module.imports) {
      if (one.kind === 'reexport') this.#markSource(one, name);
      else this.#markImportedOn(module, one, name);
    }
  }

  markAll(path: string): void {
    const module = this.#modules.get(path);
    if (module === undefined) return;
    for (const name of module.exports.keys()) this.mark(path, name);
    for (const one of module.imports) {
      if (one.kind !== 'reexport') continue;
      for (const { name, alias } of one.names) {
        if (name === '*' && alias === '*') this.markAll(one.target);
        else this.mark(path, alias);
      }
    }
  }

  #markSource({ target, names }: ModuleImport, name: string): void {
    for (const pair of names) {
      if (pair.alias === name && pair.name === '*') this.markAll(target);
      else if (pair.alias === name) this.mark(target, pair.name);
      else if (pair.name === '*' && pair.alias === '*') this.mark(target, name);
    }
  }

  /** `import {a} from './x.ts'; export {a};` */
  #markImportedOn(module: SourceModule, { target, names }: ModuleImport, name: string): void {
    if (!module.exports.has(name)) return;
    for (const pair of names) if (pair.alias === name) this.mark(target, pair.name);
  }
}

/** The members used of a namespace import; undefined if it is used as a whole. */
function namesReadOff({ tokens }: SourceModule, alias: string): string[] | undefined {
  const names: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.text !== alias) continue;
    if (tokens[index - 1]?.text === 'as' || tokens[index - 1]?.text === '.') continue;
    if (tokens[index + 1]?.text !== '.') return undefined;
    names.push(tokens[index + 2]?.text ?? '');
  }
  return names;
}

function markImport(uses: Uses, module: SourceModule, one: ModuleImport): void {
  if (one.kind === 'whole') uses.markAll(one.target);
  for (const { name, alias } of one.names) {
    const readOff = name === '*' ? namesReadOff(module, alias) : [name];
    if (readOff === undefined) uses.markAll(one.target);
    else for (const read of readOff) uses.mark(one.target, read);
  }
}

/** The names that a file exports: its own, and those it re-exports by name. */
function exportedNames({ exports, imports }: SourceModule): Map<string, number> {
  const names = new Map(exports);
  for (const { kind, names: pairs, line } of imports) {
    if (kind !== 'reexport') continue;
    for (const { alias } of pairs) if (alias !== '*') names.set(alias, line);
  }
  return names;
}

/** Whether a name is a type that the file which declares it also uses. */
function isTypeInUse(modules: ModuleMap, path: string, name: string): boolean {
  const module = modules.get(path);
  if (module === undefined) return false;
  for (const { kind, target, names } of module.imports) {
    const pair = names.find(({ alias }) => kind === 'reexport' && alias === name);
    if (pair !== undefined) return isTypeInUse(modules, target, pair.name);
  }
  const { tokens } = module;
  const places = tokens.flatMap(({ text }, index) => (text === name ? [index] : []));
  const isType = places.some((at) => ['interface', 'type'].includes(tokens[at - 1]?.text ?? ''));
  return isType && places.length > 1;
}

/** Every export that no file imports, tests and benchmarks included. */
export function deadExports(modules: readonly SourceModule[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const uses = new Uses(byPath);
  for (const module of modules) {
    for (const one of module.imports) if (one.kind !== 'reexport') markImport(uses, module, one);
  }
  // A declaration file describes another's code, a thread loads the test's disk by its address,
  // and other projects import what the package exports.
  const elsewhere = /\.d\.ts$|\/test-disk\.ts$|^sandbox\/package\/index\.ts$/;
  const own = modules.filter(({ path }) => !elsewhere.test(path));
  return own.flatMap((module) =>
    [...exportedNames(module)]
      .filter(
        ([name]) =>
          !uses.used.has(useOf(module.path, name)) && !isTypeInUse(byPath, module.path, name),
      )
      .map(([name, line]) => `${module.path}:${line} exports ${name}, which nothing imports`),
  );
}
