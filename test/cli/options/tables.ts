// The tables of options, in the order of cli/options/options.md.
import { SYNC_OPTIONS } from '../../../catalog/sync/options.ts';
import { READY_OPTIONS } from '../../../cli/options/commands.ts';
import { MCP_OPTIONS } from '../../../cli/options/mcp-options.ts';
import { ORDER_OPTIONS, PRINT_OPTIONS } from '../../../cli/options/order-options.ts';
import { SERVE_OPTIONS } from '../../../cli/options/serve-options.ts';
import {
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  TOOL_OPTIONS,
  VERIFY_OPTIONS,
} from '../../../cli/options/tool-options.ts';
import type { OptionTable } from '../../../cli/parser/option-table.ts';
import { REPLAY_OPTIONS } from '../../../sandbox/replay/replay-options.ts';

export const OPTION_TABLES: readonly OptionTable[] = [
  SERVE_OPTIONS,
  READY_OPTIONS,
  ORDER_OPTIONS,
  PRINT_OPTIONS,
  MCP_OPTIONS,
  REPLAY_OPTIONS,
  VERIFY_OPTIONS,
  TOOL_OPTIONS,
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  SYNC_OPTIONS,
];
