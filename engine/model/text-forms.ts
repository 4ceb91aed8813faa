/** The forms of the texts in commands, each anchored at both ends. */

/** Lower case only, so that an address has one spelling. */
export const ADDRESS = /^0x[0-9a-f]{40}$/;
/** The account that collects fees; its address has no key (see accounts/fee-account.ts). */
export const FEE_ACCOUNT = `0x${'0'.repeat(37)}fee`;
/** Condition ids and order ids. */
export const HASH = /^0x[0-9a-f]{64}$/;
/** A builder code: 32 bytes other than zero. */
export const BUILDER = /^0x(?!0{64})[0-9a-f]{64}$/;
/** A uint256 without leading zeros: token ids and nonces. */
export const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
/** API keys and heartbeat ids, in lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
