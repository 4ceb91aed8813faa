/**
 * Adds to random streams what random commands seldom have: long times, builders, dismissed
 * notifications, delays and how they end. The events stay consistent.
 */
import type { Command, EngineEvent, OrderAccepted, PlaceOrder } from '../../engine/index.ts';
import { lots, micros } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { orderIdOf } from './store-fixture.ts';

export const BUILDERS = ['b1', 'b2', 'b3'].map((two) => `0x${two.repeat(32)}`);

type Step = Omit<DurableCommand, 'seq'>;

/** Time factor: turns a stream of minutes into one of many hours. */
const SLOWED = 1_000;

export function enrich(durable: readonly DurableCommand[]): DurableCommand[] {
  const steps = dismissSome(addWaiting(delaySome(slow(durable))));
  return steps.map((step, index) => ({ seq: index + 1, ...build(step, index) }));
}

function slow(durable: readonly DurableCommand[]): Step[] {
  const startMs = durable[0]?.timeMs ?? 0;
  return durable.map(({ timeMs, command, events }) => ({
    timeMs: startMs + SLOWED * (timeMs - startMs),
    command,
    events,
  }));
}

/** Every second command, if it is an order without a builder, gets one, which earns nothing. */
function build(step: Step, index: number): Step {
  const { command } = step;
  const builder = BUILDERS[Math.floor(index / 2) % BUILDERS.length] ?? '';
  const isBuilt = command.kind === 'place_order' && !command.builder && index % 2 === 0;
  return isBuilt ? { ...step, command: { ...command, builder } } : step;
}

const ADVANCE: Command = { kind: 'advance_time' };

/**
 * Delays some orders that traded at once. They are released by an `advance_time`, or by the next
 * command.
 */
function delaySome(steps: readonly Step[]): Step[] {
  let carried: readonly EngineEvent[] = [];
  return steps.flatMap((step, index) => {
    const events = [...carried, ...step.events];
    carried = [];
    const placed = events.findIndex(({ kind }) => kind === 'order_accepted') + 1;
    const accepted = events[placed - 1];
    const rest = events.slice(placed);
    const next = steps[index + 1];
    const isTaker = rest.some(({ kind }) => kind === 'fill') && index % 3 > 0;
    const isWhole = next !== undefined && !isContinued(next);
    if (accepted?.kind !== 'order_accepted' || !isTaker || !isWhole) {
      return [{ ...step, events }];
    }
    const [delayed, released] = delayOf(accepted, Math.floor((step.timeMs + next.timeMs) / 2));
    const waiting = { ...step, events: [...events.slice(0, placed), delayed] };
    if (index % 3 === 1) {
      carried = [released, ...rest];
      return [waiting];
    }
    return [waiting, { timeMs: delayed.releaseMs, command: ADVANCE, events: [released, ...rest] }];
  });
}

function delayOf({ kind, ...order }: OrderAccepted, releaseMs: number) {
  return [
    { ...order, kind: 'order_delayed', releaseMs },
    { ...order, kind: 'order_released' },
  ] as const;
}

/** Whether a step continues an order of the step before: nothing comes between them. */
function isContinued(next: Step | undefined): boolean {
  return next?.events[0]?.kind === 'order_continued';
}

/** How a delayed order ends without a trade; `undefined`: it stays delayed. */
const ENDS = ['trading_paused', 'unmatched', 'expired', 'market_closed', undefined] as const;

/** Adds a delayed copy of every eleventh order. Most of the copies end without a trade. */
function addWaiting(steps: readonly Step[]): Step[] {
  let number = 0;
  return steps.flatMap((step, index) => {
    const { command, timeMs, events } = step;
    if (isContinued(steps[index + 1])) return [step];
    const accepted = events.find(({ kind }) => kind === 'order_accepted');
    if (command.kind !== 'place_order' || accepted?.kind !== 'order_accepted') return [step];
    number += 1;
    if (number % 11 !== 0) return [step];
    const orderId = orderIdOf(number);
    return [step, ...waitingOf(timeMs, { ...command, orderId }, { ...accepted, orderId })];
  });
}

function waitingOf(timeMs: number, command: PlaceOrder, accepted: OrderAccepted): Step[] {
  const { orderId, account, conditionId } = accepted;
  const [delayed, released] = delayOf(accepted, timeMs);
  const reason = ENDS[Number.parseInt(orderId.slice(-4), 16) % ENDS.length];
  const waiting: Step = { timeMs, command, events: [accepted, delayed] };
  if (reason === undefined) return [waiting];
  const filled = { filledLots: lots(0), filledMicros: micros(0) };
  const order = { orderId, account, owner: command.owner, conditionId };
  const closed: EngineEvent = { kind: 'order_closed', ...order, reason, ...filled };
  const events = reason === 'unmatched' ? [released, closed] : [closed];
  return [waiting, { timeMs, command: ADVANCE, events }];
}

/** Every seventh step an owner dismisses notifications, its own and those of others. */
function dismissSome(steps: readonly Step[]): Step[] {
  const owners: string[] = [];
  return steps.flatMap((step, index) => {
    const { command, timeMs } = step;
    if (command.kind === 'open_account') owners.push(command.owner);
    const owner = owners[index % Math.max(1, owners.length)];
    if (index % 7 !== 0 || owner === undefined) return [step];
    const ids = [1, 2, 3, 5, 8, 13].map((number) => number * Math.floor(index / 40) + 1);
    const kind = 'notifications_dismissed';
    const dismissal: Step = {
      timeMs,
      command: { kind: 'dismiss_notifications', owner, ids },
      events: [{ kind, owner, ids }],
    };
    return [step, dismissal];
  });
}
