/** Random commands of the operator. Pauses and bans are soon lifted, so that trading goes on. */
import type {
  ChangeMarket,
  CloseMarket,
  CreateMarket,
  FeeSchedule,
  ResolveMarket,
  SetBuilder,
  SetStanding,
  SetTradingState,
  TakerDelay,
  Ticks,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { Random } from '../../../http/codec/random.ts';
import type { EventObserver } from './event-observer.ts';
import { spoilBuilder, spoilChange, spoilResolution, spoilStanding, spoilState } from './faults.ts';
import type { RandomScene } from './scene.ts';

export interface LifeScene {
  readonly random: Random;
  readonly seen: EventObserver;
  /** A random owner. */
  readonly owner: string;
  /** The markets to choose from, at least one. */
  readonly markets: readonly CreateMarket[];
  readonly size: RandomScene;
  readonly isFaulty: boolean;
}

export function idsOf(markets: readonly CreateMarket[]): string[] {
  return markets.map(({ conditionId }) => conditionId);
}

/** A command that ends a pause or a restriction, if there is one. */
export function randomRelief({
  random,
  seen,
  markets,
}: LifeScene): SetTradingState | SetStanding | undefined {
  const paused = ['', ...idsOf(markets)].find((conditionId) =>
    ['cancel_only', 'halted'].includes(seen.stateOf(conditionId)),
  );
  if (paused !== undefined) {
    return { kind: 'set_trading_state', conditionId: paused, state: 'open' };
  }
  const [owner] = seen.standings.keys();
  if (owner === undefined || random.chance(70)) return undefined;
  return { kind: 'set_standing', owner, standing: 'good' };
}

/** Mostly opens a market, or the exchange, that is not open. */
export function randomTradingState(scene: LifeScene): SetTradingState {
  const { random, seen, markets, isFaulty } = scene;
  const conditionId = random.pick(['', ...idsOf(markets)]);
  const isOpen = seen.stateOf(conditionId) === 'open';
  const command: SetTradingState = {
    kind: 'set_trading_state',
    conditionId,
    state: random.chance(isOpen ? 10 : 70) ? 'open' : random.pick(['cancel_only', 'halted']),
  };
  return isFaulty ? spoilState(random, command) : command;
}

/** Changes any of the terms, or none. */
export function randomChange({ random, markets, isFaulty }: LifeScene): ChangeMarket {
  const command: ChangeMarket = {
    kind: 'change_market',
    conditionId: random.pick(idsOf(markets)),
    ...(random.chance(60) ? { tickTicks: ticks(random.pick([1_000, 100, 50, 25, 10, 1])) } : {}),
    ...(random.chance(20) ? { minimumLots: lots(random.pick([1, 5])) } : {}),
    ...(random.chance(20) ? { minimumBudgetMicros: micros(random.pick([1, 30_000])) } : {}),
    ...(random.chance(30)
      ? { selfTrade: random.pick(['cancel_maker', 'cancel_taker', 'cancel_both'] as const) }
      : {}),
    ...(random.chance(30) ? randomRates(random) : {}),
    ...(random.chance(20) ? randomDelay(random) : {}),
    // In most pairs of ticks one cannot refine the other: the change is refused.
    ...(random.chance(50) ? { finerTickTicks: randomFinerTick(random) } : {}),
  };
  return isFaulty ? spoilChange(random, command) : command;
}

/** A taker delay: sometimes 0, mostly shorter than orders live. */
export function randomDelay(random: Random): TakerDelay {
  return random.pick([
    { delaySeconds: 0, takerDelayMs: 0 },
    { delaySeconds: 0, takerDelayMs: random.pick([1, 40, 250]) },
    { delaySeconds: 0, takerDelayMs: random.between(1, 2_000) },
    { delaySeconds: random.pick([1, 3]), takerDelayMs: random.pick([0, 40]) },
  ]);
}

/** Usual rates, extreme rates, or none. */
export function randomRates(random: Random): FeeSchedule {
  return {
    takerFeeBps: random.pick([0, 1, 441, 441, 700, 5_000]),
    makerFeeBps: random.pick([0, 0, 3, 100, 5_000]),
    feeExponent: random.pick([0, 1, 1, 2]),
  };
}

/** One of six builder codes that many orders carry. Not all of them are set. */
export function randomCode(random: Random): string {
  return `0x${random.between(1, 6)}${'b'.repeat(63)}`;
}

export function randomBuilder({ random, seen, isFaulty }: LifeScene): SetBuilder {
  const command: SetBuilder = {
    kind: 'set_builder',
    builder: randomCode(random),
    account: random.pick([...seen.accounts.keys()]),
    shareBps: random.pick([0, 1, 3_000, 5_000]),
    takerRateBps: random.pick([0, 0, 0, 25, 1_000]),
    makerRateBps: random.pick([0, 7, 100]),
  };
  return isFaulty ? spoilBuilder(random, command) : command;
}

function randomFinerTick(random: Random): Ticks | 0 {
  return random.pick([0, 0, ticks(1), ticks(1), ticks(10), ticks(50)]);
}

/** At least two markets stay open, so that trading goes on. */
export function randomClosing({ random, seen, markets, isFaulty }: LifeScene): CloseMarket {
  const all = idsOf(markets);
  const open = all.filter((conditionId) => seen.stateOf(conditionId) === 'open');
  const others = all.filter((conditionId) => !open.includes(conditionId));
  const choice = open.length > 2 ? [...open.slice(2), ...others] : [...others, 'unknown'];
  return { kind: 'close_market', conditionId: isFaulty ? 'unknown' : random.pick(choice) };
}

/** Resolves to an outcome, 50:50 or in between; sometimes a market that is resolved already. */
export function randomResolution(scene: LifeScene): ResolveMarket {
  const { random, isFaulty } = scene;
  const command: ResolveMarket = {
    kind: 'resolve_market',
    conditionId: randomClosing(scene).conditionId,
    payoutTicks: ticks(random.pick([0, 10_000, 10_000, 5_000, random.between(0, 10_000)])),
    redeemAll: random.chance(50),
  };
  return isFaulty ? spoilResolution(random, command) : command;
}

/** If an owner is restricted, the restriction is mostly lifted. */
export function randomStanding({ random, seen, owner, isFaulty }: LifeScene): SetStanding {
  const restricted = [...seen.standings.keys()];
  const isLifting = restricted.length > 0 && random.chance(60);
  const command: SetStanding = {
    kind: 'set_standing',
    owner: isLifting ? random.pick(restricted) : random.chance(90) ? owner : `0x${random.hex(40)}`,
    standing: isLifting || random.chance(10) ? 'good' : random.pick(['closed_only', 'banned']),
  };
  return isFaulty ? spoilStanding(random, command) : command;
}
