/**
 * TypeScript as a list of tokens, for the shape tests: TypeScript 7 has no compiler in JavaScript,
 * and a token list is all they need. Comments have a list of their own; blanks are left out.
 *
 * Invariant: a word inside a text, a comment or a regular expression is never a word token.
 */

/** `text` is a string literal, `mark` is punctuation or an operator. */
export type TokenKind = 'word' | 'number' | 'text' | 'template' | 'regex' | 'mark' | 'comment';

export interface Token {
  readonly kind: TokenKind;
  /** The token as written; a string without its quotes. */
  readonly text: string;
  /** Index of its first character. */
  readonly start: number;
  /** Line of its first and of its last character, from 1. */
  readonly line: number;
  readonly lastLine: number;
}

const BLANK = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const TEXT = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const MARK = /=>|\.\.\.|\?\.(?!\d)|[\s\S]/y;
/** Part of a template up to a `${` or the closing quote. */
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y;

/** Words that cannot end a value, so that a slash after them begins a regular expression. */
const WORDS_BEFORE_VALUES = new Set(
  'return typeof case in of delete void throw new else do instanceof await yield'.split(' '),
);

/** Whether a slash after this token begins a regular expression, not a division. */
function canBeginRegex(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'word') return WORDS_BEFORE_VALUES.has(before.text);
  return before.kind === 'mark' && ![')', ']', '}'].includes(before.text);
}

class Tokeniser {
  readonly #code: string;
  readonly tokens: Token[] = [];
  readonly comments: Token[] = [];
  #position = 0;
  #line = 1;
  /** For each open `${`, innermost last: how many braces are open inside it. */
  readonly #templates: number[] = [];

  constructor(code: string) {
    this.#code = code;
  }

  run(): void {
    if (this.#code.startsWith('#!')) this.#position = this.#code.indexOf('\n');
    while (this.#position < this.#code.length) this.#next();
  }

  #next(): void {
    if (this.#match(BLANK, undefined)) return;
    if (this.#match(COMMENT, 'comment')) return;
    if (this.#match(WORD, 'word') || this.#match(NUMBER, 'number')) return;
    if (this.#match(TEXT, 'text')) return;
    const character = this.#code[this.#position];
    if (character === '/' && canBeginRegex(this.tokens.at(-1)) && this.#match(REGEX, 'regex')) {
      return;
    }
    if (character === '`') this.#template();
    else if (character === '}' && this.#templates.at(-1) === 0) {
      this.#templates.pop();
      this.#template();
    } else this.#mark(character);
  }

  #mark(character: string | undefined): void {
    const last = this.#templates.length - 1;
    const open = this.#templates[last];
    if (open !== undefined && character === '{') this.#templates[last] = open + 1;
    if (open !== undefined && character === '}') this.#templates[last] = open - 1;
    this.#match(MARK, 'mark');
  }

  /** Reads a fixed part of a template: from its quote or a `}` to the next `${` or its end. */
  #template(): void {
    TEMPLATE_PART.lastIndex = this.#position + 1;
    const end = TEMPLATE_PART.exec(this.#code)?.[1];
    const length =
      (end === undefined ? this.#code.length : TEMPLATE_PART.lastIndex) - this.#position;
    this.#take('template', length);
    if (end === '${') this.#templates.push(0);
  }

  #match(pattern: RegExp, kind: TokenKind | undefined): boolean {
    pattern.lastIndex = this.#position;
    if (!pattern.test(this.#code)) return false;
    this.#take(kind, pattern.lastIndex - this.#position);
    return true;
  }

  #take(kind: TokenKind | undefined, length: number): void {
    const start = this.#position;
    const written = this.#code.slice(start, start + length);
    const line = this.#line;
    this.#line += written.split('\n').length - 1;
    this.#position += length;
    if (kind === undefined) return;
    const text = kind === 'text' ? written.slice(1, -1) : written;
    const token = { kind, text, start, line, lastLine: this.#line };
    (kind === 'comment' ? this.comments : this.tokens).push(token);
  }
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
}

export function tokenise(code: string): Tokens {
  const tokeniser = new Tokeniser(code);
  tokeniser.run();
  return tokeniser;
}
