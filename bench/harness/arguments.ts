/**
 * The words after `npm run bench --`: names of benchmarks, then the options of one of them. They
 * are checked before anything is measured.
 */
import { parseArgs } from 'node:util';

/** What follows each option: a whole number above 0, or nothing. */
export type OptionTable = Readonly<Record<string, 'number' | 'flag'>>;

/** The number of each given option; 1 for a flag. */
export type Options<Table extends OptionTable> = Readonly<{ [Name in keyof Table]?: number }>;

function optionsText(table: OptionTable): string {
  const texts = Object.entries(table).map(
    ([name, kind]) => `--${name}${kind === 'number' ? ' N' : ''}`,
  );
  return texts.length === 0 ? 'it has no options' : `its options are ${texts.join(', ')}`;
}

/** Throws for an unknown option, and for a number that is not a whole number above 0. */
export function readOptions<Table extends OptionTable>(
  words: readonly string[],
  table: Table,
): Options<Table> {
  const types = Object.entries(table).map(
    ([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  );
  const found: Record<string, number> = {};
  try {
    const { values } = parseArgs({ args: [...words], options: Object.fromEntries(types) });
    for (const [name, value] of Object.entries(values)) {
      const isWhole = typeof value === 'string' && /^\d{1,15}$/.test(value) && Number(value) > 0;
      if (value !== true && !isWhole) {
        throw new Error(`--${name} must be a whole number above 0, not ${value}`);
      }
      found[name] = Number(value);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}; ${optionsText(table)}`, { cause: error });
  }
  // Safe: parseArgs takes only the names of the table.
  return found as Options<Table>;
}

export interface BenchWords {
  /** Empty: all of them. */
  readonly names: readonly string[];
  readonly options: readonly string[];
}

/** Throws for an unknown name, and for options that belong to no benchmark or to several. */
export function readBenchWords(
  words: readonly string[],
  tables: Readonly<Record<string, OptionTable>>,
): BenchWords {
  const first = words.findIndex((word) => word.startsWith('-'));
  const names = first < 0 ? words : words.slice(0, first);
  const options = first < 0 ? [] : words.slice(first);
  for (const name of names) {
    if (Object.hasOwn(tables, name)) continue;
    throw new Error(`there is no benchmark ${name}; there are ${Object.keys(tables).join(', ')}`);
  }
  if (options.length === 0) return { names, options };
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new Error(`name one benchmark with ${options[0]}: npm run bench -- NAME ${options[0]}`);
  }
  readOptions(options, tables[name] ?? {});
  return { names, options };
}
