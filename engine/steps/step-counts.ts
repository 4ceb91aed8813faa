/**
 * The number of steps of each market and each owner since the first command. A step is what a
 * message of a stream reports and numbers:
 *
 * - of a market: a trade; a change of the tick in a batch; and the levels that a batch changed, or,
 *   if it changed the minimum size of an order, the books in place of the levels;
 * - of an owner: an order that is accepted, is in a trade, comes to rest after its delay, or ends
 *   unmatched; `STATUSES` for each trade; and each balance that is other than before the batch.
 *
 * Invariant: equal to the numbers that the feeds of http/streams give to their messages. The counts
 * are exact at the end of a batch. Bound: a few bytes for each market and owner, and the balances
 * that one batch changes.
 */

import { NONE } from '../book/index.ts';
import type {
  EngineEvent,
  Fill,
  LevelChanged,
  OrderClosed,
  OrderReleased,
  Outcome,
} from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { TouchedRows } from '../state/touched-rows.ts';

/** The messages of a trade to each party: MATCHED, MINED and CONFIRMED. */
const STATUSES = 3;

export interface MarketSteps {
  readonly count: number;
  /** Whether the last step is reported in a copy for each token. */
  readonly isSplit: boolean;
}

/** The counts of all markets in order of creation, and of all owners in order of first account. */
export interface CountedSteps {
  readonly markets: readonly MarketSteps[];
  readonly owners: readonly number[];
}

/** A balance after a batch that changed it: micros of cash, or lots of a token. */
export interface ChangedBalance {
  readonly account: string;
  /** '' for cash, as is `tokenId`. */
  readonly conditionId: string;
  readonly tokenId: string;
  readonly available: number;
  readonly held: number;
}

const NO_STEPS: MarketSteps = { count: 0, isSplit: false };

/** A market's count, with what a batch does to it until its end. */
interface CountedMarket {
  count: number;
  isSplit: boolean;
  /** The terms at the end of the last batch; NONE for a market that was created since. */
  tickTicks: number;
  minimumLots: number;
  /** The lots of each level at the end of the last batch, by `levelName`. */
  readonly levels: Map<number, number>;
  isTouched: boolean;
  /** The lots of the levels that the batch changed, by `levelName`. */
  readonly newLevels: Map<number, number>;
}

function levelName(priceTicks: number, isBid: boolean): number {
  return priceTicks * 2 + (isBid ? 1 : 0);
}

export class StepCounts {
  readonly #state: EngineState;
  readonly #markets: CountedMarket[];
  readonly #touchedMarkets: CountedMarket[] = [];
  readonly #touchedIndexes: number[] = [];
  readonly #owners: number[];
  readonly #cash = new TouchedRows();
  readonly #tokens = new TouchedRows();
  /** The rows of the last batch whose amounts differ from those before it. */
  readonly #changedCash: number[] = [];
  readonly #changedTokens: number[] = [];
  /** By owner: the trade that counted it last. */
  readonly #countedTrades: number[] = [];
  #trades = 0;
  /** Whether commands were counted after the last end of a batch. */
  isMidBatch = false;

  /** Throws RangeError if the counts are not those of the state's markets and owners. */
  constructor(state: EngineState, { markets, owners }: CountedSteps) {
    const { ledger, positions } = state;
    if (markets.length !== state.markets.length || owners.length !== ledger.owners.length) {
      throw new RangeError('there is a count for each market and each owner');
    }
    this.#state = state;
    this.#owners = [...owners];
    this.#markets = markets.map((steps, index) => this.#counted(steps, index));
    ledger.touched = this.#cash;
    positions.touched = this.#tokens;
  }

  /** Counts the events of one command. */
  take(events: readonly EngineEvent[]): void {
    this.isMidBatch = true;
    let lastFill: Fill | undefined;
    // Here and at the end of a batch without iterators, whose results were a third of the garbage.
    for (let place = 0; place < events.length; place += 1) {
      const event = events[place]!;
      if (event.kind === 'fill') {
        this.#takeFill(event, lastFill);
        lastFill = event;
      } else if (event.kind === 'level_changed') this.#takeLevel(event);
      else if (event.kind === 'order_accepted') this.#addToOwner(event.account, 1);
      else if (event.kind === 'order_closed') this.#takeClosed(event);
      else if (event.kind === 'order_released') this.#takeReleased(event, events, place);
      else if (event.kind === 'market_created' || event.kind === 'market_changed') {
        this.#touched(event.conditionId);
      }
    }
  }

