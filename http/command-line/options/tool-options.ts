/** The options of the commands that work on a data folder: `verify` and those beside it. */
import { type OptionTable, option, type ValuesOf } from './option-table.ts';
import { COMMON_OPTIONS, SERVE_OPTIONS, SOURCE_KIND } from './serve-options.ts';

export const TOOL_OPTIONS = {
  dataDir: SERVE_OPTIONS.dataDir,
  json: SERVE_OPTIONS.json,
  ...COMMON_OPTIONS,
} as const satisfies OptionTable;

/** Those of `sync`. */
export const SYNC_OPTIONS = {
  from: option<string | undefined>({
    flag: '--from',
    variable: 'SYNC_FROM',
    key: '',
    kind: SOURCE_KIND,
    fallback: undefined,
    fallbackText: 'must be given',
    meaning: 'The catalog to copy: the base of its URLs',
  }),
  ...TOOL_OPTIONS,
} as const satisfies OptionTable;

export type ToolValues = ValuesOf<typeof TOOL_OPTIONS> & Partial<ValuesOf<typeof SYNC_OPTIONS>>;
