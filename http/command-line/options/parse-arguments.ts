/**
 * Reads the words of a command line: the command first, then its operands and flags. What each
 * flag's text means is the business of resolve-options.ts.
 *
 * Invariant: nothing is ignored. A word that has no meaning is a fault that says which word was
 * probably meant.
 */
import { nearestTo } from '../../codec/index.ts';
import type { OptionTable } from './option-table.ts';

/** All that is wrong with what a person typed or set, one sentence each. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'UsageError';
    this.faults = faults;
  }
}

/** A command's name, one or two words, its operands and its options. */
export interface CommandSyntax {
  readonly name: string;
  readonly options: OptionTable;
  /** Words that are no flags: one is needed at least. Left out where there are none. */
  readonly operands?: OperandSyntax;
}

export interface OperandSyntax {
  /** As the help shows them: `FILE`. */
  readonly usage: string;
  readonly most: number;
}

export interface Invocation<Command extends CommandSyntax> {
  readonly command: Command;
  /** The text that each flag came with; that of a switch is 'true' when it came alone. */
  readonly flags: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}
const SHORT_FORMS: Readonly<Record<string, string>> = { '-h': '--help' };

interface FlagWord {
  readonly flag: string;
  readonly inlineText: string | undefined;
}

function splitFlag(word: string): FlagWord {
  const [name = '', ...rest] = word.split('=');
  const inlineText = rest.length === 0 ? undefined : rest.join('=');
  return { flag: SHORT_FORMS[name] ?? name, inlineText };
}

/** Reads what comes behind a command's name, and adds what is wrong with it to `faults`. */
function parseFlags(
  words: readonly string[],
  { options, operands: syntax }: CommandSyntax,
  faults: string[],
): Omit<Invocation<CommandSyntax>, 'command'> {
  const rows = new Map(Object.values(options).map((row) => [row.flag as string, row]));
  const flags = new Map<string, string>();
  const operands: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const { flag, inlineText } = splitFlag(word);
    const row = rows.get(flag);
    if (!isFlag(word) && syntax !== undefined) {
      operands.push(word);
      continue;
    }
    if (!isFlag(word)) {
      faults.push(`"${word}" is not expected here: a command comes first, then its flags`);
      continue;
    }
    if (row === undefined) {
      faults.push(`there is no flag ${flag}; the nearest is ${nearestTo(flag, [...rows.keys()])}`);
      // What follows is probably its value.
      if (inlineText === undefined && !isFlag(words[index + 1] ?? '-')) index += 1;
      continue;
    }
    const text = inlineText ?? (row.kind.placeholder === '' ? 'true' : words[++index]);
    if (text === undefined || (inlineText === undefined && text.startsWith('--'))) {
      faults.push(`${flag} needs a value: ${row.kind.must}`);
      index -= 1;
    } else if (flags.has(flag)) {
      faults.push(`${flag} is given twice`);
    } else flags.set(flag, text);
  }
  return { flags, operands };
}

/** What is wrong with the number of operands; undefined for nothing. `--help` needs none. */
function operandFault(
  { name, operands: syntax }: CommandSyntax,
  { flags, operands }: Omit<Invocation<CommandSyntax>, 'command'>,
): string | undefined {
  if (syntax === undefined || flags.has('--help') || flags.has('--version')) return undefined;
  const usage = `node main.ts ${name} ${syntax.usage}`;
  if (operands.length === 0) return `${name} needs more words: ${usage}`;
  const extra = operands[syntax.most];
  return extra === undefined ? undefined : `"${extra}" is one word too many: ${usage}`;
}

/** The command whose name the words are, or begin with where it has operands. */
function findCommand<Command extends CommandSyntax>(
  named: readonly string[],
  commands: readonly [Command, ...Command[]],
): Command {
  const name = named.join(' ');
  const command = name === '' ? commands[0] : commands.find((known) => isNamed(known, named));
  if (command !== undefined) return command;
  const names = commands.map((known) => known.name);
  throw new UsageError([
    `there is no command "${name}"; the nearest is "${nearestTo(name, names)}", ` +
      `and all there are is ${names.join(', ')}`,
  ]);
}

function isNamed({ name, operands }: CommandSyntax, named: readonly string[]): boolean {
  return operands === undefined ? name === named.join(' ') : name === named[0];
}

/**
 * Finds the command that the words begin with (the first of `commands` where they begin with a
 * flag, or are none) and splits its operands and flags. Throws `UsageError`.
 */
export function parseArguments<Commands extends readonly [CommandSyntax, ...CommandSyntax[]]>(
  words: readonly string[],
  commands: Commands,
): Invocation<Commands[number]> {
  const flagIndex = words.findIndex(isFlag);
  const named = flagIndex < 0 ? words : words.slice(0, flagIndex);
  const command: Commands[number] = findCommand(named, commands);
  const faults: string[] = [];
  const nameLength = named.length === 0 ? 0 : command.name.split(' ').length;
  const rest = parseFlags(words.slice(nameLength), command, faults);
  const fault = operandFault(command, rest);
  if (fault !== undefined) faults.push(fault);
  if (faults.length > 0) throw new UsageError(faults);
  return { command, ...rest };
}