  /** Counts what depends on the whole batch: terms, levels and balances. Nothing, if it is over. */
  endBatch(): void {
    if (!this.isMidBatch) return;
    this.isMidBatch = false;
    for (let place = 0; place < this.#touchedMarkets.length; place += 1) {
      this.#endMarket(this.#touchedMarkets[place]!, this.#touchedIndexes[place]!);
    }
    this.#touchedMarkets.length = 0;
    this.#touchedIndexes.length = 0;
    this.#endCash();
    this.#endTokens();
  }

  /** The count of a market at the end of the last batch. */
  market(index: number): MarketSteps {
    const { count, isSplit } = this.#markets[index] ?? NO_STEPS;
    return { count, isSplit };
  }

  /** The count of an owner at the end of the last batch. */
  owner(index: number): number {
    return this.#owners[index] ?? 0;
  }

  /** All counts at the end of the last batch. */
  get all(): CountedSteps {
    const { markets, ledger } = this.#state;
    return {
      markets: markets.map((_, index) => this.market(index)),
      owners: ledger.owners.map((_, index) => this.owner(index)),
    };
  }

  /**
   * The balances that the last batch changed, of wanted accounts: cash first, each in the order of
   * its first change. Read them before the next command.
   */
  changedBalances(wants: (account: string) => boolean): ChangedBalance[] {
    const { ledger, positions, markets } = this.#state;
    const changed: ChangedBalance[] = [];
    for (const index of this.#changedCash) {
      const { address: account } = ledger.accounts[index]!;
      if (!wants(account)) continue;
      const [available, held] = [ledger.availableMicros[index]!, ledger.heldMicros[index]!];
      changed.push({ account, conditionId: '', tokenId: '', available, held });
    }
    for (const row of this.#changedTokens) {
      const [position, outcome] = [row >>> 1, (row & 1) as Outcome];
      const { address: account } = ledger.accounts[positions.account[position]!]!;
      if (!wants(account)) continue;
      const { conditionId, tokenIds } = markets[positions.market[position]!]!.terms;
      const available = positions.available(position, outcome);
      const held = positions.held(position, outcome);
      changed.push({ account, conditionId, tokenId: tokenIds[outcome], available, held });
    }
    return changed;
  }

