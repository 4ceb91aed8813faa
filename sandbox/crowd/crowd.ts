/**
 * The crowd: simulated participants that trade with signed orders through the same intake as
 * everyone. It goes in steps. A step opens an account, fills a book, or is one turn of one
 * participant in one market; then the crowd pauses for as long as its pace asks for.
 *
 * Invariant: the same seed and the same inputs give the same orders in the same sequence, because a
 * step waits for its answers before the next begins, and the model's time moves by the pauses that
 * the pace asks for, not by a clock. A refusal is counted and ends nothing. Without an audience it
 * writes nothing but the first quotes of each book.
 * Bound: `crowdPace` orders and cancels a second over all markets, apart from the first quotes.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Random } from '../../http/codec/index.ts';
import { ApiError, toApiError } from '../../http/errors/index.ts';
import type { Logger } from '../../http/runtime/log.ts';
import type { CrowdMode } from '../../http/settings/crowd.ts';
import type { BookViews } from '../../http/views/index.ts';
import { type CrowdModes, randomFor } from './characters.ts';
import { Desk, type DeskCounts, type DeskParts } from './desk.ts';
import { Audience, type AudienceSource } from './fair-values.ts';
import { CROWD_MARKETS, Floor, type Listed } from './floor.ts';
import { quoteAll, type TurnDone } from './maker.ts';
import type { CrowdMarket } from './market.ts';
import { type Participant, participantsOf, type Role } from './roster.ts';
import { tradeInformed, tradeNoise } from './takers.ts';

export interface CrowdParts extends DeskParts {
  readonly books: BookViews;
  readonly log: Logger;
  readonly audience: AudienceSource;
  readonly modes: CrowdModes;
}

/** What the crowd shows of a market. */
export interface MarketReport {
  readonly market: CrowdMarket;
  /** The fair value; undefined before the crowd has acted there. */
  readonly probability: number | undefined;
  /** Orders of makers that were open when they last looked. */
  readonly orders: number;
}

/** Lets a start open the dev accounts and say that it is ready. */
const FIRST_PAUSE_MS = 100;
/** Between two accounts or two markets at the start, so that clients are served in between. */
const SETUP_PAUSE_MS = 5;
/** How often it looks for an audience and for new markets. */
const LOOK_MS = 1_000;
/** Until it tries again after its accounts could not be opened. */
const RETRY_MS = 10_000;
/** A turn in which nothing was sent counts as half an order. */
const IDLE_TURN = 0.5;
/** A market that refuses all orders sits out for 2 turns, then for 4, then for 8. */
const MOST_REFUSED_TURNS = 3;
const NOTHING: TurnDone = { writes: 0, isRefused: false };

export class Crowd {
  readonly participants: readonly Participant[];
  readonly #parts: CrowdParts;
  readonly #desk: Desk;
  readonly #floor: Floor;
  readonly #audience: Audience;
  readonly #random: Random;
  /** Participants without an account in this start, in the order in which they get one. */
  readonly #unopened: Participant[];
  /** Whether orders may rest that it does not know; undefined before the first step. */
  #hasUnknown: boolean | undefined;
  /** Markets in which it knows all its orders. */
  readonly #cleared = new Set<string>();
  #modelMs = 0;
  #work: Promise<unknown> = Promise.resolve();
  #isStarted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => {};

  constructor(parts: CrowdParts) {
    const { settings, registry, books, audience, modes } = parts;
    this.#parts = parts;
    this.participants = participantsOf(settings.crowdSeed);
    this.#unopened = [...this.participants];
    this.#desk = new Desk(parts);
    const makers = this.#ofRole('maker');
    this.#floor = new Floor({ registry, books, settings, desk: this.#desk, makers, modes });
    this.#audience = new Audience(audience, settings.monotonicMs);
    this.#random = randomFor(settings.crowdSeed, 'turns');
  }

