/** The options of the command `sync`. */
import { BASE_URL, TOOL_OPTIONS } from '../../cli/options/index.ts';
import { flagTable, optional } from '../../cli/parser/index.ts';

export const SYNC_OPTIONS = {
  ...flagTable({
    from: optional(BASE_URL, 'The catalog to copy', {
      variable: 'SYNC_FROM',
      fallbackText: 'none; required',
    }),
  }),
  ...TOOL_OPTIONS,
};
