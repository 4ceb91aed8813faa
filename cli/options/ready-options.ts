/** The options of `ready`. */
import { ORDER_OPTIONS } from './order-options.ts';
import { COMMON_OPTIONS } from './serve-options.ts';

export const READY_OPTIONS = { url: ORDER_OPTIONS.url, ...COMMON_OPTIONS };
