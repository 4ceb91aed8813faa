/**
 * What a source file imports and exports, read from its tokens.
 *
 * Invariant: every way in which the sources refer to another file counts as an import: `import`,
 * `export from`, `import()`, `require()`, and `new URL('./x.ts', import.meta.url)` for a thread.
 */
import { posix } from 'node:path';
import { type Token, type Tokens, tokenise } from './tokens.ts';

/** A name that another file exports, and what it is called here. */
export interface NamePair {
  /** `*` for all of them, `default` for the default export. */
  readonly name: string;
  readonly alias: string;
}

export interface ModuleImport {
  readonly kind: 'import' | 'reexport' | 'whole';
  /** The specifier as written: './x.ts', 'tap', 'node:fs'. */
  readonly specifier: string;
  /** The imported file's path from the project's root; '' for a package. */
  readonly target: string;
  /** None for `whole`, which is import() and the like. */
  readonly names: readonly NamePair[];
  readonly line: number;
}

export interface SourceModule extends Tokens {
  /** From the project's root: 'engine/book.ts'. */
  readonly path: string;
  readonly code: string;
  readonly imports: readonly ModuleImport[];
  /** The names that it declares and exports itself, each with its line. */
  readonly exports: ReadonlyMap<string, number>;
}

const DECLARATIONS = new Set(
  'const let var function class interface type enum namespace'.split(' '),
);
const MODIFIERS = new Set('declare abstract async'.split(' '));
/** The tokens of `name as alias`. */
const ALIAS_TOKENS = 3;

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

class ModuleReader {
  readonly #path: string;
  readonly #tokens: readonly Token[];
  readonly imports: ModuleImport[] = [];
  readonly exports = new Map<string, number>();

  constructor(path: string, tokens: readonly Token[]) {
    this.#path = path;
    this.#tokens = tokens;
    for (const [index, token] of tokens.entries()) this.#read(index, token);
  }

  #read(index: number, token: Token): void {
    if (token.kind !== 'word' || isMark(this.#tokens[index - 1], '.')) return;
    if (token.text === 'import') this.#readImport(index);
    else if (token.text === 'export') this.#readExport(index);
    else if (token.text === 'require' || token.text === 'URL') this.#readWhole(index);
  }

  /** `import(…)`, `require(…)`, `new URL(…)`: the first argument, if it is a plain string. */
  #readWhole(index: number): void {
    const specifier = this.#tokens[index + 2];
    if (!isMark(this.#tokens[index + 1], '(') || specifier?.kind !== 'text') return;
    const isUrl = isWord(this.#tokens[index], 'URL');
    if (isUrl && !/^\.{1,2}\/.*\.ts$/.test(specifier.text)) return;
    this.#add('whole', specifier, []);
  }

  #readImport(index: number): void {
    const next = this.#tokens[index + 1];
    if (isMark(next, '.')) return;
    if (isMark(next, '(')) this.#readWhole(index);
    else if (next?.kind === 'text') this.#add('import', next, []);
    else this.#readClause(index + 1, 'import');
  }

  #readExport(index: number): void {
    let at = index + 1;
    if (isWord(this.#tokens[at], 'default')) {
      this.#export('default', index);
      return;
    }
    const next = this.#tokens[at + 1];
    const isOfTypes = isWord(this.#tokens[at], 'type') && (isMark(next, '{') || isMark(next, '*'));
    if (isOfTypes || isMark(this.#tokens[at], '{') || isMark(this.#tokens[at], '*')) {
      this.#readClause(at, 'reexport');
      return;
    }
    while (MODIFIERS.has(this.#tokens[at]?.text ?? '')) at += 1;
    if (!DECLARATIONS.has(this.#tokens[at]?.text ?? '')) return;
    at += isMark(this.#tokens[at + 1], '*') || isWord(this.#tokens[at + 1], 'enum') ? 2 : 1;
    this.#export(this.#tokens[at]?.text ?? '', at);
  }

  #export(name: string, index: number): void {
    this.exports.set(name, this.#tokens[index]?.line ?? 0);
  }

  /** `type? default?, * as x, {a as b}` up to `from 'x'`, or up to the end of an export. */
  #readClause(start: number, kind: 'import' | 'reexport'): void {
    const names: NamePair[] = [];
    for (let index = start; index < this.#tokens.length; index++) {
      const token = this.#tokens[index];
      if (token === undefined || isMark(token, ';')) break;
      if (isWord(token, 'from') && this.#tokens[index + 1]?.kind === 'text') {
        this.#add(kind, this.#tokens[index + 1], names);
        return;
      }
      const isAlias = isWord(this.#tokens[index + 1], 'as');
      const alias = this.#tokens[index + 2]?.text ?? '';
      if (isMark(token, '*')) names.push({ name: '*', alias: isAlias ? alias : '*' });
      else if (token.kind === 'word' && !this.#isTypeModifier(index)) {
        const isBraced = this.#isBraced(start, index);
        const name = isBraced ? token.text : 'default';
        names.push({ name, alias: isAlias ? alias : token.text });
      }
      if (isAlias) index += ALIAS_TOKENS - 1;
    }
    if (kind === 'reexport') for (const { alias } of names) this.#export(alias, start);
  }

  /** Whether this is the modifier `type` before a name or a list, and not a name `type`. */
  #isTypeModifier(index: number): boolean {
    const next = this.#tokens[index + 1];
    const isFollowed = isMark(next, '{') || isMark(next, '*') || next?.kind === 'word';
    return isWord(this.#tokens[index], 'type') && isFollowed && !isWord(next, 'from');
  }

  #isBraced(start: number, index: number): boolean {
    return this.#tokens.slice(start, index).some((token) => isMark(token, '{'));
  }

  #add(kind: ModuleImport['kind'], specifier: Token | undefined, names: NamePair[]): void {
    if (specifier === undefined) return;
    const { text, line } = specifier;
    const target = text.startsWith('.') ? posix.join(posix.dirname(this.#path), text) : '';
    this.imports.push({ kind, specifier: text, target, names, line });
  }
}

export function readModule(path: string, code: string): SourceModule {
  const { tokens, comments } = tokenise(code);
  const { imports, exports } = new ModuleReader(path, tokens);
  return { path, code, tokens, comments, imports, exports };
}

/** The package of an import; '' for files of ours and for Node's own modules. */
export function packageOf({ specifier, target }: ModuleImport): string {
  if (target !== '' || specifier.startsWith('node:')) return '';
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
