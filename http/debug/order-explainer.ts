/**
 * Explains a submitted order step by step, with the answer that POST /order would give. The answer
 * is intake's own preview; the steps show how it comes about.
 *
 * Invariant: nothing is placed, opened or remembered. Requests that arrive later may change the
 * answer. Without L2 headers the key that `owner` names is assumed to be the sender's, and neither
 * steps nor answer say what the account has.
 */
import type { Exchange } from '../../persistence/index.ts';
import type { Caller } from '../api/index.ts';
import { openingFor } from '../auth/issue.ts';
import { epochSeconds, lotsText, microsText, ticksText } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import type { OrderIntake, PlacementPreview } from '../orders/intake.ts';
import { checkOrderKey, checkOrderToken } from '../orders/order-command.ts';
import type { OrderResult } from '../orders/result.ts';
import { readSubmission, type Submission, ZERO_WORD } from '../orders/submission.ts';
import type { Settings } from '../settings/settings.ts';
import { DomainTable } from '../signing/domain-table.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
import type { BookViews, Registry, TokenEntry } from '../views/index.ts';
import { type Measured, measureStep } from './grid-step.ts';
import { explainPlacing, type PlacingContext } from './placing-steps.ts';
import { explainSignature, type SignatureFindings } from './signature-steps.ts';
import { attempt, checkStep, type Step, type StepFacts, stepOf } from './step.ts';

interface Options {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly books: BookViews;
  readonly settings: Settings;
  readonly intake: OrderIntake;
}

export interface Explanation {
  readonly steps: readonly Step[];
  /** The order's id; null if its signature is not valid. */
  readonly orderHash: string | null;
  /** The refusal that POST /order would answer with. */
  readonly refusal?: ApiError | undefined;
  /** The result that POST /order would answer with, for an order that was accepted before. */
  readonly known?: OrderResult | undefined;
}

const NO_HMAC = new Uint8Array(0);

/** What is known about an order before its signature is checked. */
interface Subject {
  readonly submission: Submission;
  readonly token: TokenEntry | undefined;
  /** The owner of the key that the order names; undefined if that is not a valid trading key. */
  readonly keyAddress: string | undefined;
  /** Who proved an API key; undefined without L2 headers. */
  readonly caller: Caller | undefined;
}

export class OrderExplainer {
  readonly #options: Options;
  readonly #domains: DomainTable;

  constructor(options: Options) {
    this.#options = options;
    this.#domains = new DomainTable(options.settings.domains);
  }

  /** Explains any body. Throws `ApiError` if a part of the exchange is down. */
  async explain(payload: unknown, nowMs: number, caller?: Caller): Promise<Explanation> {
    const submission = attempt(() => readSubmission(payload));
    if (submission instanceof ApiError) {
      return { steps: [stepOf('shape', {}, submission)], orderHash: null, refusal: submission };
    }
    const subject = this.#subjectOf(submission, caller);
    const found = this.#signature(subject);
    const isOwner = found.isProved && caller?.owner === found.claimed;
    const preview = hideBalance(await this.#preview(payload, subject, found), isOwner);
    const owner = ownerStep(subject);
    const measured = this.#measure(subject);
    const before = [
      stepOf('shape', shapeFacts(submission)),
      owner,
      tokenStep(subject),
      ...found.steps,
      ...(measured === undefined ? [] : [withHash(measured.step, preview)]),
    ];
    const hidden = isOwner ? undefined : hiddenBecause(found);
    const context = await this.#placing(subject, {
      claimed: found.claimed,
      hidden,
      preview,
      measured,
      nowMs,
    });
    return {
      steps: [...before, ...explainPlacing(context)],
      orderHash: preview.verdict?.orderId ?? null,
      refusal: owner.refusal ?? preview.refusal,
      known: preview.known,
    };
  }

  #subjectOf(submission: Submission, caller: Caller | undefined): Subject {
    const { registry } = this.#options;
    const key = registry.apiKey(submission.owner);
    const isGood = key?.purpose === 'trading' && key.revokedMs === undefined;
    return {
      submission,
      token: registry.token(submission.order.tokenId),
      keyAddress: isGood ? key.owner : undefined,
      caller,
    };
  }

  #signature({ submission, token, keyAddress }: Subject): SignatureFindings {
    const { order } = submission;
    return explainSignature(order, {
      domains: this.#domains,
      wallets: this.#options.settings.wallets,
      negRisk: token?.market.negRisk,
      keyAddress,
      makerOwner: this.#options.registry.accountOwner(order.maker),
    });
  }

  /** What intake would answer to the caller, the owner of the named key, or else the signer. */
  #preview(
    payload: unknown,
    subject: Subject,
    { claimed }: SignatureFindings,
  ): Promise<PlacementPreview> {
    const { owner: apiKey } = subject.submission;
    if (subject.caller !== undefined) return this.#options.intake.preview(subject.caller, payload);
    const assumed = {
      owner: claimed,
      apiKey,
      purpose: 'trading',
      nonce: '',
      hmac: NO_HMAC,
    } as const;
    return this.#options.intake.preview(assumed, payload);
  }

  #measure({ submission, token }: Subject): Measured | undefined {
    return token && measureStep(submission, token.market, this.#options.settings.profile);
  }

  async #placing(
    { submission, token }: Subject,
    {
      claimed,
      hidden,
      preview,
      measured,
      nowMs,
    }: Pick<PlacingContext, 'hidden' | 'preview' | 'nowMs'> & {
      readonly claimed: string;
      readonly measured: Measured | undefined;
    },
  ): Promise<PlacingContext> {
    const { books, registry, settings } = this.#options;
    const isPlacing = preview.verdict !== undefined && measured?.measures !== undefined;
    return {
      submission,
      token,
      builder: registry.builder(builderOf(submission.order)),
      book: books.token(submission.order.tokenId),
      tradingState: registry.tradingState,
      measures: measured?.measures,
      balance: hidden === undefined ? await this.#balance(submission, claimed) : undefined,
      hidden,
      refusal: isPlacing ? preview.refusal : undefined,
      preview,
      nowMs,
      profile: settings.profile,
    };
  }

  /** The balance of the asset that the order spends; play money for an account that it opens. */
  async #balance({ order }: Submission, owner: string) {
    const { exchange, settings } = this.#options;
    const asset = order.side === 1 ? order.tokenId : '';
    const balance = await exchange.balance(order.maker, asset);
    if (balance.isOpen || asset !== '') return balance;
    const { opens } = openingFor(order, owner, settings);
    return { ...balance, available: opens?.paperMicros ?? 0 };
  }
}