  #counted({ count, isSplit }: MarketSteps, index: number): CountedMarket {
    const { book, terms } = this.#state.markets[index]!;
    const levels = new Map<number, number>();
    for (const isBid of [true, false]) {
      for (const level of book.levels(isBid)) {
        levels.set(levelName(book.priceOf(level), isBid), book.lotsAt(level));
      }
    }
    const { tickTicks, minimumLots } = terms;
    const isTouched = false;
    return { count, isSplit, tickTicks, minimumLots, levels, isTouched, newLevels: new Map() };
  }

  #touched(conditionId: string): CountedMarket {
    const { index } = this.#state.marketByCondition.get(conditionId)!;
    let market = this.#markets[index];
    if (market === undefined) {
      market = this.#counted(NO_STEPS, index);
      market.tickTicks = NONE;
      this.#markets[index] = market;
    }
    if (market.isTouched) return market;
    market.isTouched = true;
    this.#touchedMarkets.push(market);
    this.#touchedIndexes.push(index);
    return market;
  }

  /** Returns the owner's index. */
  #addToOwner(account: string, steps: number): number {
    const { ledger } = this.#state;
    return this.#add(ledger.accounts[ledger.findAccount(account)]!.ownerIndex, steps);
  }

  #add(owner: number, steps: number): number {
    this.#owners[owner] = (this.#owners[owner] ?? 0) + steps;
    return owner;
  }

  /** `lastFill`: the command's fill before this one. */
  #takeFill(fill: Fill, lastFill: Fill | undefined): void {
    const isSameTrade =
      lastFill?.bucket === fill.bucket && lastFill.takerOrderId === fill.takerOrderId;
    if (!isSameTrade) {
      this.#trades += 1;
      const market = this.#touched(fill.conditionId);
      market.count += 1;
      market.isSplit = true;
      this.#addParty(fill.takerAccount);
    }
    this.#addParty(fill.makerAccount);
  }

  /** Counts an order in the present trade, and the trade itself for an owner that is new in it. */
  #addParty(account: string): void {
    const owner = this.#addToOwner(account, 1);
    if (this.#countedTrades[owner] === this.#trades) return;
    while (this.#countedTrades.length < owner) this.#countedTrades.push(0);
    this.#countedTrades[owner] = this.#trades;
    this.#owners[owner]! += STATUSES;
  }

  /** The message of an order's last trade already says that it matched. */
  #takeClosed({ reason, filledLots, account }: OrderClosed): void {
    const isRest = reason === 'remainder_released' || reason === 'unmatched';
    const isMatched = reason === 'matched' || (isRest && filledLots > 0);
    if (!isMatched) this.#addToOwner(account, 1);
  }

  /** An order that trades or ends when its delay is over has other messages. */
  #takeReleased(
    { orderId, account }: OrderReleased,
    events: readonly EngineEvent[],
    place: number,
  ): void {
    for (let at = place + 1; at < events.length; at += 1) {
      const event = events[at]!;
      if (event.kind === 'fill' && event.takerOrderId === orderId) return;
      if (event.kind === 'order_closed' && event.orderId === orderId) return;
    }
    this.#addToOwner(account, 1);
  }

  #takeLevel({ conditionId, priceTicks, side, lots }: LevelChanged): void {
    const { newLevels } = this.#touched(conditionId);
    newLevels.set(levelName(priceTicks, side === 'bid'), lots);
  }

  #endMarket(market: CountedMarket, index: number): void {
    const { tickTicks, minimumLots } = this.#state.markets[index]!.terms;
    const isNew = market.tickTicks === NONE;
    if (!isNew && market.tickTicks !== tickTicks) {
      market.count += 1;
      market.isSplit = true;
    }
    const hasNewMinimum = !isNew && market.minimumLots !== minimumLots;
    if (hasNewLevels(market) || hasNewMinimum) {
      market.count += 1;
      market.isSplit = hasNewMinimum;
    }
    market.tickTicks = tickTicks;
    market.minimumLots = minimumLots;
    market.isTouched = false;
  }

  #endCash(): void {
    const { ledger } = this.#state;
    const { rows, available, held } = this.#cash;
    this.#changedCash.length = 0;
    for (let place = 0; place < rows.length; place += 1) {
      const account = rows[place]!;
      const isSame =
        available[place] === ledger.availableMicros[account] &&
        held[place] === ledger.heldMicros[account];
      if (isSame) continue;
      this.#changedCash.push(account);
      this.#add(ledger.accounts[account]!.ownerIndex, 1);
    }
    this.#cash.clear();
  }

  #endTokens(): void {
    const { positions, ledger } = this.#state;
    const { rows, available, held } = this.#tokens;
    this.#changedTokens.length = 0;
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place]!;
      const position = row >>> 1;
      const outcome = (row & 1) as Outcome;
      const isSame =
        available[place] === positions.available(position, outcome) &&
        held[place] === positions.held(position, outcome);
      if (isSame) continue;
      this.#changedTokens.push(row);
      this.#add(ledger.accounts[positions.account[position]!]!.ownerIndex, 1);
    }
    this.#tokens.clear();
  }
}

/** Whether the batch left a level with other lots than before. */
function hasNewLevels({ levels, newLevels }: CountedMarket): boolean {
  let isAny = false;
  for (const [name, lots] of newLevels) {
    isAny ||= (levels.get(name) ?? 0) !== lots;
    if (lots === 0) levels.delete(name);
    else levels.set(name, lots);
  }
  newLevels.clear();
  return isAny;
}
