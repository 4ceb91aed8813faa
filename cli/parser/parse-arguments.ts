/**
 * Splits a command line into the command, its operands and the text of each flag. `parseArgs` of
 * Node splits the words; this file decides which of them are allowed. resolve-options.ts reads the
 * text of each flag.
 *
 * Invariant: every word has a meaning or is reported as a fault that names the nearest known word.
 */
import { parseArgs } from 'node:util';
import { closestWord } from '../../http/codec/index.ts';
import type { OptionTable } from './option-table.ts';

/** Everything that is wrong with what a person typed or set, one sentence each. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'UsageError';
    this.faults = faults;
  }
}

export interface CommandSyntax {
  /** One or two words. */
  readonly name: string;
  /** How a person starts it: `./outcome-exchange serve`. */
  readonly program: string;
  readonly options: OptionTable;
  /** Words besides the flags; left out where there are none. */
  readonly operands?: OperandSyntax;
}

export interface OperandSyntax {
  /** The operands as the help shows them: `FILE`. */
  readonly usage: string;
  readonly least?: number;
  readonly most: number;
}

export interface Arguments {
  /** The text of each flag that was given; 'true' for a switch without a value. */
  readonly flags: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

export interface Invocation<Command extends CommandSyntax> extends Arguments {
  readonly command: Command;
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

function tokensOf(words: readonly string[], options: OptionTable) {
  const known = Object.values(options).map(({ flag, kind }) => [
    flag.slice(2),
    {
      type: kind.placeholder === '' ? 'boolean' : 'string',
      ...(flag === '--help' ? { short: 'h' } : {}),
    } as const,
  ]);
  return parseArgs({
    args: words,
    options: Object.fromEntries(known),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface Found {
  readonly flags: Map<string, string>;
  readonly operands: string[];
  readonly faults: string[];
}

/** Reads the words after a command's name into `found`. */
function readWords(words: readonly string[], syntax: CommandSyntax, found: Found): void {
  const { flags, operands, faults } = found;
  const rows = new Map(Object.values(syntax.options).map((row) => [row.flag as string, row]));
  /** The word after an unknown flag is probably the flag's value. */
  let skippedIndex = -1;
  for (const token of tokensOf(words, syntax.options)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (token.index === skippedIndex) continue;
      if (syntax.operands !== undefined) operands.push(token.value);
      else {
        faults.push(`"${token.value}" is not expected here: a command comes first, then its flags`);
      }
      continue;
    }
    const row = rows.get(`--${token.name}`);
    const isInline = token.inlineValue === true;
    const text = token.value ?? (row?.kind.placeholder === '' ? 'true' : undefined);
    if (row === undefined) {
      const [flag = ''] = words[token.index]?.split('=') ?? [];
      const fault =
        `there is no flag ${flag}; the nearest is ` + `${closestWord(flag, [...rows.keys()])}`;
      // parseArgs reads `-port` as -p, -o, -r and -t; that is one fault.
      if (!faults.includes(fault)) faults.push(fault);
      if (!isInline) skippedIndex = token.index + 1;
    } else if (text === undefined || (text.startsWith('--') && !isInline)) {
      faults.push(`${row.flag} needs a value: ${row.kind.must}`);
      // parseArgs took the next flag for the value.
      readWords(words.slice(token.index + 1), syntax, found);
      return;
    } else if (flags.has(row.flag)) faults.push(`${row.flag} is given twice`);
    else flags.set(row.flag, text);
  }
}

/** What is wrong with the number of operands; undefined if it is right. */
function operandFault(
  { program, name, operands: syntax }: CommandSyntax,
  { flags, operands }: Found,
): string | undefined {
  if (syntax === undefined || flags.has('--help') || flags.has('--version')) return undefined;
  const { usage, least = 1, most } = syntax;
  if (operands.length < least) return `${name} needs more words: ${program} ${usage}`;
  const extra = operands[most];
  return extra === undefined ? undefined : `"${extra}" is one word too many: ${program} ${usage}`;
}

/** Reads the words after the name of a command. Throws `UsageError`. */
export function parseFlags(words: readonly string[], syntax: CommandSyntax): Arguments {
  const found: Found = { flags: new Map(), operands: [], faults: [] };
  readWords(words, syntax, found);
  const fault = operandFault(syntax, found);
  const faults = fault === undefined ? found.faults : [...found.faults, fault];
  if (faults.length > 0) throw new UsageError(faults);
  return found;
}

/** The command that the words name. If it has operands, only the first word is the name. */
function findCommand<Command extends CommandSyntax>(
  words: readonly string[],
  commands: readonly [Command, ...Command[]],
): Command {
  const name = words.join(' ');
  const command =
    name === ''
      ? commands[0]
      : commands.find((known) => known.name === (known.operands === undefined ? name : words[0]));
  if (command !== undefined) return command;
  const names = commands.map((known) => known.name);
  throw new UsageError([
    `there is no command "${name}"; the nearest is "${closestWord(name, names)}", ` +
      `and the commands are ${names.join(', ')}`,
  ]);
}

/**
 * Finds the command that the words begin with, or the first of `commands` when they begin with a
 * flag, and reads the words after it. Throws `UsageError`.
 */
export function parseArguments<Commands extends readonly [CommandSyntax, ...CommandSyntax[]]>(
  words: readonly string[],
  commands: Commands,
): Invocation<Commands[number]> {
  const flagIndex = words.findIndex(isFlag);
  const start = flagIndex < 0 ? words : words.slice(0, flagIndex);
  const command: Commands[number] = findCommand(start, commands);
  const nameLength = start.length === 0 ? 0 : command.name.split(' ').length;
  return { command, ...parseFlags(words.slice(nameLength), command) };
}
