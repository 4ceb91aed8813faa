import { BASE_URL } from '../../cli/options/serve-options.ts';
import { TOOL_OPTIONS } from '../../cli/options/tool-options.ts';
import { flagTable, optional } from '../../cli/parser/option-table.ts';

export const SYNC_OPTIONS = {
  ...flagTable({
    from: optional(BASE_URL, 'The catalog to copy', {
      variable: 'SYNC_FROM',
      fallbackText: 'none; required',
    }),
  }),
  ...TOOL_OPTIONS,
};