function builderOf(order: SignedOrder): string {
  return order.struct === 'order11' ? order.builder.toLowerCase() : ZERO_WORD;
}

/** Why the balance is not shown to this caller. */
function hiddenBecause({ isProved }: SignatureFindings): string {
  return isProved ? "send L2 headers of the account's owner" : 'signature not proved';
}

/** The preview, unless for the owner without the amounts of a refusal for want of balance. */
function hideBalance(preview: PlacementPreview, isOwner: boolean): PlacementPreview {
  if (isOwner || preview.refusal === undefined) return preview;
  const { available: _, held: __, ...details } = preview.refusal.details;
  return { ...preview, refusal: new ApiError(preview.refusal.code, details) };
}

/** Replaces a step's refusal by intake's with the same code, which also has the order's hash. */
function withHash(step: Step, { refusal }: PlacementPreview): Step {
  return refusal !== undefined && refusal.code === step.refusal?.code ? { ...step, refusal } : step;
}

function shapeFacts({ order, type, postOnly, expiresAtMs }: Submission) {
  return {
    struct: order.struct,
    side: order.side === 0 ? 'BUY' : 'SELL',
    signatureType: order.signatureType,
    orderType: type,
    postOnly,
    expiration: String(epochSeconds(expiresAtMs)),
  };
}

function ownerStep({ submission, keyAddress, caller }: Subject): Step {
  const owner = echo(submission.owner);
  if (caller?.apiKey === submission.owner) return stepOf('owner', { owner });
  const checked = 'it is a trading key; whether it is yours is unknown without L2 headers';
  const isAssumed = caller === undefined && keyAddress !== undefined;
  if (isAssumed) return stepOf('owner', { owner, checked });
  const key = caller?.apiKey ?? 'the API key that sends the order';
  return checkStep('owner', {}, () => checkOrderKey(submission, key));
}

function tokenStep({ submission, token }: Subject): Step {
  return checkStep('token', tokenFacts(submission, token), () =>
    checkOrderToken(submission, token),
  );
}

function tokenFacts({ order: { tokenId } }: Submission, token: TokenEntry | undefined): StepFacts {
  if (token === undefined) return { tokenId };
  const { market, outcome } = token;
  const { conditionId, negRisk, takerFeeBps, makerFeeBps, feeExponent } = market;
  return {
    tokenId,
    outcomeIndex: outcome,
    conditionId,
    negRisk,
    tick: ticksText(market.tickTicks),
    minimumSize: lotsText(market.minimumLots),
    minimumAmount: microsText(market.minimumBudgetMicros),
    ...{ takerFeeBps, makerFeeBps, feeExponent },
  };
}
