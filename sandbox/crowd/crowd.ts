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
import type { Settings } from '../../http/settings/settings.ts';
import { Audience, type AudienceSource } from './audience.ts';
import { fraction, randomFor } from './characters.ts';
import type { CrowdDesk, DeskCounts } from './desk.ts';
import { CROWD_MARKETS, Floor, type FloorParts } from './floor.ts';
import { quote, type TurnDone } from './maker.ts';
import type { CrowdMarket } from './market.ts';
import { type Participant, participantsOf, type Role } from './roster.ts';
import { tradeInformed, tradeNoise, tradesNow } from './takers.ts';

export interface CrowdParts extends Omit<FloorParts, 'makers' | 'settings'> {
  readonly settings: Pick<Settings, 'crowdSeed' | 'crowdPace' | 'crowdModel' | 'monotonicMs'>;
  readonly desk: CrowdDesk;
  readonly log: Logger;
  readonly audience: AudienceSource;
}

/** Lets a start open the dev accounts and say that it is ready. */
const FIRST_PAUSE_MS = 100;
/** Between two accounts or two markets at the start, so that clients are served in between. */
const SETUP_PAUSE_MS = 5;
/** How often it looks for an audience and for new markets. */
const LOOK_MS = 1_000;
/** Until it tries again after its accounts could not be opened. */
const RETRY_MS = 10_000;
/** The percentage of turns that are first offered to an informed trader. */
const INFORMED_PERCENT = 50;
/** A turn in which nothing was sent counts as half an order. */
const IDLE_TURN = 0.5;
/** The percentage of turns in watched markets, while there are any. */
const WATCHED_PERCENT = 80;
/** The longest pause between two turns, in usual ones. */
const MOST_PAUSES = 4;
/** A market that refuses all orders sits out for 10 turns of the crowd, then 20, then 40. */
const REFUSED_TURNS = 5;
const MOST_REFUSED_TURNS = 3;
const NOTHING: TurnDone = { writes: 0, isRefused: false };

export class Crowd {
  /** What its participants did before is made up (`past.ts`); null if nothing is, or not known. */
  madeUpUntilMs: number | null = null;
  readonly participants: readonly Participant[];
  readonly #parts: CrowdParts;
  readonly #desk: CrowdDesk;
  readonly #floor: Floor;
  readonly #audience: Audience;
  readonly #random: Random;
  /** Participants without an account in this start, in the order in which they get one. */
  readonly #unopened: Participant[];
  #turns = 0;
  #work: Promise<unknown> = Promise.resolve();
  #isStarted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => {};

