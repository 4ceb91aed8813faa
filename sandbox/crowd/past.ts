/**
 * The past of the crowd: what its participants did in the month before a new sandbox was started,
 * made up by the model of the live crowd. Fair values move as they do live. When one has left the
 * last price behind, and now and then without a reason, a maker quotes one price and another
 * participant takes it in a few orders.
 *
 * The trades are commands at times in the past, so positions, volumes, candles and fees follow from
 * them as from any others. Nobody signed the orders: the evidence of each says that it
 * is made up. Nothing of them rests when the past ends.
 *
 * Invariant: it is made once, before all commands but those that create the markets. It follows
 * from the seed, the model, the markets and the time of the start.
 * Bound: bursts of at most `MOST_CHILDREN` trades; above `USUAL_MARKETS` markets each has fewer. A
 * comment an event.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  BOUNDS,
  type Command,
  complement,
  DAY_MS,
  HOUR_MS,
  LOTS_PER_TOKEN,
  type Lots,
  lots,
  MINUTE_MS,
  micros,
  ONE_TICKS,
  type PlaceOrder,
  type Ticks,
} from '../../engine/model/index.ts';
import { isoTime, type Random } from '../../http/codec/index.ts';
import { rejectIn } from '../../http/errors/index.ts';
import type { ExchangeClock } from '../../http/runtime/clock.ts';
import type { Logger } from '../../http/runtime/log.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import type { Exchange } from '../../persistence/index.ts';
import { happens, logNormal, pareto, randomFor } from './characters.ts';
import { openParticipant } from './desk.ts';
import { Floor, type FloorParts } from './floor.ts';
import type { CrowdMarket } from './market.ts';
import { bestQuote, unitTicks } from './quotes.ts';
import type { Participant } from './roster.ts';
import { CHILD_SIZE, LENGTH_EXPONENT, SIZE_DEVIATION } from './takers.ts';

/** Who asked for each command of the past, and why. */
const MADE_UP = { by: 'crowd/past', reason: 'a made-up past' } as const;
/** The last command of the past; it needs no more than to be the only one of its kind. */
const END = { kind: 'deposit', key: 'crowd/past', amountMicros: micros(1_000_000) } as const;

/** How long the past is; 0 for an exchange that has none. */
export function pastMs({ crowd, crowdModel }: Pick<Settings, 'crowd' | 'crowdModel'>): number {
  return crowd === 'off' ? 0 : crowdModel.pastDays * DAY_MS;
}

/** When the past of an exchange ended, by its actions; null if it has none. */
export async function pastEnd({ reader }: Pick<Exchange, 'reader'>): Promise<number | null> {
  const query = { kind: END.kind, by: MADE_UP.by, beforeSeq: Number.MAX_SAFE_INTEGER, limit: 1 };
  const [found] = (await reader.actions(query)).records;
  return found?.timeMs ?? null;
}

const STEP_MS = 4 * HOUR_MS;
/** With more markets than these, each has fewer bursts. */
const USUAL_MARKETS = 50;
/** How far a fair value may be from the last price until somebody trades, in units, at least. */
const LEFT_BEHIND = 2;
/** The chance that a step has a burst without a reason, for each turn of the market's character. */
const IDLE_BURSTS = 0.006;
const MOST_CHILDREN = 3;
/** How soon a small order follows the one before. */
const CHILD_MS = { least: 1_000, most: 5 * MINUTE_MS } as const;

export interface PastParts extends Omit<FloorParts, 'makers' | 'now'> {
  readonly exchange: Exchange;
  readonly clock: ExchangeClock;
  readonly log: Pick<Logger, 'warn'>;
  readonly participants: readonly Participant[];
}

