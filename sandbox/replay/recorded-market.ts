/**
 * One recorded market: which messages belong to it, which asset is YES, and what its book and its
 * price step are after each message.
 *
 * Invariant: the book is what the messages tell, whether or not the exchange could be brought to
 * it. A level that no exchange could have (off the price step, out of bounds) is not in it.
 * Bound: two assets, RECENT_TRADES trades, and the levels of one book.
 */
import { ONE_TICKS, type Outcome, type Ticks, ticks } from '../../engine/model/index.ts';
import { ticksText } from '../../http/codec/index.ts';
import type { FaultList } from './faults.ts';
import { asYes, type BookLevel, RecordedBook } from './recorded-book.ts';
import type { AssetLevel, RecordedMessage } from './recorded-message.ts';

/** A trade is recorded once for each asset; the copies may have other messages between them. */
const RECENT_TRADES = 64;
/** The price steps of the public venue, in ticks. */
const PUBLIC_STEPS = [1_000, 100, 10, 1].map(ticks);

export interface MarketOptions {
  /** The tokens of the market on the exchange. */
  readonly tokenIds: readonly [yes: string, no: string];
  readonly tickTicks: Ticks;
  /** The recorded market to play; undefined for that of the first message. */
  readonly recordedMarket: string | undefined;
  /** The recorded asset that is YES; undefined for the first one in the recording. */
  readonly yesAsset: string | undefined;
  readonly faults: FaultList;
}

/** What a message asks of the exchange. */
export type ReplayStep =
  | { readonly kind: 'book' }
  | { readonly kind: 'tick'; readonly tickTicks: Ticks; readonly oldTicks: Ticks }
  /** `level` is where the maker rests and how much is traded. */
  | { readonly kind: 'trade'; readonly level: BookLevel };

interface RecentTrade {
  readonly assetId: string;
  readonly identity: string;
}

export class RecordedMarket {
  readonly book = new RecordedBook();
  readonly #options: MarketOptions;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #tokenOutcomes: ReadonlyMap<string, Outcome>;
  readonly #trades: RecentTrade[] = [];
  #recordedMarket: string | undefined;
  #tickTicks: Ticks;
  #isTickRecorded = false;
  #streamId = '';
  #sequence = 0;

