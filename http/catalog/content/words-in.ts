/**
 * What people write to be read by people: names, comments, and what they say about themselves.
 *
 * Invariant: a text is Unicode in its composed form (NFC) with line feeds alone between lines,
 * without control characters, halves of characters, marks that turn the direction of what follows
 * it, and piles of accents; its length counts code points. It is text and nothing else: a page that
 * shows it escapes it for the language it is written in.
 */
import { ApiError, echo } from '../../errors/index.ts';

export interface TextRules {
  readonly field: string;
  readonly least: number;
  /** Code points. */
  readonly most: number;
  readonly lines: 'one' | 'many';
}

/** Cc, and the line and paragraph separators. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const HALF = /\p{Cs}/u;
const NO_CHARACTER = /\p{Noncharacter_Code_Point}/u;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
const PILE = /\p{M}{9}/u;

const FAULTS: readonly (readonly [fault: RegExp, limit: string])[] = [
  [HALF, 'without halves of characters (lone surrogates)'],
  [NO_CHARACTER, 'without code points that are no characters'],
  [TURNING, 'without marks that turn the direction of text (U+202A..202E, U+2066..2069)'],
  [PILE, 'without more than 8 combining marks in a row'],
];

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The text in its one form; throws `invalid_payload`. */
export function wordsIn(text: string, { field, least, most, lines }: TextRules): string {
  const refuse = (limit: string, actual: unknown): never => {
    throw new ApiError('invalid_payload', { field, limit, actual });
  };
  const words = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  for (const [fault, limit] of FAULTS) if (fault.test(words)) refuse(limit, echo(text));
  const isOfLines = lines === 'many';
  const control = isOfLines ? words.replaceAll('\n', '') : words;
  if (CONTROL.test(control)) {
    refuse(`without control characters${isOfLines ? ' but line feeds' : ''}`, echo(text));
  }
  const length = codePoints(words);
  if (length < least || length > most) refuse(`${least}..${most} characters`, length);
  return words;
}

const MOST_ADDRESS = 2_048;
const LOCAL = /^\/(?![/\\])[\w.~/%-]*$/;

/** The address of a picture, over http or https or of this exchange; empty for none. */
export function pictureIn(text: string, field: string): string {
  if (text === '') return '';
  if (text.length <= MOST_ADDRESS && (LOCAL.test(text) || isWebAddress(text))) return text;
  const limit = `an address over https or http, at most ${MOST_ADDRESS} characters, or empty`;
  throw new ApiError('invalid_payload', { field, limit, actual: echo(text) });
}

/** Written as it is meant: what a browser would mend is refused. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || /["'<>\\^`{|}]/.test(text)) return false;
  return URL.canParse(text) && new URL(text).username === '';
}
