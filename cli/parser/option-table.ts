/**
 * Tables of options. A row says which values an option takes, its default and its meaning. Its name
 * determines all spellings: `adminPort` is the flag `--admin-port`, the environment variable
 * `ADMIN_PORT` and the key `adminPort` of a settings file.
 */
import type { Kind } from './kinds.ts';

export interface Option<Value> {
  readonly flag: `--${string}`;
  /** The environment variable; '' for none. */
  readonly variable: string;
  /** The key in a settings file; '' for none. */
  readonly key: string;
  readonly kind: Kind<NonNullable<Value>>;
  /** The value when nothing is given. */
  readonly fallback: Value;
  /** How the help shows the default, where the value alone does not explain it. */
  readonly fallbackText?: string;
  /** What the option does, without a full stop at the end. */
  readonly meaning: string;
  /** Its value is never printed. */
  readonly isSecret?: true;
  /** The name of the option without which it has no effect. */
  readonly needs?: string;
  /** What it states. Of the options that state the same, only one may be given. */
  readonly states?: string;
  /** The only value in strict mode, where it is also the default. */
  readonly strict?: Value;
}

/** A row before its table adds the spellings that are not given here. */
export interface OptionRow<Value> extends OptionExtras {
  readonly kind: Kind<NonNullable<Value>>;
  readonly fallback: Value;
  readonly meaning: string;
}

type OptionExtras = Partial<Omit<Option<unknown>, 'kind' | 'fallback' | 'meaning'>>;

// `unknown`, because most functions read a table without regard to the types of its values.
export type OptionTable = Readonly<Record<string, Option<unknown>>>;
type Rows = Readonly<Record<string, OptionRow<unknown>>>;

type TableOf<Named extends Rows> = {
  readonly [Name in keyof Named]: Named[Name] extends OptionRow<infer Value>
    ? Option<Value>
    : never;
};

export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

export function option<Value>(
  kind: Kind<NonNullable<Value>>,
  fallback: Value,
  meaning: string,
  extras: OptionExtras = {},
): OptionRow<Value> {
  return { kind, fallback, meaning, ...extras };
}

/** An option that has no value when nothing is given. */
export function optional<Value>(
  kind: Kind<NonNullable<Value>>,
  meaning: string,
  extras: OptionExtras = {},
): OptionRow<Value | undefined> {
  return { kind, fallback: undefined, meaning, ...extras };
}

/** `adminPort` with its words separated by dashes: `admin-port`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]|[0-9]+/g, (start) => `-${start.toLowerCase()}`);
}

function named<Named extends Rows>(
  rows: Named,
  spellingsOf: (name: string) => Pick<Option<unknown>, 'variable' | 'key'>,
): TableOf<Named> {
  const entries = Object.entries(rows).map(([name, row]) => [
    name,
    { flag: `--${dashed(name)}`, ...spellingsOf(name), ...row },
  ]);
  // Safe: each row keeps its name and its types.
  return Object.fromEntries(entries) as TableOf<Named>;
}

/** Options that a flag, an environment variable or a settings file can set. */
export function settingTable<Named extends Rows>(rows: Named): TableOf<Named> {
  return named(rows, (name) => ({
    variable: dashed(name).replaceAll('-', '_').toUpperCase(),
    key: name,
  }));
}

/** Options that only a flag can set, and an environment variable where the row names one. */
export function flagTable<Named extends Rows>(rows: Named): TableOf<Named> {
  return named(rows, () => ({ variable: '', key: '' }));
}

/** An option as it is typed: `--port N`. */
export function usageOf({ flag, kind }: Option<unknown>): string {
  return kind.placeholder === '' ? flag : `${flag} ${kind.placeholder}`;
}

/** A value as a person would type it. */
export function printedValue({ kind }: Option<unknown>, value: unknown): string {
  // Safe: callers pass a value of the row's own kind, never undefined or null.
  if (kind.print !== undefined) return kind.print(value as NonNullable<unknown>);
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** The default as the help and the documentation show it; '' for none. */
export function fallbackTextOf(row: Option<unknown>): string {
  const { fallback, fallbackText, kind } = row;
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === undefined) return '';
  if (kind.placeholder === '') return fallback === true ? 'on' : 'off';
  return printedValue(row, fallback);
}
