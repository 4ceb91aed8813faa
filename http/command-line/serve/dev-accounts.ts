/** Opens the accounts that a developer's exchange starts with (`../options/dev-keys.ts`). */
import { issueCredentials } from '../../auth/index.ts';
import type { Services } from '../../services/index.ts';
import { toChecksumAddress, type Wallet, walletOf } from '../../signing/index.ts';
import { DEV_KEYS } from '../options/index.ts';

/** The first `count` dev accounts. */
export function devWallets(count: number): Wallet[] {
  return DEV_KEYS.slice(0, count).map(walletOf);
}

/** What a developer needs to trade as an account. */
export interface DevAccount {
  /** With its EIP-55 checksum. */
  readonly address: string;
  readonly privateKey: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** Of the oldest key that is good, or of the one to come: a revoked key must not stop the start. */
function nonceOf({ registry }: Services, owner: string): string {
  const keys = [...registry.keysOf(owner, 'trading')];
  const good = keys.find(({ revokedMs }) => revokedMs === undefined);
  return good?.nonce ?? registry.nextNonce(owner, 'trading');
}

/**
 * Opens the first `count` dev accounts, with play money under paper funding, and issues their API
 * credentials, as `POST /auth/api-key` would. What an earlier start did is not done again.
 */
export function openDevAccounts(services: Services, count: number): Promise<DevAccount[]> {
  return Promise.all(
    devWallets(count).map(async ({ address, privateKey }) => {
      const credentials = await issueCredentials(services, address, nonceOf(services, address));
      return { address: toChecksumAddress(address), privateKey, ...credentials };
    }),
  );
}
