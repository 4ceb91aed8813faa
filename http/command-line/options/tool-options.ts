/** The options of the commands that work on a data folder. */
import { flagTable, optional, type ValuesOf } from '../parser/index.ts';
import { BASE_URL, COMMON_OPTIONS, SERVE_OPTIONS } from './serve-options.ts';

export const TOOL_OPTIONS = {
  dataDir: SERVE_OPTIONS.dataDir,
  json: SERVE_OPTIONS.json,
  ...COMMON_OPTIONS,
};

export const SYNC_OPTIONS = {
  ...flagTable({
    from: optional(BASE_URL, 'The catalog to copy', {
      variable: 'SYNC_FROM',
      fallbackText: 'none; required',
    }),
  }),
  ...TOOL_OPTIONS,
};

export type ToolValues = ValuesOf<typeof TOOL_OPTIONS> & Partial<ValuesOf<typeof SYNC_OPTIONS>>;
