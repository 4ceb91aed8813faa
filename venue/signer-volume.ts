/** What the tiers of signers follow from: the volume of all accounts of an owner in 30 days. */
import { DAY_MS } from '../engine/model/index.ts';
import type { Services } from '../http/services/index.ts';

const DAYS = 30;

/** The `volume_usdc` of GET /v2/user-volume, for the UTC day of now and those before it. */
export async function signerVolume(
  { exchange, registry, clock }: Services,
  owner: string,
): Promise<number> {
  const last = Math.floor(clock.shownMs() / DAY_MS);
  let volume = 0;
  for (const { address: user } of registry.accountsOf(owner)) {
    const question = { user, first: last - DAYS + 1, last };
    const { json } = await exchange.analytics.ask('accountVolume', question);
    const figures: { readonly volume_usdc: number } = JSON.parse(Buffer.from(json).toString());
    volume += figures.volume_usdc;
  }
  return volume;
}
