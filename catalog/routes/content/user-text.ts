/**
 * Texts that users write for others to read: comments, names and profiles.
 *
 * Invariant: a text is Unicode in composed form (NFC) with line feeds between lines. It has no
 * control characters, lone surrogates, noncharacters, marks that change the direction of text, or
 * stacks of combining marks. Its length counts code points. It is not markup: a page that shows it
 * must escape it.
 */
import { ApiError, echo } from '../../../http/errors/index.ts';

export interface TextRules {
  readonly field: string;
  readonly least: number;
  /** Code points. */
  readonly most: number;
  readonly lines: 'one' | 'many';
}

/** Unicode category Cc (control), and the line and paragraph separators. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const LONE_SURROGATE = /\p{Cs}/u;
const NONCHARACTER = /\p{Noncharacter_Code_Point}/u;
const DIRECTION_MARK = /[\u202a-\u202e\u2066-\u2069]/u;
const STACKED_MARKS = /\p{M}{9}/u;
/** A character in composed form is at most four code points of two units each in another form. */
const LONGEST_FORM = 8;

const FAULTS: readonly (readonly [fault: RegExp, limit: string])[] = [
  [LONE_SURROGATE, 'a text without lone surrogates'],
  [NONCHARACTER, 'a text without noncharacter code points'],
  [DIRECTION_MARK, 'a text without marks that change its direction (U+202A..202E, U+2066..2069)'],
  [STACKED_MARKS, 'a text with at most 8 combining marks in a row'],
];

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * The normalised text; throws `invalid_payload`. Length and marks are checked first: to normalise
 * takes time in proportion to the square of the marks in a row.
 */
export function readUserText(text: string, { field, least, most, lines }: TextRules): string {
  const refuse = (limit: string, actual: unknown): never => {
    throw new ApiError('invalid_payload', { field, limit, actual });
  };
  const characters = `${least}..${most} characters`;
  if (text.length > LONGEST_FORM * most) refuse(characters, codePoints(text));
  for (const [fault, limit] of FAULTS) if (fault.test(text)) refuse(limit, echo(text));
  const normalised = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  const hasLines = lines === 'many';
  const control = hasLines ? normalised.replaceAll('\n', '') : normalised;
  if (CONTROL.test(control)) {
    refuse(`a text without control characters${hasLines ? ' except line feeds' : ''}`, echo(text));
  }
  const length = codePoints(normalised);
  if (length < least || length > most) refuse(characters, length);
  return normalised;
}

const MAX_ADDRESS = 2_048;
const LOCAL = /^\/(?![/\\])[\w.~/%-]*$/;

/** An http or https URL, a path on this exchange, or ''; throws `invalid_payload`. */
export function readPictureAddress(text: string, field: string): string {
  if (text === '') return '';
  if (text.length <= MAX_ADDRESS && (LOCAL.test(text) || isWebAddress(text))) return text;
  const limit = `an address over https or http, at most ${MAX_ADDRESS} characters, or empty`;
  throw new ApiError('invalid_payload', { field, limit, actual: echo(text) });
}

/** Whether a text is an http or https URL. Refuses URLs that a browser would correct. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || /["'<>\\^`{|}]/.test(text)) return false;
  return URL.canParse(text) && new URL(text).username === '';
}
