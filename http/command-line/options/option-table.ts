/**
 * What a table of options is. One row makes the parser, the help, `config print` and the
 * documentation, so that they can't disagree (design 8).
 *
 * Invariant: a row's flag, variable and key name one thing, and each is unique in its table.
 */
import type { Kind } from './option-kinds.ts';

export interface Option<Value> {
  readonly flag: `--${string}`;
  /** The environment variable; '' where only a flag or file may say it. */
  readonly variable: string;
  /** The key in a settings file; '' where a file can't say it. */
  readonly key: string;
  readonly kind: Kind<NonNullable<Value>>;
  /** What holds when nothing is given. */
  readonly fallback: Value;
  /** How the help names the fallback, where its value says too little. */
  readonly fallbackText?: string;
  /** What it does, in one or two short sentences without a full stop at the end. */
  readonly meaning: string;
  /** Its value is never printed. */
  readonly isSecret?: true;
}

// Any row fits here: what a table is read for generally does not depend on the type of a value.
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The value of each row, by the row's name in the table. */
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** Checks a row's types where it is written. */
export function option<Value>(row: Option<Value>): Option<Value> {
  return row;
}

/** How an option is written with its value: `--port N`. */
export function usageOf({ flag, kind }: Option<unknown>): string {
  return kind.placeholder === '' ? flag : `${flag} ${kind.placeholder}`;
}

/** A value as a person would type it. */
export function printedValue({ kind }: Option<unknown>, value: unknown): string {
  // Safe: the value of a row with a fallback or a text is one of its own kind, never null.
  if (kind.print !== undefined) return kind.print(value as NonNullable<unknown>);
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** The fallback as the help and the documentation name it; '' where there is none. */
export function fallbackTextOf(row: Option<unknown>): string {
  const { fallback, fallbackText, kind } = row;
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === undefined) return '';
  if (kind.placeholder === '') return fallback === true ? 'on' : 'off';
  return printedValue(row, fallback);
}
