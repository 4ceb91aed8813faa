/**
 * Finds the value of each option. Flags override environment variables, which override the settings
 * file, which overrides the defaults.
 *
 * Invariant: the option's own kind reads every text, wherever it came from. All faults are reported
 * at once, and none of them repeats a secret.
 */
import { closestWord, jsonFault } from '../../http/codec/index.ts';
import type { Option, OptionTable, ValuesOf } from './option-table.ts';
import { UsageError } from './parse-arguments.ts';

export interface SettingsFile {
  readonly path: string;
  readonly record: Readonly<Record<string, unknown>>;
}

export interface Sources {
  /** Text by flag, from `parseArguments`. */
  readonly flags: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: SettingsFile | undefined;
}

/** The source of a value in words: `flag --port`, or `default`. */
export type ValueOrigin = string;

export interface ResolvedOptions<Table extends OptionTable> {
  readonly values: ValuesOf<Table>;
  readonly origins: { readonly [Name in keyof Table]: ValueOrigin };
}

export const FROM_DEFAULT: ValueOrigin = 'default';

interface Given {
  readonly text: string;
  readonly origin: ValueOrigin;
}

/** Whether a value of a settings file is a scalar or a list of scalars. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((item) => !Array.isArray(item) && isPlain(item))
    : ['string', 'number', 'boolean'].includes(typeof value);
}

function givenFor(row: Option<unknown>, sources: Sources): Given | undefined {
  const flag = sources.flags.get(row.flag);
  if (flag !== undefined) return { text: flag, origin: `flag ${row.flag}` };
  // An empty variable counts as unset: container files often pass one for a setting left out.
  const variable = row.variable === '' ? '' : (sources.environment[row.variable] ?? '');
  if (variable !== '') return { text: variable, origin: `variable ${row.variable}` };
  const { file } = sources;
  if (file === undefined || row.key === '' || !Object.hasOwn(file.record, row.key)) {
    return undefined;
  }
  const value = file.record[row.key];
  const text = isPlain(value) ? String(value) : JSON.stringify(value);
  return { text, origin: `key ${row.key} of ${file.path}` };
}

function faultOf(row: Option<unknown>, { text, origin }: Given): string {
  const actual = row.isSecret === true ? 'not valid' : `"${text}"`;
  const place = origin === `flag ${row.flag}` ? '' : ` (${origin})`;
  return `${row.flag} is ${actual}${place}; it must be ${row.kind.must}`;
}

/** A fault for each key of a settings file that no option has. */
function unknownKeys(table: OptionTable, file: SettingsFile): string[] {
  const keys = Object.values(table).flatMap(({ key }) => (key === '' ? [] : [key]));
  return Object.keys(file.record)
    .filter((key) => !keys.includes(key))
    .map(
      (key) =>
        `${file.path} has an unknown key "${key}"; the nearest is "${closestWord(key, keys)}"`,
    );
}

/** Throws `UsageError` with every fault. */
export function resolveOptions<Table extends OptionTable>(
  table: Table,
  sources: Sources,
): ResolvedOptions<Table> {
  const faults = sources.file === undefined ? [] : unknownKeys(table, sources.file);
  const values: Record<string, unknown> = {};
  const origins: Record<string, ValueOrigin> = {};
  for (const [name, row] of Object.entries(table)) {
    const given = givenFor(row, sources);
    const value = given === undefined ? row.fallback : row.kind.parse(given.text);
    if (given !== undefined && value === undefined) faults.push(faultOf(row, given));
    values[name] = value;
    origins[name] = given?.origin ?? FROM_DEFAULT;
  }
  if (faults.length > 0) throw new UsageError(faults);
  // Safe: the kind or the fallback of each option made the value under its name.
  return { values, origins } as ResolvedOptions<Table>;
}

/** The faults of options that need or exclude each other, as their rows say. */
export function relationFaults(
  table: OptionTable,
  { origins }: Pick<ResolvedOptions<OptionTable>, 'origins'>,
): readonly string[] {
  const isGiven = (name: string): boolean => origins[name] !== FROM_DEFAULT;
  const given = Object.entries(table).flatMap(([name, row]) => (isGiven(name) ? [row] : []));
  const flagsOf = (rows: OptionTable[string][]): string =>
    rows.map(({ flag }) => flag).join(' and ');
  const missing = [...Map.groupBy(given, ({ needs }) => needs)].flatMap(([needed, rows]) =>
    needed === undefined || isGiven(needed)
      ? []
      : [`${table[needed]?.flag} is missing; ${flagsOf(rows)} needs it`],
  );
  const stated = [...Map.groupBy(given, ({ states }) => states)].flatMap(([what, rows]) =>
    what === undefined || rows.length === 1 ? [] : [`${flagsOf(rows)}: give one of them`],
  );
  return [...missing, ...stated];
}

/** Why and where a text is not JSON. The message of `JSON.parse` could repeat secrets. */
function jsonFaultText(text: string): string | undefined {
  const fault = jsonFault(text);
  if (fault === undefined) return undefined;
  const lines = text.slice(0, fault.position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${fault.reason}`;
}

/** Parses the text of a JSON file. Throws `UsageError`. */
export function parseJsonFile(path: string, text: string): unknown {
  const fault = jsonFaultText(text);
  if (fault !== undefined) throw new UsageError([`${path} is not JSON: ${fault}`]);
  return JSON.parse(text);
}

/** Parses the text of a settings file. Throws `UsageError`. */
export function parseSettingsFile(path: string, text: string): SettingsFile {
  const record = parseJsonFile(path, text);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new UsageError([`${path} must hold one JSON object with a key for each setting`]);
  }
  // Safe: a JSON object is a record of its keys.
  return { path, record: record as Readonly<Record<string, unknown>> };
}
