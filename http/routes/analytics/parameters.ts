/**
 * Query parameters that the reads of analytics share (wire 8.7): an account, markets, thresholds,
 * pages.
 *
 * Invariant: a value out of bounds is refused with its field, the limit and the value. An empty
 * list of markets means all markets. Bound: READ_BOUNDS.analyticsMarkets markets, analyticsEvents
 * events.
 */

import { type Static, Type } from 'typebox';
import { MICROS_PER_UNIT } from '../../../engine/model/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { hashIn, Text } from '../../parameters/index.ts';

export const UserParameter = Text('Address of an account: 0x and 40 hex digits in any case');

export const MarketsParameter = Type.Array(Type.String(), {
  maxItems: READ_BOUNDS.analyticsMarkets,
  description: 'Condition ids, separated by commas',
});

const EventsParameter = Type.Optional(
  Type.Array(Type.Integer({ minimum: 1 }), {
    maxItems: READ_BOUNDS.analyticsEvents,
    description: 'Ids of events, separated by commas, in place of `market`',
  }),
);

export const TitleParameter = Type.Optional(
  Type.String({
    maxLength: READ_BOUNDS.titleCharacters,
    description: 'A part of the title of the market; case and accents are ignored',
  }),
);

export const DirectionParameter = Type.Optional(Type.Enum(['DESC', 'ASC'], { default: 'DESC' }));

/** A page of a list; the bounds are inclusive. */
export function pageParameters(bounds: {
  readonly limit: number;
  readonly defaultLimit: number;
  readonly offset: number;
  readonly leastLimit?: number;
}) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: bounds.leastLimit ?? 0,
        maximum: bounds.limit,
        default: bounds.defaultLimit,
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: bounds.offset, default: 0 })),
  };
}

export const MARKETS = {
  market: Type.Optional(MarketsParameter),
  eventId: EventsParameter,
};

/** Condition ids in lower case, each once; undefined for an empty list. */
export function marketsIn(written: readonly string[] = []): readonly string[] | undefined {
  if (written.length === 0) return undefined;
  return [...new Set(written.map((id) => hashIn(id, 'market')))];
}

/** Markets by condition id, or by event; both undefined for all. Throws `invalid_parameter`. */
export function marketsOf({ market, eventId = [] }: Static<Type.TObject<typeof MARKETS>>) {
  const markets = marketsIn(market);
  if (markets !== undefined && eventId.length > 0) {
    const [field, limit] = ['eventId', 'no eventId where market is given'];
    throw new ApiError('invalid_parameter', { field, limit, actual: eventId.join() });
  }
  return { markets, events: eventId.length === 0 ? undefined : eventId };
}

/** The least whole number of units that is worth at least `amount`; 1 is `unitsInOne` units. */
function leastUnits(amount: number, unitsInOne: number): number {
  const near = Math.floor(amount * unitsInOne);
  if (near >= Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER;
  // The product may be off by one. The quotient is the double nearest to a decimal, like `amount`.
  const least = [near - 1, near, near + 1].find((count) => count / unitsInOne >= amount);
  return Math.max(0, least ?? near + 2);
}

const LOTS_PER_TOKEN = 100;

/** The least number of lots that is at least this many tokens. */
export function leastLots(tokens: number): number {
  return leastUnits(tokens, LOTS_PER_TOKEN);
}

/** The least number of micros that is at least this much cash. */
export function leastMicros(cash: number): number {
  return leastUnits(cash, MICROS_PER_UNIT);
}
