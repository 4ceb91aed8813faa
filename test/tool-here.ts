/**
 * Runs a tool of a data folder by its command line in this process, which is much faster than a new
 * one. Tests with processes check how `main.ts` prints the result and which exit code it has.
 */
import { readFileSync } from 'node:fs';
import { parseArguments } from '../cli/parser/parse-arguments.ts';
import type { CommandResult, CommandRun } from '../cli/parser/program-command.ts';
import { runTool, type ToolName } from '../cli/tools/index.ts';
import { ALL_COMMANDS } from './all-commands.ts';

/** Throws what the process would print on standard error. */
export async function runToolHere(words: readonly string[]): Promise<CommandResult> {
  const { command, flags, operands } = parseArguments(words, ALL_COMMANDS);
  const run: CommandRun = {
    sources: { flags, environment: {} },
    operands,
    version: '0.0.0',
    readText: (path) => readFileSync(path, 'utf8'),
    tell: () => {},
    progress: { isTerminal: false, write: () => true, nowMs: () => performance.now() },
  };
  if ('load' in command) return (await command.load())(run);
  return runTool(command.name as ToolName, run); // Safe: its callers name tools only.
}
