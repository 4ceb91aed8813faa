/**
 * Acts on markets that faults cause: commands of the operator, journaled with `by: sandbox`.
 *
 * Invariant: an act is a command like any other. If the engine refuses it, the list of hits says
 * so, and the order that caused it goes on.
 * Bound: one pause for each market is remembered until it ends.
 */
import type { Command } from '../../engine/index.ts';
import { rejectIn, toApiError } from '../../http/errors/index.ts';
import type { Logger } from '../../http/runtime/log.ts';
import type { Exchange } from '../../persistence/index.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultRegistry } from '../faults/registry.ts';

export type Submit = Exchange['submit'];

export interface MarketActsOptions {
  readonly submit: Submit;
  readonly faults: FaultRegistry;
  readonly log: Pick<Logger, 'warn'>;
}

export interface ActOutcome {
  readonly isDone: boolean;
  /** Whether the market was otherwise before. */
  readonly hasChanged: boolean;
  /** What was done, or why it was refused. */
  readonly text: string;
}

function refusedBy(code: string): ActOutcome {
  return { isDone: false, hasChanged: false, text: `the exchange refused it: ${code}` };
}

/** A pause that ends by itself. */
interface Pause {
  readonly fault: Fault;
  readonly untilMs: number;
}

/** How often the end of pauses is looked for: the clock may run unlike a timer. */
const LOOK_MS = 1_000;

export class MarketActs {
  readonly #options: MarketActsOptions;
  /** By condition id. */
  readonly #pauses = new Map<string, Pause>();
  #timer: NodeJS.Timeout | undefined;
  /** One function, so that a fault that pauses often has one listener. */
  readonly #lookNow = (): void => void this.look();

  constructor(options: MarketActsOptions) {
    this.#options = options;
    options.faults.onTimeMoved = () => this.look();
  }

  /** Submits a command before the first await. Resolves when its outcome is durable. */
  async submit(command: Command, fault: Fault, done: string): Promise<ActOutcome> {
    const { id, definition } = fault;
    const reason = `fault ${id}: ${definition.kind.name}`;
    try {
      const { events } = await this.#options.submit(command, { by: 'sandbox', reason });
      const rejected = rejectIn(events);
      if (rejected !== undefined) return refusedBy(rejected.code);
      const hasChanged = events.some(({ kind }) => kind !== 'known');
      return { isDone: true, hasChanged, text: hasChanged ? done : `${done}, as it was before` };
    } catch (error) {
      const known = toApiError(error);
      if (known === undefined) throw error;
      return refusedBy(known.code);
    }
  }

  /** Opens a paused market after a time of the exchange's clock, or when the fault is removed. */
  resumeAfter(ms: number, conditionId: string, fault: Fault): void {
    this.#pauses.set(conditionId, { fault, untilMs: this.#options.faults.nowMs + ms });
    this.#timer ??= setInterval(this.#lookNow, LOOK_MS).unref();
    fault.removal.addEventListener('abort', this.#lookNow);
    this.#lookNow();
  }

  /** Ends the pauses that are due, and resolves when their markets are open. */
  async look(): Promise<void> {
    const { nowMs } = this.#options.faults;
    const due = [...this.#pauses].filter(
      ([, { fault, untilMs }]) => nowMs >= untilMs || fault.removal.aborted,
    );
    for (const [conditionId] of due) this.#pauses.delete(conditionId);
    if (this.#pauses.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await Promise.all(due.map(([conditionId, { fault }]) => this.#resume(conditionId, fault)));
  }

  async #resume(conditionId: string, fault: Fault): Promise<void> {
    const command = { kind: 'set_trading_state', conditionId, state: 'open' } as const;
    const { isDone, text } = await this.submit(command, fault, 'opened the market');
    if (isDone) return;
    this.#options.log.warn({ conditionId, outcome: text }, 'a market stays paused after a fault');
  }
}