/** An order that somebody places at a moment. */
interface Wish {
  readonly timeMs: number;
  readonly market: CrowdMarket;
  readonly participant: Participant;
  readonly buysYes: boolean;
  /** In YES ticks. */
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

/**
 * Makes the past up to now, by a clock that is `pastMs` behind. Afterwards the clock is right.
 * Resolves with the time of its end, as `pastEnd` will find it.
 */
export async function makePast(parts: PastParts): Promise<number | null> {
  return await new Past(parts).make();
}

class Past {
  readonly #parts: PastParts;
  readonly #random: Random;
  readonly #floor: Floor;
  /** The price of the last trade of each market, in YES ticks. */
  readonly #last = new Map<CrowdMarket, Ticks>();
  /** From which moment on the next trade in an event is followed by a comment. */
  readonly #commentMs = new Map<string, number>();
  /** Writes into the catalog, and answers of the engine. */
  readonly #writes: Promise<unknown>[] = [];
  readonly #idEnd: string;
  readonly #lengthMs: number;
  #orders = 0;
  #refused = 0;

  constructor(parts: PastParts) {
    const { clock, settings, participants } = parts;
    this.#parts = parts;
    this.#random = randomFor(settings.crowdSeed, 'past');
    this.#idEnd = this.#random.hex(56);
    this.#lengthMs = -clock.offsetMs;
    const makers = participants.filter(({ role }) => role === 'maker');
    this.#floor = new Floor({ ...parts, makers, now: () => clock.now() });
  }

  async make(): Promise<number | null> {
    const { clock, exchange, participants, log } = this.#parts;
    const startMs = clock.now();
    const endMs = clock.shownMs() - clock.offsetMs;
    const now = (): number => endMs;
    for (const participant of participants) {
      this.#writes.push(openParticipant({ exchange, now }, participant, MADE_UP));
    }
    for (let timeMs = startMs; timeMs + STEP_MS <= endMs; timeMs += STEP_MS) {
      this.#moveTo(timeMs);
      this.#floor.update();
      this.#floor.advance(STEP_MS);
      const wishes = this.#floor.markets.flatMap((market) => this.#burst(market, timeMs));
      for (const wish of wishes.toSorted((one, other) => one.timeMs - other.timeMs)) {
        this.#moveTo(wish.timeMs);
        this.#submit(this.#orderOf(wish));
        this.#comment(wish);
      }
      // The journal works meanwhile.
      await endOfTurn();
    }
    clock.setOffset(0);
    for (const { wallet } of participants) {
      const { address: owner } = wallet;
      const step = { most: BOUNDS.cancelsPerCommand };
      this.#submit({ kind: 'cancel_all', owner, conditionId: '', tokenId: '', step });
    }
    const [first] = participants;
    const end = first && exchange.submit({ ...END, account: first.wallet.address }, MADE_UP);
    await Promise.all(this.#writes);
    if (this.#refused > 0) log.warn({ orders: this.#refused }, 'orders of the past were refused');
    return (await end)?.timeMs ?? null;
  }

  #moveTo(timeMs: number): void {
    const { clock } = this.#parts;
    clock.setOffset(timeMs - (clock.shownMs() - clock.offsetMs));
  }

  /** What happens in a market in a step: a maker's order, and those that take it. */
  #burst(market: CrowdMarket, stepMs: number): readonly Wish[] {
    const random = this.#random;
    const { terms, traits, maker, sides, entry } = market;
    const last = this.#last.get(market);
    const fair = ONE_TICKS * terms.fair;
    const fewer = Math.max(1, this.#floor.markets.length / USUAL_MARKETS);
    // Moves grow with the square root of time.
    const most = Math.max(2 * traits.halfSpread, LEFT_BEHIND) * unitTicks(terms) * fewer ** 0.5;
    const isLeft = last === undefined || Math.abs(fair - last) > most;
    if (!isLeft && !happens(random, (IDLE_BURSTS * traits.turns) / fewer)) return [];
    const isUp = last === undefined || !isLeft ? random.chance(50) : fair > last;
    const side = sides.includes(isUp ? 'ask' : 'bid') ? (isUp ? 'ask' : 'bid') : sides[0];
    const priceTicks = side && bestQuote(side, terms);
    if (priceTicks === undefined) return [];
    this.#last.set(market, priceTicks);
    const takers = this.#parts.participants.filter(
      ({ role }) => role === (isLeft ? 'informed' : 'noise'),
    );
    const participant = random.pick(takers);
    const children = Math.min(Math.floor(pareto(random, LENGTH_EXPONENT)), MOST_CHILDREN);
    const buysYes = side === 'ask';
    let timeMs = stepMs + random.below(STEP_MS - (MOST_CHILDREN + 1) * CHILD_MS.most);
    const first = timeMs;
    const wishes = Array.from({ length: children }, () => {
      timeMs += random.between(CHILD_MS.least, CHILD_MS.most);
      const tokens = CHILD_SIZE * market.medianTokens * logNormal(random, SIZE_DEVIATION);
      const size = Math.max(Math.round(tokens * LOTS_PER_TOKEN), entry.minimumLots);
      return { timeMs, market, participant, buysYes, priceTicks, lots: lots(size) };
    });
    const all = lots(wishes.reduce((sum, wish) => sum + wish.lots, 0));
    const quote = { timeMs: first, market, participant: maker, buysYes: !buysYes, priceTicks };
    return [{ ...quote, lots: all }, ...wishes];
  }

