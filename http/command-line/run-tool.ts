/**
 * The commands that work on a data folder without serving it: each runs to its end and says what
 * came of it. Invariant: none of them changes what is in the folder but `restore`, into an empty
 * one, and `compact`.
 */
import { verifyFolder } from '../../persistence/index.ts';
import { ProgressLine, type ProgressOptions } from './progress.ts';
import type { ToolValues } from './tool-options.ts';
import { verifyText } from './verify-text.ts';

export interface ToolRun {
  readonly values: ToolValues;
  readonly operands: readonly string[];
  /** Of this program. */
  readonly version: string;
  readonly progress: ProgressOptions;
}

export interface ToolResult {
  readonly text: string;
  /** Whether the process ends with 0. */
  readonly ok: boolean;
}

type Tool = (run: ToolRun, line: ProgressLine) => Promise<ToolResult>;

const verify: Tool = async ({ values: { dataDir, json } }, line) => {
  const onProgress = line.show.bind(line);
  const report = await verifyFolder({ dataDir, onProgress });
  return { ok: report.ok, text: json ? JSON.stringify(report) : verifyText(dataDir, report) };
};

const TOOLS = { verify } as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

export const runTool = async (name: ToolName, run: ToolRun): Promise<ToolResult> => {
  const line = new ProgressLine(run.progress);
  try {
    return await TOOLS[name](run, line);
  } finally {
    line.end();
  }
};
