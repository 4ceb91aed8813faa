/** The forms of the texts that commands carry, each anchored at both ends. */

/** Lower case alone, so that an address has one text. */
export const ADDRESS = /^0x[0-9a-f]{40}$/;
/** A uint256 without leading zeros: token ids and nonces. */
export const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
/** API keys and heartbeats, in lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
