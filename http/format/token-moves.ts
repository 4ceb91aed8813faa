/**
 * Moves between cash and outcome tokens: splitting cash into complete sets and merging them back,
 * redeeming what a resolution paid for, converting NO of a neg-risk event (design 5). What is asked
 * for, as a command, and what came of it, as an answer; the same for account holders and the
 * operator.
 *
 * Invariant: each has a key, and with the same key the same answer: what is repeated is answered
 * with what was done then.
 */
import { type Static, Type } from 'typebox';
import {
  BOUNDS,
  type Convert,
  type EngineEvent,
  type Lots,
  lots,
  type Merge,
  type Micros,
  micros,
  type Redeem,
  type Split,
} from '../../engine/model/index.ts';
import { lotsText, microsText } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import type { Registry } from '../views/index.ts';
import { tokensIn } from '../views/index.ts';

/** Who asks, and for which account; an `owner` of '' is the operator, who may act for any. */
export interface Actor {
  readonly account: string;
  readonly owner: string;
}

const Market = Type.String({ description: 'Condition id' });
const Amount = Type.String({ description: 'Tokens, in steps of 0.01' });
const Key = Type.String({
  description: 'Idempotency key, 1 to 128 printable characters: with the same key it is done once',
});
const Cash = Type.String({
  description: 'Collateral that the account got; negative, what it paid',
});
const Done = {
  account: Type.String(),
  key: Type.String(),
  duplicate: Type.Boolean({ description: 'It was done before, and not again' }),
} as const;

/** Of a split or merge. */
export const SETS = { market: Market, amount: Amount, key: Key } as const;
export const SetsAnswer = Type.Object({ ...Done, market: Market, amount: Amount, cash: Cash });

/** Of a redemption: all tokens that the account has of the market. */
export const REDEMPTION = { market: Market, key: Key } as const;
export const RedemptionAnswer = Type.Object({
  ...Done,
  market: Market,
  yes: Type.String({ description: 'Tokens of outcome 0 that were redeemed' }),
  no: Type.String({ description: 'Tokens of outcome 1 that were redeemed' }),
  cash: Cash,
});

/** Of a conversion. */
export const CONVERSION = {
  event_id: Type.String({ maxLength: 128, description: 'Of the catalog' }),
  markets: Type.Array(Type.String({ maxLength: 66, description: 'Condition id' }), {
    minItems: 1,
    maxItems: BOUNDS.marketsPerEvent,
    description: 'Where NO is given away',
  }),
  amount: Type.String({ description: 'Of NO in each of the markets; tokens, in steps of 0.01' }),
  key: Key,
} as const;
export const ConversionAnswer = Type.Object({
  ...Done,
  event_id: Type.String(),
  markets: Type.Array(Market),
  amount: Amount,
  cash: Cash,
});

const SetsBody = Type.Object(SETS);
const RedemptionBody = Type.Object(REDEMPTION);
const ConversionBody = Type.Object(CONVERSION);

/** Throws `market_unknown`. */
function conditionIn(registry: Registry, text: string): string {
  const market = registry.market(text.toLowerCase());
  if (market !== undefined) return market.conditionId;
  throw new ApiError('market_unknown', { field: 'market', actual: echo(text) });
}

/** Throws `market_unknown`, `amount_off_grid` and `amount_out_of_bounds`. */
export function setsCommand<Kind extends 'split' | 'merge'>(
  kind: Kind,
  { market, amount, key }: Static<typeof SetsBody>,
  actor: Actor,
  registry: Registry,
) {
  return {
    kind,
    ...actor,
    conditionId: conditionIn(registry, market),
    lots: tokensIn('amount', amount),
    key,
  };
}

/** Throws `market_unknown`. */
export function redeemCommand(
  { market, key }: Static<typeof RedemptionBody>,
  actor: Actor,
  registry: Registry,
): Redeem {
  return { kind: 'redeem', ...actor, conditionId: conditionIn(registry, market), key };
}

/** Throws `amount_off_grid` and `amount_out_of_bounds`; the engine judges event and markets. */
export function convertCommand(
  { event_id, markets, amount, key }: Static<typeof ConversionBody>,
  actor: Actor,
): Convert {
  return {
    kind: 'convert',
    ...actor,
    eventId: event_id,
    conditionIds: markets.map((market) => market.toLowerCase()),
    lots: tokensIn('amount', amount),
    key,
  };
}

/** What was done, now or when its key was first used. */
interface Moved {
  readonly amountMicros: Micros;
  readonly yesLots: Lots;
  readonly noLots: Lots;
  readonly duplicate: boolean;
}

const NOTHING = { amountMicros: micros(0), yesLots: lots(0), noLots: lots(0) };

function movedIn(events: readonly EngineEvent[], key: string): Moved {
  for (const event of events) {
    if (event.kind === 'known') return { ...NOTHING, ...event, duplicate: true };
    if (!('key' in event) || event.key !== key) continue;
    return { ...NOTHING, ...event, duplicate: false };
  }
  throw new Error('a movement that is not refused was made, or is known');
}

function signedText(amount: Micros): string {
  return amount < 0 ? `-${microsText(-amount as Micros)}` : microsText(amount);
} // a whole number of micros

export function setsAnswer(
  { account, conditionId, lots: size, key }: Split | Merge,
  events: readonly EngineEvent[],
): Static<typeof SetsAnswer> {
  const { amountMicros, duplicate } = movedIn(events, key);
  const [amount, cash] = [lotsText(size), signedText(amountMicros)];
  return { account, market: conditionId, amount, cash, key, duplicate };
}

export function redemptionAnswer(
  { account, conditionId, key }: Redeem,
  events: readonly EngineEvent[],
): Static<typeof RedemptionAnswer> {
  const { amountMicros, yesLots, noLots, duplicate } = movedIn(events, key);
  const [yes, no] = [lotsText(yesLots), lotsText(noLots)];
  return { account, market: conditionId, yes, no, cash: signedText(amountMicros), key, duplicate };
}

export function conversionAnswer(
  { account, eventId, conditionIds, lots: size, key }: Convert,
  events: readonly EngineEvent[],
): Static<typeof ConversionAnswer> {
  const { amountMicros, duplicate } = movedIn(events, key);
  return {
    account,
    event_id: eventId,
    markets: [...conditionIds],
    amount: lotsText(size),
    cash: signedText(amountMicros),
    key,
    duplicate,
  };
}
