// The tables of options, in the order of cli/options/options.md.
import { SYNC_OPTIONS } from '../../../catalog/sync/options.ts';
import {
  ORDER_OPTIONS,
  READY_OPTIONS,
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  SERVE_OPTIONS,
  TOOL_OPTIONS,
  VERIFY_OPTIONS,
} from '../../../cli/options/index.ts';
import type { OptionTable } from '../../../cli/parser/index.ts';
import { REPLAY_OPTIONS } from '../../../sandbox/replay/replay-options.ts';

export const OPTION_TABLES: readonly OptionTable[] = [
  SERVE_OPTIONS,
  READY_OPTIONS,
  ORDER_OPTIONS,
  REPLAY_OPTIONS,
  VERIFY_OPTIONS,
  TOOL_OPTIONS,
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  SYNC_OPTIONS,
];
