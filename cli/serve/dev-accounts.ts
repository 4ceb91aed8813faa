/** Opens the accounts that a developer's exchange starts with (`../options/dev-keys.ts`). */
import { setTimeout as sleep } from 'node:timers/promises';
import { issueCredentials, usableNonce } from '../../http/auth/index.ts';
import { toApiError } from '../../http/errors/index.ts';
import type { Services } from '../../http/services/index.ts';
import { type Credentials, toChecksumAddress } from '../../http/signing/index.ts';
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

const RETRY_MS = 500;

/**
 * The same, tried again while a gateway has no core. Returns undefined if the exchange stops
 * meanwhile.
 */
export async function openDevAccountsSoon(
  services: Services,
  count: number,
  stopping: { readonly isStopping: boolean },
): Promise<DevAccount[] | undefined> {
  for (;;) {
    try {
      return await openDevAccounts(services, count);
    } catch (error) {
      if (stopping.isStopping) return undefined;
      const isLater = toApiError(error)?.code === 'service_not_ready';
      if (!isLater || services.settings.cluster === undefined) throw error;
      await sleep(RETRY_MS);
    }
  }
}
