/**
 * The entry point: reads the command line and runs the command. `venue/program.ts` puts the
 * exchange together. Each command is loaded when it is named, so `--help` is quick.
 *
 * Invariant: the exit code is 0 after success and after a requested stop, 2 for wrong arguments or
 * settings, 3 for a core of a cluster in whose place another node is the core now, and 1 for
 * everything else. An acknowledged write is never lost, whatever the code.
 */
// The first import: it ends the process on a Node version that crashes in native modules.
import './persistence/threads/node-version.ts';
import { AssertionError } from 'node:assert';
import { readFileSync, statSync } from 'node:fs';
import { COMMANDS } from './cli/options/commands.ts';
import { COMMON_OPTIONS } from './cli/options/serve-options.ts';
import { exitCodeOf } from './cli/parser/exit-codes.ts';
import { helpText } from './cli/parser/help.ts';
import { parseArguments, UsageError } from './cli/parser/parse-arguments.ts';
import type { CommandRun, ProgramCommand } from './cli/parser/program-command.ts';
import { resolveOptions, type Sources } from './cli/parser/resolve-options.ts';
import type { Plot } from './http/services/index.ts';
import packageJson from './package.json' with { type: 'json' };
import * as plots from './venue/plots.ts';

const { version } = packageJson;
const FAILED = 1;
const PLOTS: readonly Plot[] = Object.values(plots);
/** The commands that plots bring. */
const FURTHER: readonly ProgramCommand[] = PLOTS.flatMap(({ commands = [] }) => commands);
const ALL_COMMANDS = [...COMMANDS, ...FURTHER] as const;

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function modeOf(path: string): number {
  return statSync(path).mode;
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Whether the error is a bug in the program, which is printed with its stack. */
function isProgrammingError(error: unknown): error is Error {
  return [AssertionError, TypeError, RangeError, ReferenceError].some(
    (kind) => error instanceof kind,
  );
}

/** The sentences to print for an error, one for each fault. */
function sentencesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return [...error.faults, 'add --help to see all flags'];
  if (error instanceof AggregateError) return error.errors.flatMap(sentencesOf);
  if (!(error instanceof Error)) return [String(error)];
  if (isProgrammingError(error)) return [error.stack ?? error.message];
  const { message, cause } = error;
  return isProgrammingError(cause) ? [message, ...sentencesOf(cause)] : [message];
}

function fail(error: unknown): never {
  const lines = sentencesOf(error).map((sentence) => `outcome-exchange: ${sentence}\n`);
  process.stderr.write(lines.join(''));
  process.exit(exitCodeOf(error));
}

/** Prints the result of a command, whose exit code says whether all went well. */
function finish({ text, ok }: { readonly text: string; readonly ok: boolean }): void {
  print(text);
  if (!ok) process.exitCode = FAILED;
}

async function run(words: readonly string[]): Promise<void> {
  const { command, flags, operands } = parseArguments(words, ALL_COMMANDS);
  const common = resolveOptions(COMMON_OPTIONS, { flags, environment: {} }).values;
  const sources: Sources = { flags, environment: process.env };
  if (common.help) return print(helpText(command, ALL_COMMANDS));
  if (common.version) return print(version);
  const toolRun: CommandRun = {
    sources,
    operands,
    version,
    readText,
    tell: (sentence) => process.stderr.write(`${sentence}\n`),
    progress: {
      isTerminal: process.stderr.isTTY === true,
      write: (written: string) => process.stderr.write(written),
      nowMs: () => performance.now(),
    },
  };
  if ('load' in command) return finish(await (await command.load())(toolRun));
  switch (command.name) {
    case 'serve': {
      const { serve } = await import('./cli/serve/index.ts');
      return serve(sources, { readText, modeOf, version, fail, print });
    }
    case 'config print': {
      const { printConfig } = await import('./cli/serve/index.ts');
      return print(printConfig(sources, readText));
    }
    case 'ready': {
      const { runReady } = await import('./cli/ready/index.ts');
      return finish(await runReady(sources));
    }
    case 'place-order': {
      const { runPlaceOrder } = await import('./cli/place-order/index.ts');
      return print(await runPlaceOrder(sources, readText));
    }
    case 'sign-order': {
      const { runSignOrder } = await import('./cli/place-order/index.ts');
      return print(await runSignOrder(sources, readText));
    }
    case 'mcp': {
      const { runMcp } = await import('./cli/mcp/index.ts');
      return runMcp(sources, { readText, modeOf, version, fail, print });
    }
    default: {
      const { runTool } = await import('./cli/tools/index.ts');
      return finish(await runTool(command.name, toolRun));
    }
  }
}

run(process.argv.slice(2)).catch(fail);
