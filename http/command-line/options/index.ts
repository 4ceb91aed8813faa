/**
 * The options of every command: one table makes the parser, the help and the documentation.
 */
export { DEV_KEYS } from './dev-keys.ts';
export { type Inspection, parseInspection } from './inspect-words.ts';
export { ORDER_OPTIONS, type OrderValues } from './order-options.ts';
export { UsageError } from './parse-arguments.ts';
export {
  FROM_DEFAULT,
  parseJsonFile,
  parseSettingsFile,
  type ResolvedOptions,
  resolveOptions,
  type Sources,
} from './resolve-options.ts';
export { DOMAINS_OPTION, SERVE_OPTIONS, type ServeValues } from './serve-options.ts';
export type { ToolValues } from './tool-options.ts';
