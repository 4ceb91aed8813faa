/**
 * Where a text stops being JSON. `JSON.parse` says so only in some of its messages, and a client
 * that built its body by hand needs the place.
 *
 * Invariant: it finds a fault in exactly the texts that `JSON.parse` refuses.
 * Bound: one pass over the text; memory in proportion to its nesting depth.
 */

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For values of any type, whose fields are then read by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface JsonFault {
  /** Index of the first character that can't stand there; the length when the text ends early. */
  readonly position: number;
  readonly reason: string;
}

const SPACE = /[\t\n\r ]*/y;
// In a string, all characters from the space on stand for themselves, except " and \.
const KEY = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = new RegExp(
  `${KEY.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
);

/** What may come next. */
type Expected = 'value' | 'first_item' | 'first_key' | 'key' | 'colon' | 'comma' | 'end';

const IN_WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  first_item: 'a value or ]',
  first_key: 'a key in double quotes or }',
  key: 'a key in double quotes',
  colon: 'a colon',
  comma: 'a comma or the end of the list or object',
  end: 'the end of the text',
};

class Scanner {
  readonly #text: string;
  /** The brackets that are open, innermost last. */
  readonly #open: ('[' | '{')[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JsonFault | undefined {
    let expected: Expected | undefined = 'value';
    for (;;) {
      this.#skip(SPACE);
      if (expected === 'end' && this.#position === this.#text.length) return undefined;
      const next = this.#take(expected);
      if (next === undefined) return this.#fault(expected);
      expected = next;
    }
  }

  /** Takes one token and returns what may follow it; undefined if the token can't stand here. */
  #take(expected: Expected): Expected | undefined {
    const character = this.#text[this.#position];
    switch (expected) {
      case 'first_item':
        return character === ']' ? this.#close() : this.#value(character);
      case 'value':
        return this.#value(character);
      case 'first_key':
        if (character === '}') return this.#close();
        return this.#skip(KEY) ? 'colon' : undefined;
      case 'key':
        return this.#skip(KEY) ? 'colon' : undefined;
      case 'colon':
        return character === ':' ? this.#step('value') : undefined;
      case 'comma':
        return this.#afterItem(character);
      case 'end':
        return undefined;
    }
  }

  #value(character: string | undefined): Expected | undefined {
    if (character === '{' || character === '[') {
      this.#open.push(character);
      return this.#step(character === '{' ? 'first_key' : 'first_item');
    }
    return this.#skip(SCALAR) ? this.#afterValue() : undefined;
  }

  #afterItem(character: string | undefined): Expected | undefined {
    const isObject = this.#open.at(-1) === '{';
    if (character === ',') return this.#step(isObject ? 'key' : 'value');
    return character === (isObject ? '}' : ']') ? this.#close() : undefined;
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'end' : 'comma';
  }

  #close(): Expected {
    this.#open.pop();
    return this.#step(this.#afterValue());
  }

  #step(next: Expected): Expected {
    this.#position += 1;
    return next;
  }

  /** Moves past a pattern that matches here. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#position;
    const matches = pattern.test(this.#text);
    if (matches) this.#position = pattern.lastIndex;
    return matches;
  }

  #fault(expected: Expected): JsonFault {
    const position = this.#position;
    const found = position < this.#text.length ? 'something else' : 'the end of the text';
    return { position, reason: `expected ${IN_WORDS[expected]} and found ${found}` };
  }
}

/** The place where a text stops being JSON; undefined if it is JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  return new Scanner(text).scan();
}
