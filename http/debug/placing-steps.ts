/**
 * The steps of the engine's checks, in its order, each with the facts that it looks at. Intake's
 * preview says which of them the order passes.
 *
 * Invariant: the balance of an account is shown only to a caller who proves an API key of the
 * account's owner, for an order that this owner signed.
 */
import {
  BOUNDS,
  budgetFees,
  cashFor,
  type FeeRates,
  type Lots,
  type Micros,
  maximumFees,
  micros,
  ONE_TICKS,
  type OrderPreview,
  SECOND_MS,
  type TradingState,
} from '../../engine/index.ts';
import type { BalanceView } from '../../persistence/index.ts';
import { epochSeconds, lotsText, microsText, ticksText } from '../codec/index.ts';
import type { ApiError } from '../errors/index.ts';
import type { PlacementPreview } from '../orders/intake.ts';
import type { Measures } from '../orders/measure.ts';
import type { Submission } from '../orders/submission.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import { PROFILES } from '../profiles/profiles.ts';
import type { BuilderEntry, TokenBook, TokenEntry } from '../views/index.ts';
import { measuresInWords } from './grid-step.ts';
import {
  PLACING_STEPS,
  type PlacingStep,
  placingStepOf,
  type Step,
  type StepFacts,
} from './step.ts';

export interface PlacingContext {
  readonly submission: Submission;
  readonly token: TokenEntry | undefined;
  readonly builder: BuilderEntry | undefined;
  readonly book: TokenBook | undefined;
  readonly tradingState: TradingState;
  readonly measures: Measures | undefined;
  /** The balance of the asset that the order spends; undefined if it is hidden. */
  readonly balance: BalanceView | undefined;
  /** Why it is hidden; undefined if it is not. */
  readonly hidden: string | undefined;
  /** The engine's refusal; refusals of earlier steps are in those steps. */
  readonly refusal: ApiError | undefined;
  readonly preview: PlacementPreview;
  readonly nowMs: number;
  readonly profile: VenueProfile;
}

function knownFacts({ preview }: PlacingContext): StepFacts {
  return preview.known === undefined ? {} : { duplicate: true };
}

function accountFacts({ submission, balance, hidden }: PlacingContext): StepFacts {
  return balance === undefined
    ? { hidden }
    : { account: submission.order.maker, isOpen: balance.isOpen };
}

function tradingFacts({ token, tradingState }: PlacingContext): StepFacts {
  return {
    exchange: tradingState,
    ...(token === undefined ? {} : { market: token.market.status }),
  };
}

/** The earliest expiration of a GTD order, in seconds since the epoch. */
function earliest(nowMs: number, { gtdLeadSeconds }: VenueProfile): number {
  return Math.ceil((nowMs + Math.max(gtdLeadSeconds * SECOND_MS, 1)) / SECOND_MS);
}

function termsFacts({ submission, nowMs, profile }: PlacingContext): StepFacts {
  const { type, postOnly, expiresAtMs } = submission;
  const terms = { orderType: type, postOnly, expiration: String(epochSeconds(expiresAtMs)) };
  if (type !== 'GTD') return terms;
  const takes = PROFILES.filter((one) => earliest(nowMs, one) <= epochSeconds(expiresAtMs));
  return {
    ...terms,
    profile: profile.name,
    rule: 'gtdLeadSeconds',
    earliestExpiration: String(earliest(nowMs, profile)),
    stopsAt: String(epochSeconds(expiresAtMs) - profile.gtdEarlyEndSeconds),
    takenUnder: takes.map(({ name }) => name),
  };
}

function priceFacts({ token }: PlacingContext): StepFacts {
  if (token === undefined) return {};
  const { tickTicks } = token.market;
  const ends = [tickTicks, ONE_TICKS - tickTicks] as const;
  return { limit: ends.map((end) => String(end / ONE_TICKS)).join('..') };
}

