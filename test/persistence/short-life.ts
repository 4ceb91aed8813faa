/** A short history of commands that random streams seldom have; some are in effect at its end. */
import type { Command } from '../../engine/index.ts';
import { Engine, isChange, lots, micros, ticks } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import {
  ALICE,
  BOB,
  CONDITION,
  counterOrder,
  createMarket,
  order,
  WORLD,
} from './store-fixture.ts';

const OTHER = `0x${'c1'.repeat(32)}`;
const CODE = `0x${'bb'.repeat(32)}`;

function uuid(digit: number): string {
  return `00000000-0000-4000-8000-00000000000${digit}`;
}

function issue(nonce: number): Command {
  return {
    kind: 'issue_api_key',
    owner: ALICE,
    nonce: `${nonce}`,
    apiKey: uuid(nonce),
    purpose: 'trading',
  };
}

function builder(account: string): Command {
  return {
    kind: 'set_builder',
    builder: CODE,
    account,
    shareBps: 100,
    takerRateBps: 0,
    makerRateBps: 0,
  };
}

function state(conditionId: string, to: 'open' | 'cancel_only' | 'halted'): Command {
  return {
    kind: 'set_trading_state',
    conditionId,
    state: to,
  };
}

const COMMANDS: readonly Command[] = [
  ...WORLD,
  // A market with unusual terms; its event has a number as its id, as in the catalog.
  {
    ...createMarket,
    kind: 'create_market',
    conditionId: OTHER,
    tokenIds: ['81', '82'],
    tickTicks: ticks(10),
    minimumLots: lots(20),
    minimumBudgetMicros: micros(1),
    negRisk: true,
    eventId: '21',
    selfTrade: 'cancel_both',
  },
  // Keys with nonces out of order: the next free one is 2, then 4.
  issue(0),
  issue(1),
  issue(3),
  { kind: 'revoke_api_key', owner: ALICE, apiKey: uuid(1) },
  issue(2),
  builder(ALICE),
  builder(BOB),
  order(1, { apiKey: uuid(0) }),
  order(2, { apiKey: uuid(2), priceTicks: ticks(4_000) }),
  state('', 'cancel_only'),
  state(CONDITION, 'halted'),
  state(CONDITION, 'open'),
  state('', 'open'),
  counterOrder(3, { apiKey: uuid(3), lots: lots(4) }),
  state(CONDITION, 'cancel_only'),
  state(OTHER, 'halted'),
  state('', 'halted'),
];

export function shortLife(): DurableCommand[] {
  const engine = new Engine();
  return COMMANDS.map((command, index) => {
    const [seq, timeMs] = [index + 1, 1_000 * (index + 1)];
    const events = engine.apply(seq, timeMs, engine.inputOf(command));
    if (!events.some(isChange)) throw new Error(`command ${seq}, ${command.kind}, changes nothing`);
    return { seq, timeMs, command, events };
  });
}
