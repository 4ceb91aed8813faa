/**
 * The command `serve`: from its options to a running exchange.
 */
export { devWallets } from './dev-accounts.ts';
export { type ReadText, readDomains } from './serve-plan.ts';