  /** Begins to act; a crowd that is off has nothing to begin. */
  start(): void {
    if (this.#isStarted || this.#parts.modes.isOff) return;
    this.#begin();
  }

  /** The step that it takes now still ends; there is no further one. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#wake();
  }

  /** Acts once. Returns how long to pause before the next step, in ms. */
  step(): Promise<number> {
    return this.#alone(async () => {
      this.#hasUnknown ??= this.participants.some((participant) => this.#desk.isKnown(participant));
      this.#floor.update();
      const unfilled = this.#nextUnfilled();
      if (unfilled !== undefined) return this.#setUp(unfilled);
      const markets = [...this.#floor.markets].filter(isPlaying);
      if (markets.length === 0 || !this.#audience.isThere()) return LOOK_MS;
      return this.#turn(markets);
    });
  }

  /**
   * Sets the mode of a market, or with '' of all markets, also of new ones. `off` cancels the
   * crowd's orders there. Returns their number. Throws `market_closed` and `too_many_markets`.
   */
  setMode(conditionId: string, mode: CrowdMode): Promise<number> {
    return this.#alone(async () => {
      this.#floor.update();
      const listed = conditionId === '' ? [...this.#floor.markets] : this.#named(conditionId, mode);
      for (const { market } of listed) {
        if (market.mode === 'off' && mode !== 'off') market.fill = 'always';
      }
      this.#parts.modes.set(conditionId, mode);
      if (mode !== 'off') {
        this.#begin();
        return 0;
      }
      for (const { makers, market } of listed) {
        for (const maker of makers) maker.forgetOrders();
        market.resting.length = 0;
        // Orders in a halted market stay: they are cancelled when the crowd comes back.
        this.#cleared.delete(market.conditionId);
      }
      this.#hasUnknown = true;
      return this.#cancelAll(conditionId);
    });
  }

  /** The accounts of the participants, in lower case, whether they are open or not. */
  get addresses(): readonly string[] {
    return this.participants.map(({ wallet }) => wallet.address);
  }

  get mode(): CrowdMode {
    return this.#parts.modes.general;
  }

  get isWatched(): boolean {
    return this.#audience.isThere();
  }

  get counts(): DeskCounts {
    return this.#desk.counts;
  }

  /** Refusals by the code of their error. */
  get refusals(): ReadonlyMap<string, number> {
    return new Map([...this.#desk.refusals.all()].map(([code, _, count]) => [code, count]));
  }

  /** The markets, in order of their creation. */
  report(): MarketReport[] {
    this.#floor.update();
    return [...this.#floor.markets].map(({ market, makers }) => ({
      market,
      probability: this.#floor.knownProbability(market),
      orders: makers.reduce((sum, { orderCount }) => sum + orderCount, 0),
    }));
  }

  #begin(): void {
    this.#wake();
    if (this.#isStarted) return;
    this.#isStarted = true;
    // It catches its own failures.
    void this.#run();
  }

