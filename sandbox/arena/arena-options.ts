/** The options of `arena`. */
import { COMMON_OPTIONS, SERVE_OPTIONS } from '../../cli/options/serve-options.ts';
import { textKind } from '../../cli/parser/kinds.ts';
import { flagTable, option } from '../../cli/parser/option-table.ts';

export const ARENA_OPTIONS = {
  ...flagTable({
    out: option(textKind('FOLDER'), './arena-result', 'New folder for the result'),
  }),
  json: SERVE_OPTIONS.json,
  ...COMMON_OPTIONS,
};
