/**
 * Every setting of the exchange, as one record, and its defaults.
 */
export { DEFAULT_SETTINGS } from './defaults.ts';
export type {
  NewOwners,
  RedemptionMode,
  Settings,
} from './settings.ts';
