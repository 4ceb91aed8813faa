/**
 * The accounts that a developer's exchange starts with: the first twenty of the well-known test
 * mnemonic "test test test test test test test test test test test junk" (m/44'/60'/0'/0/i), the
 * same as in every local chain tool.
 *
 * Invariant: these keys are public. Anyone who can reach the exchange can trade with them, so they
 * must never hold real money.
 */
import devKeys from './dev-keys.json' with { type: 'json' };

export const DEV_KEYS: readonly string[] = devKeys;
