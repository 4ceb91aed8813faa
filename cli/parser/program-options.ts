/** The command line of a program that has no commands: a benchmark, the simulator. */
import { type DocumentedCommand, helpText } from './help.ts';
import { SWITCH } from './kinds.ts';
import { flagTable, type OptionTable, option, type ValuesOf } from './option-table.ts';
import { parseFlags, UsageError } from './parse-arguments.ts';
import { resolveOptions } from './resolve-options.ts';

const USED_WRONGLY = 2;
const HELP = flagTable({ help: option(SWITCH, false, 'Print this help and exit') });

export interface ProgramOptions<Table extends OptionTable> {
  readonly values: ValuesOf<Table>;
  readonly operands: readonly string[];
}

/**
 * Reads the options of a program. With `--help` it prints the help and ends the process. If
 * arguments are invalid, it prints the faults and ends the process with exit code 2.
 */
export function readProgramOptions<Table extends OptionTable>(
  program: Omit<DocumentedCommand, 'options'> & { readonly options: Table },
  words: readonly string[] = process.argv.slice(2),
): ProgramOptions<Table> {
  const syntax = { ...program, options: { ...program.options, ...HELP } };
  try {
    const { flags, operands } = parseFlags(words, syntax);
    if (flags.has('--help')) {
      process.stdout.write(helpText(syntax));
      process.exit();
    }
    const { values } = resolveOptions(program.options, { flags, environment: process.env });
    return { values, operands };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(error.faults.map((fault) => `${program.name}: ${fault}\n`).join(''));
    process.exit(USED_WRONGLY);
  }
}
