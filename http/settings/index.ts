/**
 * Every setting of the exchange, as one record, and its defaults.
 */
export { DEFAULT_SETTINGS } from './defaults.ts';
export {
  isSandbox,
  type NewOwners,
  type RedemptionMode,
  type Settings,
} from './settings.ts';
