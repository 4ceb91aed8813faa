/**
 * The command `serve`: from its options to a running exchange.
 */
export { DEV_KEYS, devWallets } from './dev-accounts.ts';
export { type ReadText, readDomains } from './serve-plan.ts';
