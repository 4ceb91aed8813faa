/**
 * A tool of a data folder, run by its words in this process, which costs much less than a process.
 * How `main.ts` prints the result, and with which code it exits, is for tests of processes.
 */
import { COMMANDS } from '../http/command-line/options/index.ts';
import { parseArguments } from '../http/command-line/parser/index.ts';
import { runTool, type ToolName, type ToolResult } from '../http/command-line/tools/index.ts';

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
