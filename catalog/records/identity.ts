/**
 * Identities of records that come without one: hashes of plain texts, so that the same slug has the
 * same condition and token ids on every machine for ever. An event's slug may change in a later
 * import, so its identity is derived from its id.
 *
 *   condition id      0x + sha256("outcome-exchange/condition/<market slug>")
 *   question id       0x + sha256("outcome-exchange/question/<market slug>")
 *   neg-risk event id 0x + sha256("outcome-exchange/neg-risk-event/<event id>")
 *   token id          sha256("<condition id>/<outcome index>") as a decimal integer
 *   numeric id        500,000,000 + sha256("outcome-exchange/<kind>-id/<slug>") modulo 500,000,000,
 *                     above the ids of public catalogs; the next free one if that is taken
 */

import { hash } from 'node:crypto';
import { CATALOG_BOUNDS } from '../model/index.ts';

type IdentityKind = 'condition' | 'question' | 'neg-risk-event';

function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** `0x` and 64 lower-case hex digits. */
export function deriveHexIdentity(kind: IdentityKind, name: string): string {
  return `0x${sha256Hex(`outcome-exchange/${kind}/${name}`)}`;
}

/** Both token ids of a market, decimal uint256, in the order of its outcomes. */
export function deriveTokenIds(conditionId: string): [string, string] {
  return [deriveTokenId(conditionId, 0), deriveTokenId(conditionId, 1)];
}

function deriveTokenId(conditionId: string, outcomeIndex: 0 | 1): string {
  return BigInt(`0x${sha256Hex(`${conditionId}/${outcomeIndex}`)}`).toString();
}

export type NumericIdKind = 'event' | 'market' | 'tag' | 'series' | 'creator';

const FIRST_DERIVED_ID = 500_000_000;
const DERIVED_IDS = CATALOG_BOUNDS.importedId - FIRST_DERIVED_ID + 1;

/** The first free id from the derived one on. */
export function deriveNumericId(
  kind: NumericIdKind,
  slug: string,
  isTaken: (id: number) => boolean,
): number {
  const digest = BigInt(`0x${sha256Hex(`outcome-exchange/${kind}-id/${slug}`)}`);
  let place = Number(digest % BigInt(DERIVED_IDS));
  while (isTaken(FIRST_DERIVED_ID + place)) place = (place + 1) % DERIVED_IDS;
  return FIRST_DERIVED_ID + place;
}