  /** It sells tokens of the other outcome if it has enough of them. */
  #orderOf({ market, participant, buysYes, priceTicks, lots: size }: Wish): PlaceOrder {
    const { address } = participant.wallet;
    const [yes, no] = market.entry.tokenIds;
    const [wanted, other] = buysYes ? [yes, no] : [no, yes];
    const { available = 0 } = this.#parts.exchange.state.balance(address, other) ?? {};
    const isSale = available >= size;
    return {
      kind: 'place_order',
      orderId: this.#nextId(),
      account: address,
      owner: address,
      tokenId: isSale ? other : wanted,
      side: isSale ? 'SELL' : 'BUY',
      type: 'GTC',
      postOnly: false,
      // A sale of the other outcome is at the complement, in YES ticks too.
      priceTicks: isSale === buysYes ? complement(priceTicks) : priceTicks,
      lots: size,
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 0,
      earlyEndMs: 0,
      idCheckedSeq: this.#parts.exchange.appliedSeq,
      apiKey: '',
    };
  }

  /** The engine tells ids apart by their first digits. */
  #nextId(): string {
    this.#orders += 1;
    return `0x${this.#orders.toString(16).padStart(8, '0')}${this.#idEnd}`;
  }

  #submit(command: Command): void {
    const submitted = this.#parts.exchange.submit(command, MADE_UP);
    this.#writes.push(
      submitted.then(({ events }) => {
        if (rejectIn(events) !== undefined) this.#refused += 1;
      }),
    );
  }

  /** What a trader says of its trade, once in each event. */
  #comment({ timeMs, market, participant, buysYes, priceTicks }: Wish): void {
    const { exchange, textsOf } = this.#parts;
    const { eventId } = market.entry;
    const random = this.#random;
    if (participant.role === 'maker') return;
    const fromMs = this.#commentMs.get(eventId) ?? timeMs + random.below(this.#lengthMs);
    this.#commentMs.set(eventId, timeMs < fromMs ? fromMs : Number.POSITIVE_INFINITY);
    const id = Number(eventId);
    if (timeMs < fromMs || !Number.isSafeInteger(id)) return;
    const title = textsOf(market.conditionId)?.groupItemTitle ?? '';
    const cents = (buysYes ? priceTicks : complement(priceTicks)) / 100;
    const what = `${title === '' ? '' : `${title}: `}${buysYes ? 'Yes' : 'No'} at ${cents}¢`;
    const nowIso = isoTime(timeMs);
    const comment = {
      parent: { type: 'Event', id },
      userAddress: toChecksumAddress(participant.wallet.address),
      body: random.pick(OPINIONS)(what),
      key: '',
      sinceIso: nowIso,
      nowIso,
    } as const;
    this.#writes.push(exchange.catalog.write.comment(comment));
  }
}

const OPINIONS: readonly ((what: string) => string)[] = [
  (what) => `${what} looks cheap to me.`,
  (what) => `I took ${what}, and keep it.`,
  (what) => `${what}. Somebody sells who needs the money.`,
  (what) => `Bought a little: ${what}. Tell me why not.`,
];
