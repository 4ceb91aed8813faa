/**
 * Reads the words of a command line: the command first, then its flags. What each flag's text
 * means is the business of resolve-options.ts.
 *
 * Invariant: nothing is ignored. A word that has no meaning is a fault that says which word was
 * probably meant.
 */
import { nearestTo } from './nearest.ts';
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

/** A command's name, one or two words, and its options. */
export interface CommandSyntax {
  readonly name: string;
  readonly options: OptionTable;
}

export interface Invocation<Command extends CommandSyntax> {
  readonly command: Command;
  /** The text that each flag came with; that of a switch is 'true' when it came alone. */
  readonly flags: ReadonlyMap<string, string>;
}

const isFlag = (word: string): boolean => word.startsWith('-') && word.length > 1;
const SHORT_FORMS: Readonly<Record<string, string>> = { '-h': '--help' };

interface FlagWord {
  readonly flag: string;
  readonly inlineText: string | undefined;
}

const splitFlag = (word: string): FlagWord => {
  const [name = '', ...rest] = word.split('=');
  const inlineText = rest.length === 0 ? undefined : rest.join('=');
  return { flag: SHORT_FORMS[name] ?? name, inlineText };
};

/** Reads the flags behind a command, and adds what is wrong with them to `faults`. */
const parseFlags = (
  words: readonly string[],
  options: OptionTable,
  faults: string[],
): Map<string, string> => {
  const rows = new Map(Object.values(options).map((row) => [row.flag as string, row]));
  const flags = new Map<string, string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const { flag, inlineText } = splitFlag(word);
    const row = rows.get(flag);
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
  return flags;
};

/**
 * Finds the command that the words begin with (the first of `commands` where they begin with a
 * flag, or are none) and splits its flags. Throws `UsageError`.
 */
export const parseArguments = <Commands extends readonly [CommandSyntax, ...CommandSyntax[]]>(
  words: readonly string[],
  commands: Commands,
): Invocation<Commands[number]> => {
  const flagIndex = words.findIndex(isFlag);
  const named = flagIndex < 0 ? words : words.slice(0, flagIndex);
  const name = named.join(' ');
  const command: Commands[number] | undefined =
    name === '' ? commands[0] : commands.find((known) => known.name === name);
  if (command === undefined) {
    const names = commands.map((known) => known.name);
    throw new UsageError([
      `there is no command "${name}"; the nearest is "${nearestTo(name, names)}", ` +
        `and all there are is ${names.join(', ')}`,
    ]);
  }
  const faults: string[] = [];
  const flags = parseFlags(words.slice(named.length), command.options, faults);
  if (faults.length > 0) throw new UsageError(faults);
  return { command, flags };
};
