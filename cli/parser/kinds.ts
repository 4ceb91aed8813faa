/** The kinds of values that an option can take: how each is read, and how its limits are named. */
import { shortestDecimal } from '../../http/codec/index.ts';

export interface Kind<Value> {
  /** Stands for the value in the help: `N`, `FILE`; '' for a switch. */
  readonly placeholder: string;
  /** Completes "it must be". */
  readonly must: string;
  /** undefined for a text that `must` does not allow. */
  readonly parse: (text: string) => Value | undefined;
  /** The text of a value; left out where `String(value)` is right. */
  print?(value: Value): string;
}

const MAX_TEXT_LENGTH = 4_096;
/** Letters, marks, digits, punctuation, symbols and spaces: everything but control characters. */
const TEXT_FORM = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
const WHOLE_NUMBER_FORM = /^(0|[1-9][0-9]{0,15})$/;
const DECIMAL_FORM = /^(0|[1-9][0-9]{0,15})(?:\.([0-9]{1,18}))?$/;

/** A text that is not empty and has no control characters. */
export function textKind(placeholder: string): Kind<string> {
  return testedKind(
    placeholder,
    (text) => text.length <= MAX_TEXT_LENGTH && TEXT_FORM.test(text),
    `a text of 1 to ${MAX_TEXT_LENGTH} characters`,
  );
}

/** A text that passes a test. */
export function testedKind(
  placeholder: string,
  isAccepted: (text: string) => boolean,
  must: string,
): Kind<string> {
  return {
    placeholder,
    must,
    parse: (text) => (isAccepted(text) ? text : undefined),
  };
}

/** On or off; the flag alone means on. */
export const SWITCH: Kind<boolean> = {
  placeholder: '',
  must: 'true, false, 1 or 0',
  parse: (text) => {
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : undefined;
  },
};

/** A whole number from `least` to `most`. */
export function wholeKind(least: number, most: number): Kind<number> {
  return {
    placeholder: 'N',
    must: `a whole number from ${least} to ${most}`,
    parse: (text) => {
      if (!WHOLE_NUMBER_FORM.test(text)) return undefined;
      const value = Number(text);
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** One to `most` different whole numbers from 1, separated by commas. */
export function wholeListKind(most: number): Kind<readonly number[]> {
  const must = 'different whole numbers from 1';
  const list = listKind(wholeKind(1, Number.MAX_SAFE_INTEGER), 'N,N', most, must);
  return {
    ...list,
    parse: (text) => {
      const values = list.parse(text);
      return new Set(values).size === values?.length ? values : undefined;
    },
  };
}

/** One to `most` texts, separated by commas. The user of the option checks each text. */
export function textListKind(
  placeholder: string,
  most: number,
  must: string,
): Kind<readonly string[]> {
  return listKind(textKind(placeholder), placeholder, most, must);
}

function listKind<Value>(
  one: Kind<Value>,
  placeholder: string,
  most: number,
  must: string,
): Kind<readonly Value[]> {
  return {
    placeholder,
    must: `1 to ${most} ${must}, separated by commas`,
    parse: (text) => {
      const values = text.split(',').map((part) => one.parse(part.trim()));
      if (values.length > most) return undefined;
      return values.every((value) => value !== undefined) ? values : undefined;
    },
  };
}

/** One of a fixed set of words, in upper or lower case. */
export function choiceKind<Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|'),
    must: `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
  };
}

/**
 * A plain decimal, read exactly into a whole number of units of its last decimal. `least` and
 * `most` are in these units too.
 */
export function decimalKind(least: number, most: number, decimals: number): Kind<number> {
  const print = (value: number): string => shortestDecimal(value, decimals);
  return {
    placeholder: 'DECIMAL',
    must: `a decimal from ${print(least)} to ${print(most)} with at most ${decimals} decimals`,
    print,
    parse: (text) => {
      const [, whole = '', fraction = ''] = DECIMAL_FORM.exec(text) ?? [];
      if (whole === '' || fraction.length > decimals) return undefined;
      const value = BigInt(whole + fraction.padEnd(decimals, '0'));
      return value >= least && value <= most ? Number(value) : undefined;
    },
  };
}
