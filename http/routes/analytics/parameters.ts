/**
 * What the queries of analytics share (interface.md "Analytics routes", wire 8.7): an account,
 * markets, thresholds of tokens, parts of lists.
 *
 * Invariant: what is out of its bounds is refused with the field, its limit and the value; an empty
 * list of markets is none. Bound: READ_BOUNDS.analyticsMarkets markets, analyticsEvents events.
 */
import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;
const CONDITION_ID = /^0[xX][0-9a-fA-F]{64}$/;

export const UserParameter = Type.String({
  description: 'Address of an account: 0x and 40 hex digits in any case',
});

export const MarketsParameter = Type.Array(Type.String(), {
  maxItems: READ_BOUNDS.analyticsMarkets,
  description: 'Condition ids, separated by commas',
});

export const EventsParameter = Type.Optional(
  Type.Array(Type.Integer({ minimum: 1 }), {
    maxItems: READ_BOUNDS.analyticsEvents,
    description: 'Ids of events, separated by commas, in place of `market`',
  }),
);

export const TitleParameter = Type.Optional(
  Type.String({
    maxLength: READ_BOUNDS.titleCharacters,
    description: 'A part of the title of the market; case and accents do not count',
  }),
);

export const DirectionParameter = Type.Optional(Type.Enum(['DESC', 'ASC'], { default: 'DESC' }));

/** A part of a list: both ends of each bound count. */
export function partParameters(bounds: {
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

/** An account in lower case; throws `missing_field` or `invalid_parameter`. */
export function userIn(written: string, field = 'user'): string {
  if (ADDRESS.test(written)) return written.toLowerCase();
  if (written === '') throw new ApiError('missing_field', { field });
  const limit = '0x and 40 hex digits';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(written) });
}

/** Condition ids in lower case, each once; undefined where none are named. */
export function marketsIn(written: readonly string[] = []): readonly string[] | undefined {
  if (written.length === 0) return undefined;
  const ids = written.map((id) => {
    if (CONDITION_ID.test(id)) return id.toLowerCase();
    const limit = '0x and 64 hex digits';
    throw new ApiError('invalid_parameter', { field: 'market', limit, actual: echo(id) });
  });
  return [...new Set(ids)];
}

/** The fewest of so many in one that are not below an amount, as numbers are told. */
function leastOf(amount: number, inOne: number): number {
  const near = Math.floor(amount * inOne);
  if (near >= Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER;
  // The product may be off by a little in both directions; the quotient of a whole one is not.
  const least = [near - 1, near, near + 1].find((count) => count / inOne >= amount);
  return Math.max(0, least ?? near + 2);
}

const LOTS_PER_TOKEN = 100;
const MICROS_PER_UNIT = 1_000_000;

/** The fewest lots that are not below a number of tokens. */
export function leastLots(tokens: number): number {
  return leastOf(tokens, LOTS_PER_TOKEN);
}

/** The fewest micros that are not below an amount of cash. */
export function leastMicros(cash: number): number {
  return leastOf(cash, MICROS_PER_UNIT);
}