  async #run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    try {
      for (;;) {
        await this.#pause(pauseMs);
        if (this.#isStopped) return;
        pauseMs = await this.step();
      }
    } catch (error) {
      if (this.#isStopped) return;
      // A request that switches it on begins again.
      this.#isStarted = false;
      this.#parts.log.error({ err: error }, 'the crowd has failed and trades no more');
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#timer = setTimeout(resolve, ms).unref();
    });
  }

  /** One after the other: a request of the operator never comes into the middle of a turn. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  #ofRole(role: Role): readonly Participant[] {
    return this.participants.filter((participant) => participant.role === role);
  }

  /** The market that a request names; none if there is nothing to change in it. */
  #named(conditionId: string, mode: CrowdMode): readonly Listed[] {
    const listed = this.#floor.find(conditionId);
    if (listed !== undefined && !listed.market.isOver) return [listed];
    if (mode === 'off') return [];
    const status = this.#parts.registry.market(conditionId)?.status;
    if (status === 'closed' || status === 'resolved') {
      throw new ApiError('market_closed', { field: 'market', limit: 'open', actual: status });
    }
    const actual = [...this.#floor.markets].length;
    throw new ApiError('too_many_markets', { field: 'market', limit: CROWD_MARKETS, actual });
  }

  #nextUnfilled(): Listed | undefined {
    for (const listed of this.#floor.markets) {
      const { market } = listed;
      if (market.mode !== 'off' && market.fill !== 'done' && market.acceptsOrders) return listed;
    }
    return undefined;
  }

  /** Opens an account or, when all are open, fills a book. */
  async #setUp(listed: Listed): Promise<number> {
    const { market } = listed;
    if (market.fill === 'if_needed' && market.isQuoted) {
      market.fill = 'done';
      return 0;
    }
    const [next] = this.#unopened;
    if (next !== undefined) return this.#open(next);
    await this.#quoteAll(listed);
    market.fill = 'done';
    return SETUP_PAUSE_MS;
  }

  async #open(participant: Participant): Promise<number> {
    try {
      await this.#desk.open(participant);
    } catch (failure) {
      const refusal = toApiError(failure);
      if (refusal === undefined) throw failure;
      this.#desk.refusals.add(refusal.code);
      return RETRY_MS;
    }
    this.#unopened.shift();
    return SETUP_PAUSE_MS;
  }

  async #quoteAll({ market, makers }: Listed): Promise<void> {
    await this.#clear(market);
    await quoteAll(makers, this.#probability(market));
  }

  /** Cancels what an earlier start, or a halted market, left behind; once for each market. */
  async #clear({ conditionId }: CrowdMarket): Promise<void> {
    if (this.#hasUnknown !== true || this.#cleared.has(conditionId)) return;
    this.#cleared.add(conditionId);
    await this.#cancelAll(conditionId);
  }

  async #cancelAll(conditionId: string): Promise<number> {
    let canceled = 0;
    for (const participant of this.participants) {
      canceled += await this.#desk.cancelAll(participant, conditionId);
    }
    return canceled;
  }

  #probability(market: CrowdMarket): number {
    return this.#floor.probabilityAt(market, this.#modelMs);
  }

  /** One turn of a participant. Returns the pause that the pace asks for. */
  async #turn(markets: readonly Listed[]): Promise<number> {
    const [next] = this.#unopened;
    if (next !== undefined) return this.#open(next);
    const listed = this.#pick(markets);
    const { market } = listed;
    const done = market.skippedTurns > 0 ? this.#sitOut(market) : await this.#act(listed);
    const orders = Math.max(done.writes, IDLE_TURN);
    const pauseMs = Math.ceil((orders * SECOND_MS) / this.#parts.settings.crowdPace);
    this.#modelMs += pauseMs;
    return pauseMs;
  }

  /** Markets with news first, then those that lack a side, the others by their share of turns. */
  #pick(markets: readonly Listed[]): Listed {
    const urgent = markets.find(isNews) ?? markets.find(isBare);
    if (urgent !== undefined) return urgent;
    const total = markets.reduce((sum, { market }) => sum + market.traits.turns, 0);
    let left = this.#random.below(total);
    for (const listed of markets) {
      left -= listed.market.traits.turns;
      if (left < 0) return listed;
    }
    throw new Error('a number below the total falls into one of the shares');
  }

  #sitOut(market: CrowdMarket): TurnDone {
    market.skippedTurns -= 1;
    return NOTHING;
  }

  async #act(listed: Listed): Promise<TurnDone> {
    const { market } = listed;
    await this.#clear(market);
    const done = await this.#turnIn(listed, this.#probability(market));
    const { isRefused } = done;
    market.refusedTurns = isRefused ? Math.min(market.refusedTurns + 1, MOST_REFUSED_TURNS) : 0;
    market.skippedTurns = isRefused ? 2 ** market.refusedTurns : 0;
    return done;
  }

  async #turnIn(listed: Listed, probability: number): Promise<TurnDone> {
    const { market, makers } = listed;
    const { noisePercent, informedPercent } = this.#parts.settings.crowdModel;
    const random = this.#random;
    const drawn = random.below(100);
    const hasNews = market.newsTurns > 0;
    if (hasNews) market.newsTurns -= 1;
    const isMakers = !hasNews && (market.needsQuotes || isBare(listed));
    if (!isMakers && (hasNews || drawn < informedPercent)) {
      const informed = this.#ofRole('informed');
      const done = await tradeInformed(this.#desk, market, informed, { random, probability });
      if (done.writes > 0) return done;
    } else if (!isMakers && drawn < informedPercent + noisePercent) {
      return tradeNoise(this.#desk, market, this.#ofRole('noise'), random);
    }
    market.needsQuotes = false;
    return quoteAll(makers, probability);
  }
}

function isPlaying({ market }: Listed): boolean {
  return market.mode === 'live' && market.acceptsOrders;
}

function isNews({ market }: Listed): boolean {
  return (market.newsTurns > 0 || market.needsQuotes) && market.skippedTurns === 0;
}

/** Whether somebody took all orders of a side. */
function isBare({ market }: Listed): boolean {
  return !market.isQuoted && market.skippedTurns === 0;
}