  constructor(options: MarketOptions) {
    const { tokenIds, tickTicks, recordedMarket, yesAsset } = options;
    this.#options = options;
    this.#tickTicks = tickTicks;
    this.#recordedMarket = recordedMarket?.toLowerCase();
    if (yesAsset !== undefined) this.#outcomes.set(yesAsset, 0);
    this.#tokenOutcomes = new Map([
      [tokenIds[0], 0],
      [tokenIds[1], 1],
    ]);
  }

  get tickTicks(): Ticks {
    return this.#tickTicks;
  }

  /** The exchange refused a price step, so levels are judged by the one that it has. */
  keepTick(tickTicks: Ticks): void {
    this.#tickTicks = tickTicks;
  }

  /** Whether a message is of another market. The first message decides unless options do. */
  isOther({ market }: RecordedMessage): boolean {
    if (market === '') return false;
    this.#recordedMarket ??= market;
    return market !== this.#recordedMarket;
  }

  /** Takes a message in, and returns what the exchange must do to be like the recording. */
  take(message: RecordedMessage): readonly ReplayStep[] {
    if (this.#isOld(message)) return [];
    switch (message.kind) {
      case 'book':
        return this.#takeBook(message);
      case 'changes':
        return this.#takeLevels(message.levels);
      case 'trade':
        return this.#takeTrade(message);
      case 'tick':
        return this.#outcomeOf(message.assetId) === undefined
          ? []
          : this.#takeRecordedTick(message.tickTicks);
      case 'other':
        return [];
    }
  }

  /** Recordings of this exchange have sequences: a resume may repeat messages of before. */
  #isOld({ streamId, sequence }: RecordedMessage): boolean {
    if (sequence === undefined) return false;
    if (streamId === this.#streamId && sequence < this.#sequence) {
      this.#options.faults.add(
        'sequence_old',
        `sequence ${sequence} comes after ${this.#sequence}, so the message is old`,
      );
      return true;
    }
    this.#streamId = streamId;
    this.#sequence = sequence;
    return false;
  }

  #outcomeOf(assetId: string): Outcome | undefined {
    const known = this.#outcomes.get(assetId) ?? this.#tokenOutcomes.get(assetId);
    if (known !== undefined) {
      this.#outcomes.set(assetId, known);
      return known;
    }
    if (this.#outcomes.size === 2) {
      const assets = [...this.#outcomes.keys()].join(' and ');
      this.#options.faults.add(
        'asset_unknown',
        `the asset ${assetId} is not one of the market's two, ${assets}`,
      );
      return undefined;
    }
    const outcome = [...this.#outcomes.values()].includes(0) ? 1 : 0;
    this.#outcomes.set(assetId, outcome);
    return outcome;
  }

  /** The level in prices of YES; undefined if no exchange can have it. */
  #levelIn(recorded: AssetLevel): BookLevel | undefined {
    const outcome = this.#outcomeOf(recorded.assetId);
    if (outcome === undefined) return undefined;
    const { priceTicks, lots } = recorded;
    const step = this.#tickTicks;
    const isOnTick = priceTicks % step === 0;
    if (lots === 0 || isOnTick) return asYes(recorded, outcome);
    const isWithin = priceTicks > step && priceTicks < ONE_TICKS - step;
    const [price, tick] = [ticksText(priceTicks), ticksText(step)];
    if (isWithin) {
      this.#options.faults.add('price_off_tick', `the price ${price} is not a multiple of ${tick}`);
    } else {
      const [least, most] = [tick, ticksText(ticks(ONE_TICKS - step))];
      this.#options.faults.add(
        'price_out_of_bounds',
        `the price ${price} is not between ${least} and ${most}`,
      );
    }
    return undefined;
  }

  #takeBook({
    assetId,
    levels,
    tickTicks,
  }: RecordedMessage & { kind: 'book' }): readonly ReplayStep[] {
    if (this.#outcomeOf(assetId) === undefined) return [];
    const needed = this.#neededStep(levels);
    const steps = [
      ...(tickTicks === undefined ? [] : this.#takeRecordedTick(tickTicks)),
      ...(tickTicks !== undefined || needed === undefined ? [] : this.#takeTick(needed)),
    ];
    this.book.clear();
    return [...steps, ...this.#takeLevels(levels)];
  }

  #takeLevels(levels: readonly AssetLevel[]): readonly ReplayStep[] {
    for (const recorded of levels) {
      const level = this.#levelIn(recorded);
      if (level !== undefined) this.book.set(level);
    }
    if (this.book.isCrossed) {
      const [bid, ask] = [this.book.best('bid'), this.book.best('ask')];
      const [shownBid, shownAsk] = [bid, ask].map((price) => ticksText(price ?? ticks(0)));
      this.#options.faults.add(
        'book_crossed',
        `the recorded book is crossed: bid ${shownBid}, ask ${shownAsk}`,
      );
      return [];
    }
    return [{ kind: 'book' }];
  }

  #takeTrade({ trade, hash, timeMs }: RecordedMessage & { kind: 'trade' }): readonly ReplayStep[] {
    const taken = this.#levelIn(trade);
    if (taken === undefined || taken.lots === 0) return [];
    // A taker that buys meets an ask.
    const level: BookLevel = { ...taken, side: taken.side === 'bid' ? 'ask' : 'bid' };
    const { side, priceTicks, lots } = level;
    const event = hash === '' ? timeMs : hash;
    const identity = [event, side, priceTicks, lots].join();
    const { assetId } = trade;
    return event !== undefined && this.#isCopy({ assetId, identity })
      ? []
      : [{ kind: 'trade', level }];
  }

  /** Whether the trade was recorded for the other asset before. */
  #isCopy(trade: RecentTrade): boolean {
    const original = this.#trades.findIndex(
      ({ assetId, identity }) => identity === trade.identity && assetId !== trade.assetId,
    );
    if (original >= 0) {
      this.#trades.splice(original, 1);
      return true;
    }
    this.#trades.push(trade);
    if (this.#trades.length > RECENT_TRADES) this.#trades.shift();
    return false;
  }

  /** The finer step that a book needs; undefined if it needs none or the step was recorded. */
  #neededStep(levels: readonly AssetLevel[]): Ticks | undefined {
    if (this.#isTickRecorded) return undefined;
    const fits = (step: Ticks): boolean =>
      levels.every(({ priceTicks }) => priceTicks % step === 0);
    if (fits(this.#tickTicks)) return undefined;
    return PUBLIC_STEPS.find((step) => step < this.#tickTicks && fits(step));
  }

  #takeRecordedTick(tickTicks: Ticks): readonly ReplayStep[] {
    this.#isTickRecorded = true;
    return this.#takeTick(tickTicks);
  }

  #takeTick(tickTicks: Ticks): readonly ReplayStep[] {
    if (tickTicks === this.#tickTicks) return [];
    const oldTicks = this.#tickTicks;
    this.#tickTicks = tickTicks;
    return [{ kind: 'tick', tickTicks, oldTicks }];
  }
}
