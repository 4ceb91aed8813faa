/**
 * Runs a tool of a data folder by its command line in this process, which is much faster than a new
 * one. Tests with processes check how `main.ts` prints the result and which exit code it has.
 */
import { COMMANDS } from '../cli/options/index.ts';
import { parseArguments } from '../cli/parser/index.ts';
import { runTool, type ToolName, type ToolResult } from '../cli/tools/index.ts';

/** Throws what the process would print on standard error. */
export async function runToolHere(words: readonly string[]): Promise<ToolResult> {
  const { command, flags, operands } = parseArguments(words, COMMANDS);
  return runTool(command.name as ToolName, {
    sources: { flags, environment: {} },
    operands,
    version: '0.0.0',
    progress: { isTerminal: false, write: () => true, nowMs: () => performance.now() },
  });
} // Safe: its callers name tools only.
