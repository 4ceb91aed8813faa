/**
 * What the program says about itself: the help of a command, the settings in effect, and the table
 * of options for the documentation. All of it is read off the tables of options.
 *
 * Invariant: no value of a secret option is part of any of it.
 * Bound: HELP_COLUMNS wide, as far as single words let it.
 */
import {
  fallbackTextOf,
  type Option,
  type OptionTable,
  printedValue,
  usageOf,
} from './option-table.ts';
import type { CommandSyntax } from './parse-arguments.ts';
import type { ResolvedOptions } from './resolve-options.ts';

/** A command with what its help says. */
export interface DocumentedCommand extends CommandSyntax {
  readonly summary: string;
}

export const HELP_COLUMNS = 100;
const INDENT = '  ';
const MEANING_COLUMN = 30;

/** Breaks words into lines of at most `width` columns. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function inColumns(left: string, right: string): string {
  const lines = wrap(right, HELP_COLUMNS - MEANING_COLUMN);
  const margin = ' '.repeat(MEANING_COLUMN);
  const start = `${INDENT}${left}`;
  // What is too long for its column gets a line of its own.
  const first =
    start.length < MEANING_COLUMN ? start.padEnd(MEANING_COLUMN) : `${start}\n${margin}`;
  return first + lines.join(`\n${margin}`);
}

function optionHelp(row: Option<unknown>): string {
  const fallback = fallbackTextOf(row);
  const facts = [
    ...(fallback === '' ? [] : [`default: ${fallback}`]),
    ...(row.variable === '' ? [] : [`variable: ${row.variable}`]),
  ];
  const isPlainSwitch = row.kind.placeholder === '' && row.variable === '';
  const tail = isPlainSwitch || facts.length === 0 ? '' : ` (${facts.join('; ')})`;
  return inColumns(usageOf(row), `${row.meaning}${tail}`);
}

/** The help of one command; that of the first also lists the others. */
export function helpText(
  command: DocumentedCommand,
  commands: readonly [DocumentedCommand, ...DocumentedCommand[]],
): string {
  const isDefault = command === commands[0];
  const name = isDefault ? `[${command.name}]` : command.name;
  const operands = command.operands === undefined ? '' : ` ${command.operands.usage}`;
  const list = isDefault
    ? ['Commands:', ...commands.map((other) => inColumns(other.name, other.summary)), '']
    : [];
  return [
    ...wrap(`Usage: node main.ts ${name}${operands} [flags]`, HELP_COLUMNS),
    '',
    ...wrap(`${command.summary}.`, HELP_COLUMNS),
    '',
    ...list,
    'Flags (over environment variables, those over the settings file, that over defaults):',
    ...Object.values(command.options).map(optionHelp),
    '',
  ].join('\n');
}

const REDACTED = '(set, not shown)';

function shownValue(row: Option<unknown>, value: unknown): string {
  if (value === undefined) return fallbackTextOf(row) || '-';
  return row.isSecret === true ? REDACTED : printedValue(row, value);
}

/** Each option of a table with its value in effect and where that came from. */
export function settingsText(table: OptionTable, resolved: ResolvedOptions<OptionTable>): string {
  const rows = Object.entries(table).map(([name, row]): readonly [string, string, string] => [
    row.flag,
    shownValue(row, resolved.values[name]),
    resolved.origins[name] ?? '',
  ]);
  const widthOf = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [flags, values] = [widthOf(0), widthOf(1)];
  return rows
    .map(([flag, value, origin]) => `${flag.padEnd(flags)}  ${value.padEnd(values)}  ${origin}\n`)
    .join('');
}

function cell(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``;
}

/** The table of options as the documentation shows it, in Markdown. */
export function optionsMarkdown(table: OptionTable): string {
  const rows = Object.values(table).map((row) => [
    cell(usageOf(row)),
    cell(row.variable),
    cell(row.key),
    fallbackTextOf(row),
    row.meaning,
    row.kind.placeholder === '' ? '' : row.kind.must,
  ]);
  const head = ['flag', 'variable', 'key', 'default', 'meaning', 'value'];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
