/**
 * Whom a request says that it comes from, before that is proved: good for what must be quick and
 * gives no more than being looked at.
 */

import type { Asking } from '../admission/index.ts';
import type { Incoming } from '../server/index.ts';
import type { Services } from '../services/index.ts';

/** The owner of the API key it names; of a wallet, its address; '' where it names nobody known. */
export function claimOf(
  { address, route, headers: { values } }: Pick<Incoming, 'address' | 'route' | 'headers'>,
  { registry }: Pick<Services, 'registry'>,
): Asking {
  const owner =
    route?.auth === 'l1'
      ? values.ADDRESS.toLowerCase()
      : (registry.apiKey(values.API_KEY)?.owner ?? '');
  return { address, owner };
}
