/**
 * The effects of a command: its events without `level_changed`, which follow from the others. In
 * the table `effects` they are one JSON list. What other tables and the journal have is stored as a
 * reference, so that most commands take a few bytes or no row at all:
 *
 *   a number              the fill of the command with this ordinal
 *   "accepted"            `order_accepted` of the command's own order
 *   [orderKey, reason]    `order_closed`
 *   an object             any other event, as it is
 *
 * A command whose only effect is that its order was accepted has no row. Invariant: what is read is
 * what was written.
 */
import { strict as assert } from 'node:assert';
import type {
  CloseReason,
  EngineEvent,
  Fill,
  LevelChanged,
  OrderAccepted,
  OrderClosed,
} from '../../engine/index.ts';

export type Effect = Exclude<EngineEvent, LevelChanged>;

type OtherEffect = Exclude<Effect, Fill | OrderAccepted | OrderClosed>;
export type StoredEffect =
  | number
  | 'accepted'
  | readonly [orderKey: number, reason: CloseReason]
  | OtherEffect;

const ACCEPTED: readonly StoredEffect[] = ['accepted'];

/** The text of a command's effects; undefined for a command that needs no row. */
export function writeEffects(
  events: readonly EngineEvent[],
  orderKeyOf: (orderId: string) => number,
): string | undefined {
  const stored: StoredEffect[] = [];
  let fills = 0;
  for (const event of events) {
    if (event.kind === 'level_changed') continue;
    if (event.kind === 'fill') stored.push(fills++);
    else if (event.kind === 'order_accepted') stored.push('accepted');
    else if (event.kind === 'order_closed') stored.push([orderKeyOf(event.orderId), event.reason]);
    else stored.push(event);
  }
  // Most commands are such an order; their text is not even made.
  if (stored.length === 1 && stored[0] === 'accepted') return undefined;
  return JSON.stringify(stored);
}

/** `text`: what `writeEffects` made; undefined for a command without a row. */
export function storedEffects(text: string | undefined): readonly StoredEffect[] {
  // Safe: the projection wrote the text.
  return text === undefined ? ACCEPTED : (JSON.parse(text) as StoredEffect[]);
}

/** What the references of stored effects stand for. */
export interface EffectSources {
  readonly fills: readonly Fill[];
  accepted(): OrderAccepted;
  closed(orderKey: number, reason: CloseReason): OrderClosed;
}

export function readEffects(stored: readonly StoredEffect[], sources: EffectSources): Effect[] {
  return stored.map((effect) => {
    if (effect === 'accepted') return sources.accepted();
    if (typeof effect === 'number') {
      const fill = sources.fills[effect];
      assert(fill !== undefined, 'the journal has each fill of the command');
      return fill;
    }
    return isClose(effect) ? sources.closed(...effect) : effect;
  });
}

function isClose(
  effect: readonly [number, CloseReason] | OtherEffect,
): effect is readonly [number, CloseReason] {
  return Array.isArray(effect);
}
