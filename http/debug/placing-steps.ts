/**
 * What the engine looks at, in its order (ARCHITECTURE, "Rules of the engine"): which of it the
 * order passes is what intake foresees; here are the facts beside it.
 *
 * Invariant: what is an account's own (its balance, its orders) is told only to who has proved by
 * the order's signature that the account is theirs.
 */
import {
  BOUNDS,
  cashFor,
  type Lots,
  type Micros,
  micros,
  ONE_TICKS,
  type Prospect,
  type TradingState,
} from '../../engine/index.ts';
import type { BalanceView } from '../../persistence/index.ts';
import type { ApiError } from '../errors.ts';
import { lotsText, microsText, ticksText } from '../format/decimal.ts';
import type { Forecast } from '../orders/intake.ts';
import type { Measures } from '../orders/measure.ts';
import type { Submission } from '../orders/submission.ts';
import type { TokenEntry } from '../views/registry.ts';
import type { TokenBook } from '../views/token-book.ts';
import { measuresInWords } from './grid-step.ts';
import { type Facts, PLACING_STEPS, type PlacingStep, placingStepOf, type Step } from './step.ts';

export interface PlacingContext {
  readonly submission: Submission;
  readonly token: TokenEntry | undefined;
  readonly book: TokenBook | undefined;
  /** Of the exchange. */
  readonly tradingState: TradingState;
  /** undefined where the amounts are off the grid. */
  readonly measures: Measures | undefined;
  /** What the account has of what the order spends; undefined where the caller has no proof. */
  readonly balance: BalanceView | undefined;
  /** The refusal of the engine, not of what comes before it. */
  readonly refusal: ApiError | undefined;
  readonly forecast: Forecast;
  readonly nowMs: number;
  readonly minimumLeadSeconds: number;
}

const HIDDEN: Facts = { hidden: 'signature not proved' };

const knownFacts = ({ forecast }: PlacingContext): Facts =>
  forecast.known === undefined ? {} : { duplicate: true };

const accountFacts = ({ submission, balance }: PlacingContext): Facts =>
  balance === undefined ? HIDDEN : { account: submission.order.maker, isOpen: balance.isOpen };

const tradingFacts = ({ token, tradingState }: PlacingContext): Facts => ({
  exchange: tradingState,
  ...(token === undefined ? {} : { market: token.market.status }),
});

const termsFacts = ({ submission, nowMs, minimumLeadSeconds }: PlacingContext): Facts => {
  const { type, postOnly, expirationSeconds } = submission;
  const terms = { orderType: type, postOnly, expiration: String(expirationSeconds) };
  if (type !== 'GTD') return terms;
  const earliest = Math.ceil((nowMs + Math.max(minimumLeadSeconds * 1000, 1)) / 1000);
  return { ...terms, earliestExpiration: String(earliest) };
};

const priceFacts = ({ token }: PlacingContext): Facts => {
  if (token === undefined) return {};
  const { tickTicks } = token.market;
  const ends = [tickTicks, ONE_TICKS - tickTicks] as const;
  return { limit: ends.map((end) => String(end / ONE_TICKS)).join('..') };
};

const sizeFacts = ({ token, measures }: PlacingContext): Facts => {
  if (token === undefined || measures === undefined) return {};
  const { minimumBudgetMicros, minimumLots } = token.market;
  const minimum =
    measures.budgetMicros > 0 ? microsText(minimumBudgetMicros) : lotsText(minimumLots);
  return { ...measuresInWords(measures), minimum };
};

/** The whole worst cost has to be available when an order arrives. */
const requiredBy = ({ budgetMicros, lots, priceTicks }: Measures): Micros =>
  budgetMicros > 0 ? budgetMicros : cashFor(lots, priceTicks);

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const balanceFacts = ({ submission, measures, balance }: PlacingContext): Facts => {
  if (balance === undefined) return HIDDEN;
  const { available, held } = balance;
  const isSell = submission.order.side === 1;
  const text = (amount: number): string =>
    isSell ? lotsText(amount as Lots) : microsText(amount as Micros); // by what it spends
  const required = measures && (isSell ? measures.lots : requiredBy(measures));
  return {
    asset: isSell ? submission.order.tokenId : 'cash',
    ...(required !== undefined && isAmount(required) ? { required: text(required) } : {}),
    available: text(available),
    held: text(held),
  };
};

const prospectFacts = (prospect: Prospect): Facts => ({
  delayMs: prospect.delayMs,
  wouldMatch: lotsText(prospect.filledLots),
  forCash: microsText(micros(prospect.filledMicros)),
  fee: microsText(prospect.feeMicros),
  wouldRest: lotsText(prospect.restingLots),
});

const bookFacts = ({ book, forecast }: PlacingContext): Facts => {
  if (book === undefined) return {};
  const { bidTicks, askTicks } = book;
  return {
    bestBid: bidTicks > 0 ? ticksText(bidTicks) : null,
    bestAsk: askTicks < ONE_TICKS ? ticksText(askTicks) : null,
    ...(forecast.prospect === undefined ? {} : prospectFacts(forecast.prospect)),
  };
};

const FACTS: Readonly<Record<PlacingStep, (context: PlacingContext) => Facts>> = {
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

/** How far the order got: how many of the steps passed; all of them, when it would be accepted. */
const passedCount = ({ refusal, forecast }: PlacingContext): number => {
  if (refusal !== undefined) return PLACING_STEPS.indexOf(placingStepOf(refusal));
  // What was accepted before is answered there and then.
  if (forecast.known !== undefined) return PLACING_STEPS.indexOf('known') + 1;
  return forecast.prospect === undefined ? 0 : PLACING_STEPS.length;
};

export const explainPlacing = (context: PlacingContext): readonly Step[] => {
  const passed = passedCount(context);
  return PLACING_STEPS.map((step, index) => {
    const facts = FACTS[step](context);
    if (index < passed) return { step, ok: true, facts };
    const isFault = index === passed && context.refusal !== undefined;
    return isFault
      ? { step, ok: false, facts, refusal: context.refusal }
      : { step, ok: null, facts };
  });
};