  constructor(parts: CrowdParts) {
    const { settings, audience, desk } = parts;
    this.#parts = parts;
    this.#desk = desk;
    this.participants = participantsOf(settings.crowdSeed);
    this.#unopened = [...this.participants];
    this.#floor = new Floor({ ...parts, makers: this.#ofRole('maker') });
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
      this.#floor.update();
      const { markets } = this.#floor;
      const unfilled = markets.find(isUnfilled);
      if (unfilled !== undefined) return this.#setUp(unfilled);
      const playing = markets.filter(isPlaying);
      if (playing.length === 0 || !this.#audience.isThere()) return LOOK_MS;
      return this.#turn(playing);
    });
  }

  /**
   * Sets the mode of a market, or with '' of all markets, also of new ones. `off` cancels the
   * crowd's orders there; those in a halted market stay until the crowd comes back. Returns their
   * number. Throws `market_closed` and `too_many_markets`.
   */
  setMode(conditionId: string, mode: CrowdMode): Promise<number> {
    return this.#alone(async () => {
      this.#floor.update();
      const markets = conditionId === '' ? this.#floor.markets : this.#named(conditionId, mode);
      this.#parts.modes.set(conditionId, mode);
      if (mode !== 'off') {
        this.#begin();
        return 0;
      }
      for (const market of markets) {
        market.isFilled = false;
        market.quotes = undefined;
      }
      let canceled = 0;
      for (const participant of this.participants) {
        canceled += await this.#desk.cancelAll(participant, conditionId);
      }
      return canceled;
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

  /** Its markets, in order of their creation. */
  get markets(): readonly CrowdMarket[] {
    this.#floor.update();
    return this.#floor.markets;
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
  #named(conditionId: string, mode: CrowdMode): readonly CrowdMarket[] {
    const market = this.#floor.find(conditionId);
    if (market !== undefined && !market.isOver) return [market];
    if (mode === 'off') return [];
    const status = this.#parts.registry.market(conditionId)?.status;
    if (status === 'closed' || status === 'resolved') {
      throw new ApiError('market_closed', { field: 'market', limit: 'open', actual: status });
    }
    const actual = this.#floor.markets.length;
    throw new ApiError('too_many_markets', { field: 'market', limit: CROWD_MARKETS, actual });
  }

  /** Opens an account or, when all are open, fills a book, unless an earlier start did. */
  async #setUp(market: CrowdMarket): Promise<number> {
    if (!market.isQuoted) {
      const [next] = this.#unopened;
      if (next !== undefined) return this.#open(next);
      await quote(this.#desk, market, this.#random);
    }
    market.isFilled = true;
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

  /** One turn of a participant. Returns the pause that the pace asks for, at random. */
  async #turn(markets: readonly CrowdMarket[]): Promise<number> {
    const [next] = this.#unopened;
    if (next !== undefined) return this.#open(next);
    this.#turns += 1;
    const { writes } = await this.#act(this.#pick(markets));
    const meanMs = (Math.max(writes, IDLE_TURN) * SECOND_MS) / this.#parts.settings.crowdPace;
    // Exponential: steps that come at regular times look like a machine's.
    const drawn = Math.min(-Math.log(fraction(this.#random)), MOST_PAUSES);
    const pauseMs = Math.ceil(meanMs * drawn);
    this.#floor.advance(pauseMs);
    return pauseMs;
  }

  /** Markets whose quotes are wrong or gone first; then mostly those that somebody watches. */
  #pick(markets: readonly CrowdMarket[]): CrowdMarket {
    const isUrgent = (market: CrowdMarket): boolean =>
      market.idleUntil <= this.#turns && (market.isStale || !market.isQuoted);
    const urgent = markets.find(isUrgent);
    if (urgent !== undefined) return urgent;
    for (const market of markets) market.isWatched = this.#audience.isAt(market.conditionId);
    const watched = markets.filter(({ isWatched }) => isWatched);
    const isForWatched = watched.length > 0 && this.#random.chance(WATCHED_PERCENT);
    const choice = isForWatched ? watched : markets;
    let left = this.#random.below(choice.reduce((sum, { traits }) => sum + traits.turns, 0));
    for (const market of choice) {
      left -= market.traits.turns;
      if (left < 0) return market;
    }
    throw new Error('a number below the total falls into one of the shares');
  }

  async #act(market: CrowdMarket): Promise<TurnDone> {
    if (market.idleUntil > this.#turns) return NOTHING;
    const done = await this.#turnIn(market);
    const { isRefused } = done;
    market.refusedTurns = isRefused ? Math.min(market.refusedTurns + 1, MOST_REFUSED_TURNS) : 0;
    if (isRefused) market.idleUntil = this.#turns + REFUSED_TURNS * 2 ** market.refusedTurns;
    return done;
  }

  async #turnIn(market: CrowdMarket): Promise<TurnDone> {
    const random = this.#random;
    // Who knows the fair value is now and then faster than the maker.
    if (random.chance(INFORMED_PERCENT)) {
      const done = await tradeInformed(this.#desk, market, this.#ofRole('informed'), random);
      if (done.writes > 0) return done;
    }
    if (!market.isStale && tradesNow(market, random)) {
      return tradeNoise(this.#desk, market, this.#ofRole('noise'), random);
    }
    return quote(this.#desk, market, random);
  }
}

function isUnfilled(market: CrowdMarket): boolean {
  return market.mode !== 'off' && !market.isFilled && market.acceptsOrders;
}

function isPlaying({ mode, acceptsOrders }: CrowdMarket): boolean {
  return mode === 'live' && acceptsOrders;
}
