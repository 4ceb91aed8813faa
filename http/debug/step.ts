/**
 * The steps of an explanation: the checks of POST /order, in its order.
 */
import { Type } from 'typebox';
import type { Dialect } from '../codec/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { ApiError, errorBody } from '../errors/index.ts';
import { OptionalText, OrNull } from '../parameters/index.ts';

/** Checks before the engine. */
const EARLY_STEPS = [
  'shape',
  'owner',
  'token',
  'struct',
  'signature',
  'maker',
  'domains',
  'grid',
] as const;

/** Checks of the engine, for orders with a valid signature and amounts on the grid. */
export const PLACING_STEPS = [
  'exchange',
  'known',
  'account',
  'trading',
  'terms',
  'price',
  'size',
  'live_orders',
  'balance',
  'book',
] as const;

export type PlacingStep = (typeof PLACING_STEPS)[number];
type StepName = (typeof EARLY_STEPS)[number] | PlacingStep;

/** What a step shows besides its outcome; amounts are decimal texts. */
export type StepFacts = Readonly<Record<string, unknown>>;

export interface Step {
  readonly step: StepName;
  /** null if the order was refused earlier. */
  readonly ok: boolean | null;
  readonly facts: StepFacts;
  readonly refusal?: ApiError | undefined;
}

export function stepOf(step: StepName, facts: StepFacts, refusal?: ApiError | undefined): Step {
  return { step, ok: refusal === undefined, facts, refusal };
}

export function checkStep(step: StepName, facts: StepFacts, check: () => void): Step {
  const refusal = attempt(check);
  return stepOf(step, facts, refusal instanceof ApiError ? refusal : undefined);
}

/** What a check returns, or its refusal. */
export function attempt<Value>(check: () => Value): Value | ApiError {
  try {
    return check();
  } catch (failure) {
    if (failure instanceof ApiError) return failure;
    throw failure;
  }
}

/** The step of each engine refusal; all others belong to the step `exchange`. */
const STEP_OF_CODE: Partial<Readonly<Record<ErrorCode, PlacingStep>>> = {
  order_id_malformed: 'known',
  order_id_unchecked: 'known',
  order_id_reused: 'known',
  account_unknown: 'account',
  account_not_yours: 'account',
  address_malformed: 'account',
  too_many_accounts: 'account',
  deposits_exhausted: 'account',
  owner_banned: 'account',
  owner_closed_only: 'account',
  exchange_paused: 'trading',
  market_paused: 'trading',
  market_closed: 'trading',
  post_only_needs_resting_order: 'terms',
  expiration_not_allowed: 'terms',
  expiration_required: 'terms',
  expiration_too_soon: 'terms',
  price_out_of_bounds: 'price',
  price_off_tick: 'price',
  amount_out_of_bounds: 'size',
  budget_below_minimum: 'size',
  size_out_of_bounds: 'size',
  size_below_minimum: 'size',
  too_many_live_orders: 'live_orders',
  not_enough_cash: 'balance',
  not_enough_tokens: 'balance',
  post_only_would_cross: 'book',
  fill_or_kill_unfilled: 'book',
  nothing_to_match: 'book',
  too_many_fills: 'book',
  too_many_delayed_orders: 'book',
};

/** The step at which the engine refused an order. */
export function placingStepOf({ code }: ApiError): PlacingStep {
  return STEP_OF_CODE[code] ?? 'exchange';
}

export const StepBody = Type.Object(
  {
    step: Type.Enum([...EARLY_STEPS, ...PLACING_STEPS]),
    ok: OrNull(Type.Boolean(), 'null if the order was refused at an earlier step'),
    error: OptionalText('Why it is not ok'),
    code: Type.Optional(Type.String()),
  },
  {
    additionalProperties: Type.Unknown({ description: 'Facts of the step, details of its error' }),
  },
);

/** The JSON of a step: its facts and, if it failed, its error. */
export function bodyOf({ step, ok, facts, refusal }: Step, dialect: Dialect) {
  return {
    step,
    ok,
    ...facts,
    ...(refusal === undefined ? {} : errorBody(refusal, dialect)),
  };
}
