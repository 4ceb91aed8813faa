/** Whether a resolution pays every account by itself, or each only on request. */
import { OptionalTrueFalse, TrueFalse } from '../../parameters/index.ts';
import type { Settings } from '../../settings/settings.ts';

/** In the body of a resolution. */
export const REDEEM_ALL = {
  redeem_all: OptionalTrueFalse(
    'Whether all accounts are paid without a request; --redemption sets the default',
  ),
} as const;

/** In the answer to a resolution. A repeated resolution starts no payments. */
export const REDEEMS_ALL = {
  redeem_all: TrueFalse(
    'Whether all accounts are paid without a request. The first resolution decides; a duplicate ' +
      'does not change it',
  ),
} as const;

export function redeemAllOf(
  { redeem_all }: { readonly redeem_all?: boolean },
  { redemption }: Pick<Settings, 'redemption'>,
): boolean {
  return redeem_all ?? redemption === 'automatic';
}
