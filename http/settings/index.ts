/**
 * Every setting of the exchange, as one record, and its defaults.
 */
export { DEFAULT_SETTINGS } from './defaults.ts';
export type {
  RedemptionMode,
  Settings,
} from './settings.ts';
