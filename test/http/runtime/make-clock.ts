// A clock of commands whose wall and monotonic clocks a test moves.
import type { Test } from 'tap';
import { type Command, Engine, type TradingState } from '../../../engine/index.ts';
import { ExchangeClock } from '../../../http/runtime/clock.ts';
import { StoreError } from '../../../persistence/index.ts';
import { START_MS } from '../exchange-fixture.ts';

const CLOCK_JUMP_MS = 60_000;

const refused = new StoreError('overloaded', 'full');

/** Log lines and commands are recorded. */
export function makeClock(state: TradingState = 'open') {
  const told: string[] = [];
  const sides = { wallMs: START_MS, monotonicMs: 5_000 };
  const submitted: [Command, unknown][] = [];
  const exchange = {
    tradingState: state,
    appliedMs: START_MS,
    isFull: false,
    state: { summary: () => ({ ...new Engine().summary(), tradingState: exchange.tradingState }) },
  };
  const clock = new ExchangeClock({
    now: () => sides.wallMs,
    monotonicMs: () => sides.monotonicMs,
    clockJumpMs: CLOCK_JUMP_MS,
    log: {
      info: (_: unknown, text?: string) => told.push(`info ${text}`),
      warn: (_: unknown, text?: string) => told.push(`warn ${text}`),
    },
  });
  const submit = (command: Command, evidence?: unknown) => {
    if (exchange.isFull) return Promise.reject(refused);
    submitted.push([command, evidence]);
    if (command.kind === 'set_trading_state') exchange.tradingState = command.state;
    return Promise.resolve({ seq: 1, timeMs: 0, events: [] });
  };
  const watch = (scope: Test): void => {
    clock.watch(Object.assign(exchange, { submit }));
    scope.teardown(() => clock.stop());
  };
  /** Moves both clocks by `ms`, and the wall clock by `more` in addition. */
  const pass = (ms: number, more = 0): number => {
    sides.monotonicMs += ms;
    sides.wallMs += ms + more;
    return clock.now();
  };
  return { clock, exchange, submitted, told, sides, watch, pass };
}
