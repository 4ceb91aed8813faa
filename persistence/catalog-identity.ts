// How identities that nobody gave are made: sha256 of a plain text, so that the same slug has
// the same condition and token ids on every machine and for ever. Nothing is random. An event
// may get another slug by a later import, so its own identity comes from its id.
//
//   condition id      0x + sha256("outcome-exchange/condition/<market slug>")
//   question id       0x + sha256("outcome-exchange/question/<market slug>")
//   neg-risk event id 0x + sha256("outcome-exchange/neg-risk-event/<event id>")
//   token id          sha256("<condition id>/<outcome index>") read as a decimal integer

import { createHash } from 'node:crypto';

type IdentityKind = 'condition' | 'question' | 'neg-risk-event';

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
