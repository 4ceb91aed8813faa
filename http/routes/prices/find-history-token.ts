/** The token whose prices a history's `market` means (wire 6.4). */
import { canonicalTokenId } from '../../parameters/index.ts';
import type { Registry } from '../../views/index.ts';

/**
 * A token id is itself, a condition id its market's first token; undefined where nothing is known
 * of it. Throws `invalid_parameter` for what is neither.
 */
export function historyToken(
  registry: Registry,
  market: string,
  field: string,
): string | undefined {
  const ofCondition = registry.market(market.toLowerCase());
  if (ofCondition !== undefined) return ofCondition.tokenIds[0];
  const tokenId = canonicalTokenId(market, field);
  return registry.token(tokenId) && tokenId;
}
