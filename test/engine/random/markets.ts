/**
 * The markets that random commands create and use. In the CROWD scene a resolved market is replaced
 * by a new one, and so is one that can't be created any more. Bound: the candidates of the scene
 * and a few replaced ones.
 */
import type { CreateMarket } from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { Random } from '../../../http/codec/random.ts';
import type { EventObserver } from './event-observer.ts';
import { spoilMarket } from './faults.ts';
import { randomDelay, randomRates } from './operator.ts';
import type { RandomScene } from './scene.ts';

/** How many replaced markets commands still refer to. */
const REMEMBERED_ENDED = 16;
/** How many markets most orders are in at a time. */
const FOCUSED = 8;

export class RandomMarkets {
  readonly #random: Random;
  readonly #seen: EventObserver;
  readonly #scene: RandomScene;
  readonly #candidates: CreateMarket[] = [];
  readonly #ended: CreateMarket[] = [];
  /** How often each family of markets was replaced by a new one. */
  readonly #generations = new Map<number, number>();
  #drawn = 0;
  #focus = 0;

  constructor(random: Random, seen: EventObserver, scene: RandomScene) {
    this.#random = random;
    this.#seen = seen;
    this.#scene = scene;
    for (let index = 0; index < scene.candidates; index += 1) {
      this.#candidates.push(this.#candidate(index));
    }
  }

  /** Created markets in their present terms. */
  inPlay(): CreateMarket[] {
    const { markets } = this.#seen;
    if (!this.#isReplacing()) return [...markets.values()];
    return [...this.#candidates, ...this.#ended].flatMap(
      ({ conditionId }) => markets.get(conditionId) ?? [],
    );
  }

  /** Markets for orders: with a crowd mostly those in focus. */
  inFocus(): CreateMarket[] {
    const all = this.inPlay();
    if (!this.#isReplacing() || this.#random.chance(25)) return all;
    return all.slice(this.#focus, this.#focus + FOCUSED);
  }

  changeFocus(): void {
    if (this.#isReplacing()) this.#focus = this.#random.below(this.#scene.leastMarkets - FOCUSED);
  }

  create(isFaulty: () => boolean): CreateMarket {
    const random = this.#random;
    if (this.#isReplacing()) this.#replace();
    const market = this.#wanted();
    if (isFaulty()) return spoilMarket(random, market);
    if (random.chance(70)) return market;
    const other = random.pick(this.#candidates);
    return random.pick<CreateMarket>([
      { ...market, tokenIds: other.tokenIds },
      { ...market, tokenIds: [market.tokenIds[0], other.tokenIds[0]] },
      { ...market, negRisk: !market.negRisk },
      { ...market, eventId: 'another' },
      { ...market, conditionId: other.conditionId },
    ]);
  }

  #isReplacing(): boolean {
    return this.#scene.turnover > 1;
  }

  /** In the CROWD scene, mostly a market that does not exist yet. */
  #wanted(): CreateMarket {
    const random = this.#random;
    if (!this.#isReplacing()) return random.pick(this.#candidates);
    const { markets } = this.#seen;
    const missing = this.#candidates.filter(({ conditionId }) => !markets.has(conditionId));
    return random.pick(missing.length > 0 && random.chance(90) ? missing : this.#candidates);
  }

  #replace(): void {
    const { markets, events } = this.#seen;
    for (const [index, market] of this.#candidates.entries()) {
      const isResolved = this.#seen.stateOf(market.conditionId) === 'resolved';
      const isLate = !markets.has(market.conditionId) && events.has(market.eventId);
      if (!isResolved && !isLate) continue;
      if (isResolved) this.#ended.push(market);
      if (this.#ended.length > REMEMBERED_ENDED) this.#ended.shift();
      this.#candidates[index] = this.#candidate(index);
    }
  }

  /** An opened neg-risk event admits no market, so a new family starts. */
  #familyOf(index: number): string {
    const family = index % this.#scene.families;
    const generation = this.#generations.get(family) ?? 0;
    const name = generation === 0 ? `family-${family}` : `family-${family}-${generation}`;
    if (!this.#seen.events.has(name)) return name;
    this.#generations.set(family, generation + 1);
    return this.#familyOf(index);
  }

  #candidate(index: number): CreateMarket {
    const random = this.#random;
    const number = this.#drawn++;
    const isLone = index < this.#scene.loneMarkets;
    const tickTicks = ticks(random.pick([1_000, 100, 100, 50, 25, 10, 1]));
    const isRefined = tickTicks > 1 && random.chance(50);
    return {
      kind: 'create_market',
      conditionId: `0x${random.hex(64)}`,
      tokenIds: [`${1000 + 2 * number}`, `${1001 + 2 * number}`],
      tickTicks,
      minimumLots: lots(random.pick([1, 1, 5])),
      minimumBudgetMicros: micros(random.pick([1, 1, 30_000])),
      negRisk: !isLone || random.chance(30),
      eventId: isLone ? random.pick(['', `event-${number}`]) : this.#familyOf(index),
      selfTrade: random.pick(['cancel_maker', 'cancel_maker', 'cancel_taker', 'cancel_both']),
      ...(random.chance(70) ? randomRates(random) : {}),
      ...(random.chance(30) ? randomDelay(random) : {}),
      ...(isRefined ? { finerTickTicks: ticks(1) } : {}),
    };
  }
}
