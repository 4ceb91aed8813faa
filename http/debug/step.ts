/**
 * What an explanation of an order consists of: one step for each thing that is looked at, in the
 * order in which POST /order looks at it.
 */
import { Type } from 'typebox';
import type { HeaderPrefix } from '../codec/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { type ApiError, errorBody } from '../errors/index.ts';

/** What can be looked at without the engine. */
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

/** What only an order with a good signature and amounts on the grid gets to. */
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

/** What is known of a step besides its outcome; amounts are the wire's decimals. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Step {
  readonly step: StepName;
  /** null where the order did not get that far. */
  readonly ok: boolean | null;
  readonly facts: Facts;
  readonly refusal?: ApiError | undefined;
}

/** A step that was judged. */
export function stepOf(step: StepName, facts: Facts, refusal?: ApiError | undefined): Step {
  return {
    step,
    ok: refusal === undefined,
    facts,
    refusal,
  };
}

/** The step in which the engine's refusals are found; others mean the exchange as a whole. */
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

/** Where an order that got to the engine failed. */
export function placingStepOf({ code }: ApiError): PlacingStep {
  return STEP_OF_CODE[code] ?? 'exchange';
}

export const StepBody = Type.Object(
  {
    step: Type.Enum([...EARLY_STEPS, ...PLACING_STEPS]),
    ok: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'null where the order did not get that far',
    }),
    error: Type.Optional(Type.String({ description: 'Why it is not ok' })),
    code: Type.Optional(Type.String()),
  },
  { additionalProperties: Type.Unknown({ description: 'What was found; details of the failure' }) },
);

/** A step as it is sent: its facts, and of what is wrong all that an error says. */
export function bodyOf({ step, ok, facts, refusal }: Step, prefix: HeaderPrefix) {
  return {
    step,
    ok,
    ...facts,
    ...(refusal === undefined ? {} : errorBody(refusal, prefix)),
  };
}
