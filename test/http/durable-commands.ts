// Durable commands for tests of their subscribers: one market, levels, fills and accounts, as the
// sequencer publishes them.
import {
  type CreateMarket,
  type EngineEvent,
  type Fill,
  type LevelChanged,
  lots,
  micros,
  ticks,
} from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';

export const CONDITION = `0x${'ab'.repeat(32)}`;
export const YES_TOKEN = '5211';
export const NO_TOKEN = '4833';
export const CREATED_MS = 1_780_449_126_930;

/** The command that opens a market; `changes` are the fields that a test needs. */
export function createMarket(changes: Partial<CreateMarket> = {}): CreateMarket {
  return {
    kind: 'create_market',
    conditionId: CONDITION,
    tokenIds: [YES_TOKEN, NO_TOKEN],
    tickTicks: ticks(100),
    minimumLots: lots(500),
    minimumBudgetMicros: micros(1_000_000),
    negRisk: false,
    eventId: '1',
    selfTrade: 'cancel_maker',
    ...changes,
  };
}

/** A journaled create_market with its event. */
export function marketCreated(command: CreateMarket = createMarket(), seq = 1): DurableCommand {
  return {
    seq,
    timeMs: CREATED_MS,
    command,
    events: [{ kind: 'market_created', conditionId: command.conditionId }],
  };
}

/** A journaled command with these events. Views do not depend on which command it was. */
export function happened(seq: number, timeMs: number, events: EngineEvent[]): DurableCommand {
  return {
    seq,
    timeMs,
    command: { kind: 'advance_time' },
    events,
  };
}

export function level(
  side: LevelChanged['side'],
  priceTicks: number,
  size: number,
  conditionId = CONDITION,
): LevelChanged {
  return {
    kind: 'level_changed',
    conditionId,
    side,
    priceTicks: ticks(priceTicks),
    lots: lots(size),
  };
}

/** A fill with the fields that a book shows; `changes` are those that a test needs. */
export function fill(changes: Partial<Fill>): Fill {
  return {
    kind: 'fill',
    conditionId: CONDITION,
    match: 'transfer',
    takerOrderId: `0x${'01'.repeat(32)}`,
    makerOrderId: `0x${'02'.repeat(32)}`,
    takerAccount: `0x${'03'.repeat(20)}`,
    makerAccount: `0x${'04'.repeat(20)}`,
    takerOutcome: 0,
    takerSide: 'BUY',
    makerOutcome: 0,
    makerSide: 'SELL',
    takerPriceTicks: ticks(5_000),
    makerPriceTicks: ticks(5_000),
    lots: lots(100),
    bucket: 0,
    ...changes,
  };
}
