/** The endpoints that show and move the exchange's clock. */

import { type Static, Type } from 'typebox';
import { SECOND_MS } from '../../engine/model/index.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { isoTime } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { Text } from '../../http/parameters/index.ts';
import type { Services } from '../../http/services/index.ts';
import { isoTimeMs } from '../../persistence/shared/index.ts';
import { moveTime, timeNow } from '../time/move-time.ts';
import { defineSandboxRoute } from './services.ts';

const MOST_SECONDS = HTTP_BOUNDS.clockOffsetMs / SECOND_MS;

export const ExchangeTime = Type.Object({
  time: Text("The exchange's time, ISO 8601"),
  time_ms: Type.Integer({ description: "The exchange's time in ms since the epoch" }),
  wall_time: Text('The time of the machine, ISO 8601'),
  offset_ms: Type.Integer({
    description:
      "How far the exchange's time is ahead of the machine's, in ms: 0 until a move; negative if " +
      'it is behind, after a checkpoint was restored',
  }),
});

type Parts = Pick<Services, 'clock' | 'exchange'>;

function timeOf(parts: Parts): Static<typeof ExchangeTime> {
  const [timeMs, { offsetMs }] = [timeNow(parts), parts.clock];
  return {
    time: isoTime(timeMs),
    time_ms: timeMs,
    wall_time: isoTime(parts.clock.shownMs() - offsetMs),
    offset_ms: offsetMs,
  };
}

/** GET /time: the exchange's clock, the machine's, and how far they are apart. */
export const getExchangeTime = defineSandboxRoute({
  method: 'GET',
  path: '/time',
  summary: "The exchange's time, and how far it was moved",
  auth: 'operator',
  sandbox: true,
  response: ExchangeTime,
  needs: ['clock', 'exchange'],
  handler: ({ services }) => timeOf(services),
});

const Body = Type.Object({
  seconds: Type.Optional(
    Type.Number({
      minimum: 1 / SECOND_MS,
      maximum: MOST_SECONDS,
      description: 'How far to move, in seconds with up to 3 decimals',
    }),
  ),
  to: Type.Optional(
    Type.String({ description: 'The moment to move to, ISO 8601 with a time zone' }),
  ),
});
type Body = Static<typeof Body>;

/** Milliseconds since the epoch. */
function momentIn(to: string): number {
  const timeMs = isoTimeMs(to);
  if (timeMs !== undefined) return timeMs;
  const limit = 'a date with a time and a time zone, such as 2027-01-31T12:00:00Z';
  throw new ApiError('invalid_payload', { field: 'to', limit, actual: echo(to) });
}

function secondsIn(seconds: number): number {
  const ms = Math.round(seconds * SECOND_MS);
  if (Math.abs(ms - seconds * SECOND_MS) < 1e-3) return ms;
  const limit = 'a number with up to 3 decimals';
  throw new ApiError('invalid_payload', { field: 'seconds', limit, actual: seconds });
}

/** How far a body moves the time, in ms. Throws `missing_field` or `invalid_payload`. */
function moveIn({ seconds, to }: Body, parts: Parts): number {
  if (seconds === undefined && to === undefined) {
    throw new ApiError('missing_field', { field: 'seconds' });
  }
  if (seconds !== undefined && to !== undefined) {
    throw new ApiError('invalid_payload', { field: 'to', limit: 'absent beside `seconds`' });
  }
  const nowMs = timeNow(parts);
  const byMs = to === undefined ? secondsIn(seconds ?? 0) : momentIn(to) - nowMs;
  const mostMs = HTTP_BOUNDS.clockOffsetMs - parts.clock.offsetMs;
  if (byMs > 0 && byMs <= mostMs) return byMs;
  const field = to === undefined ? 'seconds' : 'to';
  const limit =
    to === undefined
      ? `0.001..${mostMs / SECOND_MS}`
      : `after ${isoTime(nowMs)}, up to ${isoTime(nowMs + mostMs)}`;
  throw new ApiError('invalid_payload', { field, limit, actual: to ?? seconds });
}

/**
 * POST /time: moves the exchange's clock forward. What is due by then has happened and is durable
 * when it is answered: orders expired, delays ended, markets opened that a fault had paused.
 */
export const postTime = defineSandboxRoute({
  method: 'POST',
  path: '/time',
  summary: "Move the exchange's clock forward",
  auth: 'operator',
  sandbox: true,
  body: Body,
  response: Type.Object({
    ...ExchangeTime.properties,
    expired: Type.Integer({ description: 'Orders that expired by the move' }),
    released: Type.Integer({ description: 'Orders whose delay ended by the move' }),
  }),
  needs: ['clock', 'exchange', 'faults'],
  handler: async ({ body, services }) => {
    const moved = await moveTime(services, moveIn(body, services));
    await services.faults.onTimeMoved();
    return { ...timeOf(services), ...moved };
  },
});
