/**
 * Every setting of the exchange, as one record.
 */
export {
  DEFAULT_SETTINGS,
  type Funding,
  type History1m,
  type LogLevel,
  type PriceSideMeaning,
  type RedemptionMode,
  type Settings,
  type TlsFiles,
} from './settings.ts';
