/**
 * The commands of the program and the options of each, as tables for the parser. options.md shows
 * the same tables; a test compares them.
 */
export { CLUSTER, isEtcdUrl, isMasterSecret, MASTER_SECRET_WORDS } from './cluster-options.ts';
export { COMMANDS } from './commands.ts';
export { DEV_KEYS, devWallets } from './dev-keys.ts';
export { type Inspection, parseInspection } from './inspection.ts';
export { ORDER_OPTIONS, type OrderValues } from './order-options.ts';
export { PROGRAM } from './program-name.ts';
export { READY_OPTIONS } from './ready-options.ts';
export {
  BASE_URL,
  COMMON_OPTIONS,
  DOMAINS_OPTION,
  SERVE_OPTIONS,
  SERVE_SETTINGS,
  type ServeValues,
  SHARE_UNITS,
} from './serve-options.ts';
export {
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  TOOL_OPTIONS,
  type ToolValues,
  VERIFY_OPTIONS,
} from './tool-options.ts';
