/**
 * Texts made from tables of options: the help of a command, the settings in effect, and the tables
 * of options.md.
 *
 * Invariant: no text contains the value of a secret option.
 * Bound: a line of help has at most HELP_COLUMNS columns, unless a single word is wider.
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

export interface DocumentedCommand extends CommandSyntax {
  /** One sentence, without a full stop at the end. */
  readonly summary: string;
}

export const HELP_COLUMNS = 100;
const INDENT = '  ';
const MEANING_COLUMN = 30;

/** Breaks a text into lines of at most `width` columns. */
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
  // A text that is too long for its column gets its own line.
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

/** The help of one command. The help of the first of `commands` also lists all of them. */
export function helpText(
  command: DocumentedCommand,
  commands: readonly DocumentedCommand[] = [],
): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands.usage}`;
  const rows = Object.values(command.options);
  const hasVariables = rows.some(({ variable }) => variable !== '');
  const list =
    command === commands[0]
      ? ['Commands:', ...commands.map((other) => inColumns(other.name, other.summary)), '']
      : [];
  return [
    ...wrap(`Usage: ${command.program}${operands} [flags]`, HELP_COLUMNS),
    '',
    ...wrap(`${command.summary}.`, HELP_COLUMNS),
    '',
    ...list,
    hasVariables
      ? 'Flags (they override environment variables, which override the settings file):'
      : 'Flags:',
    ...rows.map(optionHelp),
    '',
  ].join('\n');
}

const REDACTED = '(set, not shown)';

function shownValue(row: Option<unknown>, value: unknown): string {
  if (value === undefined) return fallbackTextOf(row) || '-';
  return row.isSecret === true ? REDACTED : printedValue(row, value);
}

/** Each option of a table with its value in effect and the origin of that value. */
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

/** What every text option demands, which its row need not say. */
const ANY_TEXT = 'a text of 1 to 4096 characters';
/** Flags of every command, which options.md names once. */
const COMMON_FLAGS: readonly string[] = ['--help', '--version'];

/** A table of options in Markdown, for options.md. */
export function optionsMarkdown(table: OptionTable): string {
  const own = Object.values(table).filter(({ flag }) => !COMMON_FLAGS.includes(flag));
  const rows = own.map((row) => {
    const { placeholder, must } = row.kind;
    const isFree = placeholder === '' || must === ANY_TEXT;
    return [
      cell(usageOf(row)),
      cell(row.variable),
      fallbackTextOf(row),
      isFree ? row.meaning : `${row.meaning}; ${must}`,
    ];
  });
  const head = ['flag', 'variable', 'default', 'meaning; value'];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
