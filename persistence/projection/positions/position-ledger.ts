/**
 * Who has what, at what cost, and what was won by it: follows the events that move tokens into the
 * tables of ledger-schema.ts, by the formulas of formulas.md. Invariants: fills are taken one by
 * one, in the order of their events, so the tables are the same whatever the steps; when a market
 * is resolved, the tokens that the tables know are those of the engine. Bound: the rows that one
 * step touches are in memory until its end.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type {
  Converted,
  EngineEvent,
  Fill,
  Holder,
  MarketResolved,
  Outcome,
  Redeemed,
  SetsMoved,
} from '../../../engine/index.ts';
import {
  cashFor,
  complement,
  type Lots,
  ONE_TICKS,
  type Ticks,
  ticks,
} from '../../../engine/model/index.ts';
import type { TradeHead } from '../../shared/index.ts';
import { LedgerPositions, type Position } from './ledger-positions.ts';
import { LedgerTotals } from './ledger-totals.ts';
import { type MarketState, MarketStates } from './market-states.ts';
import {
  charge,
  conversionAmounts,
  costOf,
  evenShare,
  giveAway,
  takeIn,
  writeOff,
} from './position-math.ts';

/** The numbers of the tables. */
interface Names {
  account(address: string): { readonly accountKey: number };
  market(conditionId: string): number;
}

/** When an event happened. */
interface Moment {
  readonly seq: number;
  readonly timeMs: number;
}

/** One side of a fill. */
interface Side {
  readonly account: string;
  readonly marketKey: number;
  readonly outcome: Outcome;
  readonly isBuy: boolean;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  readonly feeMicros: number;
  readonly timeMs: number;
  /** 1 where its trade begins, 0 where it goes on. */
  readonly trades: number;
}

interface Activity extends Moment {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: Outcome | null;
  readonly kind: 'SPLIT' | 'MERGE' | 'REDEEM' | 'CONVERSION';
  readonly lots: number;
  readonly micros: number;
}

interface Loser {
  readonly account: string;
  readonly lots: number;
}

/** The outcome of a market that pays nothing. */
interface Loss {
  readonly marketKey: number;
  readonly outcome: Outcome;
  readonly timeMs: number;
}

const OUTCOMES: readonly Outcome[] = [0, 1];
const HALF_TICKS = ticks(ONE_TICKS / 2);

export class PositionLedger {
  readonly #names: Names;
  readonly markets: MarketStates;
  readonly #positions: LedgerPositions;
  readonly #totals: LedgerTotals;
  readonly #insertActivity: Statement<[Activity]>;

