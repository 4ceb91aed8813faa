/**
 * Requests and answers of moves between cash and outcome tokens: split cash into complete sets,
 * merge sets into cash, redeem the tokens of a resolved market, convert NO tokens of a neg-risk
 * event. The routes of account holders and those of the operator share these schemas.
 *
 * Invariant: each request has an idempotency key. A repeated key gets the first answer again.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
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
import { Text, TrueFalse } from '../parameters/index.ts';
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
  'Idempotency key, 1 to 128 printable characters: requests with one key are done only once',
);
const Cash = Text('Collateral that the account received; negative if it paid');
const COMMON = {
  account: Type.String(),
  key: Type.String(),
  duplicate: TrueFalse('Whether the request was done before and was not repeated'),
} as const;

/** A parsed request: the engine command, and how its events become the answer. */
interface Move {
  readonly command: Split | Merge | Redeem | Convert;
  readonly answerOf: (events: readonly EngineEvent[]) => object;
}

/** A kind of move: the fields of its request, and how the request becomes a command. */
export interface MoveKind<Request extends TProperties = TProperties> {
  /** The end of its path. */
  readonly name: Move['command']['kind'];
  readonly request: Request;
  readonly response: TSchema;
  /**
   * Throws `market_unknown`, `amount_off_grid` and `amount_out_of_bounds`. The engine checks the
   * event and the markets of a conversion.
   */
  read(request: Static<TObject<Request>>, actor: Actor, registry: Registry): Move;
}

/** The condition id that a text names. Throws `market_unknown`. */
export function conditionIn(registry: Registry, text: string): string {
  const market = registry.market(text.toLowerCase());
  if (market !== undefined) return market.conditionId;
  throw new ApiError('market_unknown', { field: 'market', actual: echo(text) });
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
  throw new Error(`the engine accepted move ${key} but made no event for it`);
}

function signedText(amount: Micros): string {
  return amount < 0 ? `-${microsText(micros(-amount))}` : microsText(amount);
}

/** The request of a split or merge. */
export const SETS = { market: Market, amount: Amount, key: Key } as const;
export const SetsAnswer = Type.Object({ ...COMMON, market: Market, amount: Amount, cash: Cash });

function setsKind(kind: 'split' | 'merge'): MoveKind<typeof SETS> {
  return {
    name: kind,
    request: SETS,
    response: SetsAnswer,
    read: ({ market, amount, key }, actor, registry) => {
      const conditionId = conditionIn(registry, market);
      const size = tokensIn('amount', amount);
      return {
        command: { kind, ...actor, conditionId, lots: size, key },
        answerOf: (events): Static<typeof SetsAnswer> => {
          const { amountMicros, duplicate } = movedIn(events, key);
          const amounts = { amount: lotsText(size), cash: signedText(amountMicros) };
          return { account: actor.account, market: conditionId, ...amounts, key, duplicate };
        },
      };
    },
  };
}

export const SPLIT = setsKind('split');
export const MERGE = setsKind('merge');

/** The request of a redemption, which takes all the account's tokens of a market. */
const REDEMPTION = { market: Market, key: Key } as const;
export const RedemptionAnswer = Type.Object({
  ...COMMON,
  market: Market,
  yes: Text('Tokens of outcome 0 that were redeemed'),
  no: Text('Tokens of outcome 1 that were redeemed'),
  cash: Cash,
});

export const REDEEM: MoveKind<typeof REDEMPTION> = {
  name: 'redeem',
  request: REDEMPTION,
  response: RedemptionAnswer,
  read: ({ market, key }, actor, registry) => {
    const conditionId = conditionIn(registry, market);
    return {
      command: { kind: 'redeem', ...actor, conditionId, key },
      answerOf: (events): Static<typeof RedemptionAnswer> => {
        const { amountMicros, yesLots, noLots, duplicate } = movedIn(events, key);
        const sizes = { yes: lotsText(yesLots), no: lotsText(noLots) };
        const cash = signedText(amountMicros);
        return { account: actor.account, market: conditionId, ...sizes, cash, key, duplicate };
      },
    };
  },
};

const CONVERSION = {
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

export const CONVERT: MoveKind<typeof CONVERSION> = {
  name: 'convert',
  request: CONVERSION,
  response: ConversionAnswer,
  read: ({ event_id, amount, key, ...request }, actor) => {
    const markets = request.markets.map((market) => market.toLowerCase());
    const size = tokensIn('amount', amount);
    return {
      command: {
        kind: 'convert',
        ...actor,
        eventId: event_id,
        conditionIds: markets,
        lots: size,
        key,
      },
      answerOf: (events): Static<typeof ConversionAnswer> => {
        const { amountMicros, duplicate } = movedIn(events, key);
        const amounts = { amount: lotsText(size), cash: signedText(amountMicros) };
        return { account: actor.account, event_id, markets, ...amounts, key, duplicate };
      },
    };
  },
};
