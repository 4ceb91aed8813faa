/** Opens the accounts that a developer's exchange starts with (`../options/dev-keys.ts`). */
import { issueCredentials, usableNonce } from '../../auth/index.ts';
import type { Services } from '../../services/index.ts';
import { type Credentials, toChecksumAddress } from '../../signing/index.ts';
import { devWallets } from '../options/index.ts';

/** What a developer needs to trade with an account. */
export interface DevAccount extends Credentials {
  /** The address with its EIP-55 checksum. */
  readonly address: string;
  readonly privateKey: string;
}

/**
 * Opens the first `count` dev accounts, with play money under paper funding, and issues their API
 * credentials, as `POST /auth/api-key` would. A later start finds both and changes nothing.
 */
export function openDevAccounts(services: Services, count: number): Promise<DevAccount[]> {
  return Promise.all(
    devWallets(count).map(async ({ address, privateKey }) => {
      const nonce = usableNonce(services.registry, address);
      const credentials = await issueCredentials(services, address, nonce);
      return { address: toChecksumAddress(address), privateKey, ...credentials };
    }),
  );
}