function sizeFacts({ token, measures }: PlacingContext): StepFacts {
  if (token === undefined || measures === undefined) return {};
  const { minimumBudgetMicros, minimumLots } = token.market;
  const minimum =
    measures.budgetMicros > 0 ? microsText(minimumBudgetMicros) : lotsText(minimumLots);
  return { ...measuresInWords(measures), minimum };
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The cost of a BUY at its limit price, or its budget. */
function costOf({ budgetMicros, lots, priceTicks }: Measures): Micros {
  return budgetMicros > 0 ? budgetMicros : cashFor(lots, priceTicks);
}

/** The fees that a BUY needs cash for besides its cost; 0 for amounts out of bounds. */
function feesOf({ submission, token, builder }: PlacingContext, measures: Measures): Micros {
  const { budgetMicros, lots, priceTicks } = measures;
  const isPrice = priceTicks > 0 && priceTicks < ONE_TICKS;
  if (token === undefined || !isPrice || !isAmount(costOf(measures))) return micros(0);
  const { shareBps = 0, takerRateBps = 0, makerRateBps = 0 } = builder ?? {};
  const rates: FeeRates = { ...token.market, shareBps, takerRateBps, makerRateBps };
  if (budgetMicros > 0) return budgetFees(rates, budgetMicros, priceTicks);
  return maximumFees(rates, { lots, priceTicks, postOnly: submission.postOnly });
}

/** What the account must have when the order arrives: the highest possible cost of the order. */
function requiredFacts(context: PlacingContext): StepFacts {
  const { submission, measures } = context;
  if (measures === undefined) return {};
  if (submission.order.side === 1) {
    return isAmount(measures.lots) ? { required: lotsText(measures.lots) } : {};
  }
  const fees = feesOf(context, measures);
  const required = costOf(measures) + fees;
  if (!isAmount(required)) return {};
  return { required: microsText(micros(required)), feesRequired: microsText(fees) };
}

function balanceFacts(context: PlacingContext): StepFacts {
  const { submission, balance, hidden } = context;
  if (balance === undefined) return { hidden };
  const { available, held } = balance;
  const isSell = submission.order.side === 1;
  // Safe: a SELL spends lots of tokens, a BUY spends micros of cash.
  const text = (amount: number): string =>
    isSell ? lotsText(amount as Lots) : microsText(amount as Micros);
  return {
    asset: isSell ? submission.order.tokenId : 'cash',
    ...requiredFacts(context),
    available: text(available),
    held: text(held),
  };
}

function outcomeFacts(outcome: OrderPreview): StepFacts {
  return {
    delayMs: outcome.delayMs,
    wouldMatch: lotsText(outcome.filledLots),
    forCash: microsText(micros(outcome.filledMicros)),
    fee: microsText(outcome.feeMicros),
    wouldRest: lotsText(outcome.restingLots),
  };
}

function bookFacts({ book, preview }: PlacingContext): StepFacts {
  if (book === undefined) return {};
  const { bidTicks, askTicks } = book;
  return {
    bestBid: bidTicks > 0 ? ticksText(bidTicks) : null,
    bestAsk: askTicks < ONE_TICKS ? ticksText(askTicks) : null,
    ...(preview.outcome === undefined ? {} : outcomeFacts(preview.outcome)),
  };
}

const FACTS: Readonly<Record<PlacingStep, (context: PlacingContext) => StepFacts>> = {
  exchange: () => ({}),
  known: knownFacts,
  account: accountFacts,
  trading: tradingFacts,
  terms: termsFacts,
  price: priceFacts,
  size: sizeFacts,
  live_orders: () => ({ limit: BOUNDS.liveOrdersPerAccount }),
  balance: balanceFacts,
  book: bookFacts,
};

/** The number of steps that the order passes; all of them if it would be accepted. */
function passedCount({ refusal, preview }: PlacingContext): number {
  if (refusal !== undefined) return PLACING_STEPS.indexOf(placingStepOf(refusal));
  // An order that was accepted before gets its answer at the step `known`.
  if (preview.known !== undefined) return PLACING_STEPS.indexOf('known') + 1;
  return preview.outcome === undefined ? 0 : PLACING_STEPS.length;
}

export function explainPlacing(context: PlacingContext): readonly Step[] {
  const passed = passedCount(context);
  return PLACING_STEPS.map((step, index) => {
    const facts = FACTS[step](context);
    if (index < passed) return { step, ok: true, facts };
    const isFault = index === passed && context.refusal !== undefined;
    return isFault
      ? { step, ok: false, facts, refusal: context.refusal }
      : { step, ok: null, facts };
  });
}
