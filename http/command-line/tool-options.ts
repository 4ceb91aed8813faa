/** The options of the commands that work on a data folder: `verify` and those beside it. */
import type { OptionTable, ValuesOf } from './option-table.ts';
import { COMMON_OPTIONS, SERVE_OPTIONS } from './serve-options.ts';

export const TOOL_OPTIONS = {
  dataDir: SERVE_OPTIONS.dataDir,
  json: SERVE_OPTIONS.json,
  ...COMMON_OPTIONS,
} as const satisfies OptionTable;

export type ToolValues = ValuesOf<typeof TOOL_OPTIONS>;
