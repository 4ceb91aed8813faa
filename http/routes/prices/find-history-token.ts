import { canonicalTokenId } from '../../parameters/index.ts';
import type { Registry } from '../../views/index.ts';

/**
 * The token that the `market` of a history names: by token id, or by condition id, which stands for
 * the market's first token (wire 6.4). Returns undefined for an unknown id, and throws
 * `invalid_parameter` for a malformed one.
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
