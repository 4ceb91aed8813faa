/**
 * Requests and answers of moves between cash and outcome tokens: split cash into complete sets,
 * merge sets into cash, redeem the tokens of a resolved market, convert NO tokens of a neg-risk
 * event. Account holders and the operator use the same.
 *
 * Invariant: each request has an idempotency key. A repeated key gets the first answer again.
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
import { Flag, Text } from '../parameters/index.ts';
import type { Registry } from '../views/index.ts';
import { tokensIn } from '../views/index.ts';

/** The account and its owner. An `owner` of '' is the operator, who may act for any account. */
export interface Actor {
  readonly account: string;
  readonly owner: string;
}

const Market = Text('Condition id');
const Amount = Text('Tokens, in steps of 0.01');
const Key = Text(
  'Idempotency key, 1 to 128 printable characters: a request with the same key is done once',
);
const Cash = Text('Collateral that the account received; negative if it paid');
const COMMON = {
  account: Type.String(),
  key: Type.String(),
  duplicate: Flag('The request was done before, and was not repeated'),
} as const;

/** The request of a split or merge. */
export const SETS = { market: Market, amount: Amount, key: Key } as const;
export const SetsAnswer = Type.Object({ ...COMMON, market: Market, amount: Amount, cash: Cash });

/** The request of a redemption, which takes all the account's tokens of a market. */
export const REDEMPTION = { market: Market, key: Key } as const;
export const RedemptionAnswer = Type.Object({
  ...COMMON,
  market: Market,
  yes: Text('Tokens of outcome 0 that were redeemed'),
  no: Text('Tokens of outcome 1 that were redeemed'),
  cash: Cash,
});

/** The request of a conversion. */
export const CONVERSION = {
  event_id: Type.String({ maxLength: 128, description: 'Event id of the catalog' }),
  markets: Type.Array(Type.String({ maxLength: 66, description: 'Condition id' }), {
    minItems: 1,
    maxItems: BOUNDS.marketsPerEvent,
    description: 'Markets whose NO tokens are converted',
  }),
  amount: Text('NO tokens of each of the markets, in steps of 0.01'),
  key: Key,
} as const;
export const ConversionAnswer = Type.Object({
  ...COMMON,
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

/** Throws `amount_off_grid` and `amount_out_of_bounds`. The engine checks event and markets. */
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

/** The result of the request, or of the first request with its key. */
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
  throw new Error('a move that was not rejected has an event');
}

function signedText(amount: Micros): string {
  return amount < 0 ? `-${microsText(micros(-amount))}` : microsText(amount);
}

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
