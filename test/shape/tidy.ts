/** The rules of CONTRIBUTING.md that can be checked in a list of tokens. */
import { stripTypeScriptTypes } from 'node:module';
import type { SourceModule } from './source-module.ts';
import { type Token, tokenise } from './tokens.ts';

export const TIDY_BOUNDS = { fileLines: 500, functionLines: 70, lineColumns: 100 } as const;

/** The programs that a person starts: they may print. */
const PROGRAMS = 'bench/.*|deploy/cluster/run|test/main-job';
const MAY_PRINT = new RegExp(
  `^((main|.*/node-version|.*/program-options|${PROGRAMS})\\.ts|\\.ci/release\\.mjs)$`,
);
/** Processes that tests start write to them by standard output and error. */
const MAY_WRITE = /^test\//;
// Written so that this file does not find itself.
const UNFINISHED = /\b(FIX[M]E|TO[D]O|X{3})\b/;
const CONTROL_WORDS = new Set('if for while switch catch with await'.split(' '));
const OPENERS = new Set(['(', '[', '{']);
const CLOSERS = new Set([')', ']', '}']);

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

function lineFaults({ path, code }: SourceModule): string[] {
  return code.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    const unfinished = UNFINISHED.exec(line)?.[0];
    const place = `${path}:${index + 1}`;
    return [
      ...(columns > TIDY_BOUNDS.lineColumns ? [`${place} has ${columns} columns`] : []),
      ...(unfinished === undefined ? [] : [`${place} has ${unfinished}`]),
    ];
  });
}

function fileFaults({ path, code, exports }: SourceModule): string[] {
  const lines = code.trimEnd().split('\n').length;
  const line = exports.get('default');
  return [
    ...(lines > TIDY_BOUNDS.fileLines ? [`${path} has ${lines} lines`] : []),
    // A declaration file describes another's code.
    ...(line === undefined || path.endsWith('.d.ts')
      ? []
      : [`${path}:${line} has a default export`]),
  ];
}

function isPrint(tokens: readonly Token[], index: number): boolean {
  const { kind, text = '' } = tokens[index] ?? {};
  if (kind !== 'word' || isMark(tokens[index - 1], '.')) return false;
  if (text === 'process') return ['stdout', 'stderr'].includes(tokens[index + 2]?.text ?? '');
  return text === 'console' || text === 'debugger';
}

function printFaults({ path, tokens }: SourceModule): string[] {
  if (MAY_PRINT.test(path)) return [];
  const mayWrite = MAY_WRITE.test(path);
  return tokens
    .filter(({ text }, index) => isPrint(tokens, index) && !(mayWrite && text === 'process'))
    .map((token) => `${path}:${token.line} prints by ${token.text}`);
}

/** An `any` that disappears when types are stripped was a type. */
function anyFaults({ path, tokens }: SourceModule, stripped: readonly Token[]): string[] {
  const kept = new Set(stripped.map(({ start }) => start));
  return tokens
    .filter(({ kind, text, start }) => kind === 'word' && text === 'any' && !kept.has(start))
    .map(({ line }) => `${path}:${line} has the type any`);
}

/** The index of the bracket that belongs to each bracket, both ways. */
function bracketPairs(tokens: readonly Token[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'mark') continue;
    if (OPENERS.has(text)) open.push(index);
    if (!CLOSERS.has(text)) continue;
    const opener = open.pop() ?? 0;
    pairs.set(opener, index).set(index, opener);
  }
  return pairs;
}

/** Index of the last token of the expression that begins at `start`. */
function expressionEnd(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  start: number,
): number {
  let index = start;
  for (; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== 'mark') continue;
    if (OPENERS.has(token.text)) index = pairs.get(index) ?? index;
    else if (CLOSERS.has(token.text) || token.text === ',' || token.text === ';') break;
  }
  return index - 1;
}

/** First and last token of each function, by tokens without types. */
function functionSpans(tokens: readonly Token[]): (readonly [Token, Token])[] {
  const pairs = bracketPairs(tokens);
  const spans: (readonly [Token, Token])[] = [];
  const add = (first: number | undefined, last: number | undefined): void => {
    const [head, tail] = [tokens[first ?? -1], tokens[last ?? -1]];
    if (head !== undefined && tail !== undefined) spans.push([head, tail]);
  };
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (isMark(token, '=>')) {
      const head = isMark(before, ')') ? pairs.get(index - 1) : index - 1;
      const isBlock = isMark(tokens[index + 1], '{');
      add(head, isBlock ? pairs.get(index + 1) : expressionEnd(tokens, pairs, index + 1));
    } else if (isMark(token, '{') && isMark(before, ')')) {
      const head = pairs.get(index - 1) ?? 0;
      if (!CONTROL_WORDS.has(tokens[head - 1]?.text ?? '')) add(head, pairs.get(index));
    }
  }
  return spans;
}

function functionFaults(path: string, stripped: readonly Token[]): string[] {
  return functionSpans(stripped).flatMap(([first, last]) => {
    const lines = last.lastLine - first.line + 1;
    return lines > TIDY_BOUNDS.functionLines
      ? [`${path}:${first.line} has a function of ${lines} lines`]
      : [];
  });
}

/** Everything in one file that breaks the rules. */
export function tidyFaults(module: SourceModule): string[] {
  // Words of a page are no tokens of a program: Biome checks prints, types and functions there.
  if (module.path.endsWith('.tsx')) return [...lineFaults(module), ...fileFaults(module)];
  const stripped = tokenise(stripTypeScriptTypes(module.code)).tokens;
  return [
    ...lineFaults(module),
    ...fileFaults(module),
    ...printFaults(module),
    ...anyFaults(module, stripped),
    ...functionFaults(module.path, stripped),
  ];
}
