/** The forms of the texts that commands carry, each anchored at both ends. */

/** Lower case alone, so that an address has one text. */
export const ADDRESS = /^0x[0-9a-f]{40}$/;
/** Where fees are collected: no account of anybody's (fee-account.ts). */
export const FEE_ACCOUNT = `0x${'0'.repeat(37)}fee`;
/** A builder's code: any word but zero. */
export const BUILDER = /^0x(?!0{64})[0-9a-f]{64}$/;
/** A uint256 without leading zeros: token ids and nonces. */
export const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
/** API keys and heartbeats, in lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
