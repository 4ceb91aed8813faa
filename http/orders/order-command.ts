/**
 * Makes the command of an order whose signature is checked. Invariant: the command and the evidence
 * (order-evidence.ts) are what was signed, with amounts on the grid of the market's present terms.
 */
import type { PlaceOrder } from '../../engine/index.ts';
import { type OrderType, SECOND_MS } from '../../engine/model/index.ts';
import type { Caller } from '../api/index.ts';
import { openingFor } from '../auth/issue.ts';
import { ApiError, type ErrorCode, echo } from '../errors/index.ts';
import { builderCodeIn } from '../parameters/index.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import type { Settings } from '../settings/settings.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
import { SEARCH_MS, SEARCHES } from '../signing/search-budget.ts';
import type { OrderVerificationCode, RefusedOrder } from '../signing/verify-order.ts';
import type { Registry, TokenEntry } from '../views/index.ts';
import { measure } from './measure.ts';
import { type Submission, ZERO_WORD } from './submission.ts';
import type { VerifiedId } from './verifier-protocol.ts';

/**
 * The error of a refused signature, with what is needed to find the cause: the recovered and the
 * expected address, and the domains that were tried (wire 3.2).
 */
const CODES = {
  order_version_mismatch: 'order_version_mismatch',
  malformed_order: 'invalid_order_payload',
  malformed_signature: 'malformed_signature',
  signer_mismatch: 'signer_mismatch',
  maker_mismatch: 'maker_mismatch',
  wallet_not_yours: 'wallet_not_yours',
  search_limited: 'too_many_requests',
  signature_mismatch: 'signature_mismatch',
  wrong_exchange: 'wrong_exchange',
} as const satisfies Record<OrderVerificationCode, ErrorCode>;

/** The signature may be good: the error says when to send the same order again. */
function limitedError({ field, recovered }: RefusedOrder, waitMs: number): ApiError {
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  return new ApiError(
    'too_many_requests',
    {
      field: `order.${field}`,
      limit: SEARCHES,
      windowSeconds: (SEARCHES * SEARCH_MS) / SECOND_MS,
      scope: 'orders of an owner whose signatures must be tried under every domain',
      row: 'domain-searches',
      retryAfterSeconds,
      recovered,
    },
    [['retry-after', String(retryAfterSeconds)]],
  );
}

export function signatureError(refused: RefusedOrder): ApiError {
  const { code, field, actual, expected, recovered, waitMs } = refused;
  if (waitMs !== undefined) return limitedError(refused, waitMs);
  return new ApiError(CODES[code], {
    field: `order.${field}`,
    limit: expected,
    actual: echo(actual),
    ...(recovered.length === 0 ? {} : { recovered }),
  });
}

/** An order whose shape, key and token are checked. */
export interface Draft {
  readonly caller: Caller;
  readonly submission: Submission;
  readonly token: TokenEntry;
}

/** A draft whose signature is checked too. */
export interface VerifiedDraft extends Draft {
  readonly verdict: VerifiedId;
}

/** Throws `owner_mismatch` unless the order names the API key that sends it. */
export function checkOrderKey({ owner }: Submission, apiKey: string): void {
  if (owner === apiKey) return;
  throw new ApiError('owner_mismatch', { field: 'owner', limit: apiKey, actual: echo(owner) });
}

/** Throws `token_unknown` for no token, and `condition_mismatch` for that of another market. */
export function checkOrderToken(
  { order, conditionId }: Submission,
  token: TokenEntry | undefined,
): asserts token is TokenEntry {
  if (token === undefined) {
    throw new ApiError('token_unknown', { field: 'order.tokenId', actual: order.tokenId });
  }
  const limit = token.market.conditionId;
  if (conditionId === '' || conditionId === limit) return;
  const details = { field: 'order.conditionId', limit, actual: echo(conditionId) };
  throw new ApiError('condition_mismatch', details);
}

interface Sources {
  readonly registry: Pick<Registry, 'token' | 'accountOwner'>;
  readonly settings: Settings;
}

/** Throws `ApiError` if the amounts are off the grid. */
export function orderCommand(
  { caller, submission, verdict, token }: VerifiedDraft,
  { registry, settings }: Sources,
): PlaceOrder {
  const { order, type, postOnly, expiresAtMs } = submission;
  // The market's terms may have changed since the request arrived.
  const { market } = registry.token(order.tokenId) ?? token;
  // The engine needs no terms of an account that is open, and such an order can be packed.
  const isOpen = registry.accountOwner(order.maker) !== undefined;
  return {
    kind: 'place_order',
    orderId: verdict.orderId,
    account: order.maker,
    owner: caller.owner,
    tokenId: order.tokenId,
    side: order.side === 0 ? 'BUY' : 'SELL',
    type,
    postOnly,
    ...measure(order, type, market.tickTicks, settings.profile),
    expiresAtMs,
    ...endRules(type, settings.profile),
    idCheckedSeq: verdict.lookup.checkedSeq,
    ...(isOpen ? undefined : openingFor(order, caller.owner, settings)),
    apiKey: caller.apiKey,
    ...builderIn(order, caller),
  };
}

/** The profile's rules of the end of an order. Only a GTD order has an end. */
function endRules(
  type: OrderType,
  { gtdLeadSeconds, gtdEarlyEndSeconds }: VenueProfile,
): Pick<PlaceOrder, 'minimumLeadMs' | 'earlyEndMs'> {
  const [lead, early] = type === 'GTD' ? [gtdLeadSeconds, gtdEarlyEndSeconds] : [0, 0];
  return { minimumLeadMs: lead * SECOND_MS, earlyEndMs: early * SECOND_MS };
}

/**
 * The builder that the signed order names (`builder`), or else the one whose builder headers came
 * with the request (`broughtBy`). The verifier has checked that a named one is 32 bytes of hex.
 */
function builderIn(
  order: SignedOrder,
  { builder: sender }: Caller,
): Pick<PlaceOrder, 'builder' | 'broughtBy'> {
  const builder = order.struct === 'order11' ? order.builder.toLowerCase() : ZERO_WORD;
  if (builder !== ZERO_WORD) return { builder };
  return sender === undefined ? {} : { broughtBy: builderCodeIn('builder', sender) };
}