  /** Goes on from what the tables have. */
  constructor(database: Database, names: Names) {
    this.#names = names;
    this.markets = new MarketStates(database);
    this.#positions = new LedgerPositions(database);
    this.#totals = new LedgerTotals(database);
    // Its keys count from 1: nothing is ever deleted.
    this.#insertActivity = database.prepare(
      'INSERT INTO activities ' +
        '(account_key, market_key, outcome, kind, lots, micros, time_ms, seq) ' +
        'VALUES (@accountKey, @marketKey, @outcome, @kind, @lots, @micros, @timeMs, @seq)',
    );
  }

  /** All fills of one trade. */
  takeTrade({ fills }: TradeHead, timeMs: number): void {
    for (const [index, fill] of fills.entries()) {
      const market = this.markets.change(this.#names.market(fill.conditionId));
      const { marketKey } = market;
      const isFirst = index === 0;
      this.#fill({ ...takerOf(fill), marketKey, timeMs, trades: isFirst ? 1 : 0 });
      this.#fill({ ...makerOf(fill), marketKey, timeMs, trades: 1 });
      market.lastTicks =
        fill.takerOutcome === 0 ? fill.takerPriceTicks : complement(fill.takerPriceTicks);
      if (fill.match === 'mint') changeSets(market, fill.lots);
      else if (fill.match === 'merge') changeSets(market, -fill.lots);
    }
  }

  /** What else moves tokens, or says what they are worth. */
  take(event: EngineEvent, moment: Moment): void {
    if (event.kind === 'sets_moved') this.#moveSets(event, moment);
    else if (event.kind === 'redeemed') this.#redeem(event, moment);
    else if (event.kind === 'converted') this.#convert(event, moment);
    else if (event.kind === 'event_opened') {
      this.markets.openEvent(event.conditionIds.map((id) => this.#names.market(id)));
    }
  }

  /** Writes off what pays nothing; `holders` are those that the engine has then. */
  resolve(event: MarketResolved, holders: Iterable<Holder>, timeMs: number): void {
    const { conditionId, payoutTicks } = event;
    const market = this.markets.change(this.#names.market(conditionId));
    market.payoutTicks = payoutTicks;
    market.resolvedMs = timeMs;
    if (payoutTicks > 0 && payoutTicks < ONE_TICKS) return;
    const outcome: Outcome = payoutTicks === 0 ? 0 : 1;
    const loss = { marketKey: market.marketKey, outcome, timeMs };
    for (const { account, yesLots, noLots } of holders) {
      this.#writeOff({ account, lots: outcome === 0 ? yesLots : noLots }, loss);
    }
  }

  /** Writes what a step changed. */
  flush(): void {
    this.#positions.flush();
    this.#totals.flush();
    this.markets.flush();
  }

  #fill(side: Side): void {
    const { marketKey, outcome, isBuy, priceTicks, lots, feeMicros, timeMs, trades } = side;
    const { accountKey } = this.#names.account(side.account);
    const position = this.#positions.touch(accountKey, marketKey, outcome);
    const isNew = position.tradeCount === 0 && !this.#hasTradedOther(position);
    const volumeMicros = cashFor(lots, priceTicks);
    const move = { lots, micros: volumeMicros, timeMs };
    let realizedMicros = 0;
    if (isBuy) takeIn(position, move);
    else realizedMicros = giveAway(position, move);
    realizedMicros += charge(position, feeMicros);
    position.tradeCount += trades;
    const markets = isNew ? 1 : 0;
    const change = { trades, markets, volumeMicros, realizedMicros, feeMicros };
    this.#totals.add({ accountKey, timeMs, ...change });
  }

  #hasTradedOther({ accountKey, marketKey, outcome }: Position): boolean {
    return this.#positions.hasTraded(accountKey, marketKey, outcome === 0 ? 1 : 0);
  }

  #moveSets({ account, conditionId, splitLots }: SetsMoved, moment: Moment): void {
    const market = this.markets.change(this.#names.market(conditionId));
    const { accountKey } = this.#names.account(account);
    const size = Math.abs(splitLots) as Lots; // whole lots
    const { timeMs } = moment;
    const move = { lots: size, micros: cashFor(size, HALF_TICKS), timeMs };
    for (const outcome of OUTCOMES) {
      const position = this.#positions.touch(accountKey, market.marketKey, outcome);
      if (splitLots > 0) takeIn(position, move);
      else this.#win(position, giveAway(position, move), timeMs);
    }
    changeSets(market, splitLots);
    const kind = splitLots > 0 ? 'SPLIT' : 'MERGE';
    const { marketKey } = market;
    const moved = { kind, lots: size, micros: cashFor(size, ONE_TICKS) } as const;
    this.#insertActivity.run({ ...moment, accountKey, marketKey, outcome: null, ...moved });
  }

  #redeem({ account, conditionId, yesLots, noLots }: Redeemed, moment: Moment): void {
    const market = this.markets.change(this.#names.market(conditionId));
    const { accountKey } = this.#names.account(account);
    const { marketKey, payoutTicks } = market;
    assert(payoutTicks !== null, 'a market is resolved before it pays');
    const { timeMs } = moment;
    for (const outcome of OUTCOMES) {
      const lots = outcome === 0 ? yesLots : noLots;
      if (lots === 0) continue;
      const micros = lots * (outcome === 0 ? payoutTicks : ONE_TICKS - payoutTicks);
      const position = this.#positions.touch(accountKey, marketKey, outcome);
      this.#win(position, giveAway(position, { lots, micros, timeMs }), timeMs);
      const moved = { kind: 'REDEEM', lots, micros } as const;
      this.#insertActivity.run({ ...moment, accountKey, marketKey, outcome, ...moved });
    }
    market.yesLots -= yesLots;
    market.noLots -= noLots;
  }

  #convert(event: Converted, moment: Moment): void {
    const { lots, amountMicros: cashMicros } = event;
    const { timeMs } = moment;
    const { accountKey } = this.#names.account(event.account);
    const given = event.conditionIds.map((id) => this.#names.market(id)).sort((a, b) => a - b);
    const markets = this.markets.siblings(given[0] ?? 0);
    const taken = markets.filter((marketKey) => !given.includes(marketKey));
    const no = given.map((marketKey) => this.#positions.touch(accountKey, marketKey, 1));
    const yes = taken.map((marketKey) => this.#positions.touch(accountKey, marketKey, 0));
    const costs = no.map((position) => costOf(position, lots));
    const { received, paid } = conversionAmounts({ costs, cashMicros, takenCount: yes.length });
    const insert = ({ marketKey, outcome }: Position, micros: number) => {
      const moved = { kind: 'CONVERSION', outcome, lots, micros } as const;
      this.#insertActivity.run({ ...moment, accountKey, marketKey, ...moved });
    };
    for (const [place, position] of no.entries()) {
      const micros = known(received[place]);
      this.#win(position, giveAway(position, { lots, micros, timeMs }), timeMs);
      this.markets.change(position.marketKey).noLots -= lots;
      insert(position, evenShare(cashMicros, no.length, place));
    }
    for (const [place, position] of yes.entries()) {
      takeIn(position, { lots, micros: known(paid[place]), timeMs });
      this.markets.change(position.marketKey).yesLots += lots;
      insert(position, 0);
    }
  }

  #writeOff({ account, lots }: Loser, { marketKey, outcome, timeMs }: Loss): void {
    if (lots === 0) return;
    const { accountKey } = this.#names.account(account);
    const position = this.#positions.touch(accountKey, marketKey, outcome);
    assert(position.lots === lots, 'the tokens of the tables are those of the engine');
    this.#win(position, writeOff(position, timeMs), timeMs);
  }

  /** Counts what was earned or lost without a trade. */
  #win({ accountKey }: Position, realizedMicros: number, timeMs: number): void {
    const noTrade = { trades: 0, markets: 0, volumeMicros: 0, feeMicros: 0 };
    this.#totals.add({ accountKey, timeMs, realizedMicros, ...noTrade });
  }
}

type Party = Pick<Side, 'account' | 'outcome' | 'isBuy' | 'priceTicks' | 'lots' | 'feeMicros'>;

function takerOf(fill: Fill): Party {
  return {
    account: fill.takerAccount,
    outcome: fill.takerOutcome,
    isBuy: fill.takerSide === 'BUY',
    priceTicks: fill.takerPriceTicks,
    lots: fill.lots,
    feeMicros: fill.fees?.takerMicros ?? 0,
  };
}

function makerOf(fill: Fill): Party {
  return {
    account: fill.makerAccount,
    outcome: fill.makerOutcome,
    isBuy: fill.makerSide === 'BUY',
    priceTicks: fill.makerPriceTicks,
    lots: fill.lots,
    feeMicros: fill.fees?.makerMicros ?? 0,
  };
}

function changeSets(market: MarketState, lots: number): void {
  market.yesLots += lots;
  market.noLots += lots;
}

function known(value: number | undefined): number {
  assert(value !== undefined, 'each position of a conversion has its amount');
  return value;
}
