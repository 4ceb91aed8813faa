/**
 * The sandbox's faucet: play money, or complete sets of outcome tokens, for any account. An account
 * that does not exist yet is opened for its owner.
 *
 * Invariant: it gives by journaled deposits, each once for its key, so the audit adds up. A refused
 * request changes nothing. Bounds: FAUCET_BOUNDS.
 */
export * from './invitations.ts';
export { postFaucet } from './post-faucet.ts';
