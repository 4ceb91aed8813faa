/** The options of the commands that work on a data folder. */

import { testedKind, textKind, wholeKind } from '../parser/kinds.ts';
import { flagTable, option, optional, type ValuesOf } from '../parser/option-table.ts';
import { COMMON_OPTIONS, SERVE_OPTIONS } from './serve-options.ts';

export const TOOL_OPTIONS = {
  dataDir: SERVE_OPTIONS.dataDir,
  json: SERVE_OPTIONS.json,
  ...COMMON_OPTIONS,
};

export const VERIFY_OPTIONS = {
  ...flagTable({
    replica: optional(
      textKind('FOLDER'),
      'Also compare with the data folder of another node of the same cluster, or with a restored ' +
        'backup of it: both must have the same commands and balances as far as both go',
      { fallbackText: 'none' },
    ),
  }),
  ...TOOL_OPTIONS,
};

/** A time in UTC, such as 2026-11-23T12:00:00Z. */
const TIME = testedKind(
  'TIME',
  (text) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,12}Z$/.test(text) && Date.parse(text) >= 0,
  'a time in UTC, such as 2026-11-23T12:00:00Z',
);

export const RESTORE_OPTIONS = {
  ...flagTable({
    toSeq: optional(
      wholeKind(1, Number.MAX_SAFE_INTEGER),
      'Restore the state after this command instead of the last one of the backup',
      { fallbackText: 'the last one' },
    ),
    toTime: optional(TIME, 'Restore the state as of this time', {
      fallbackText: 'the time of the backup',
    }),
  }),
  ...TOOL_OPTIONS,
};

/** A week of backups every six hours. */
const KEPT = 28;
const MOST_KEPT = 1_000;

export const ROTATION_OPTIONS = {
  ...flagTable({
    keep: option(
      wholeKind(1, MOST_KEPT),
      KEPT,
      'How many backups stay in the folder, the new one included',
    ),
  }),
  ...TOOL_OPTIONS,
};

export type ToolValues = ValuesOf<typeof TOOL_OPTIONS> &
  Partial<ValuesOf<typeof VERIFY_OPTIONS>> &
  Partial<ValuesOf<typeof RESTORE_OPTIONS>> &
  Partial<ValuesOf<typeof ROTATION_OPTIONS>>;
