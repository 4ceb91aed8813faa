/**
 * Projects the events that move tokens, or cash from or to the outside, into the tables of
 * schema.sql, by the formulas in formulas.md. Invariants: fills are projected one by one, in the
 * order of their events, so the tables do not depend on the steps; when a market is resolved,
 * positions have exactly the tokens that the engine has. Bound: the rows that one step changes are
 * in memory until its end.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type {
  Converted,
  EngineEvent,
  Holder,
  MarketResolved,
  Outcome,
  Redeemed,
  SetsMoved,
} from '../../../engine/index.ts';
import { cashFor, complement, type Lots, ONE_TICKS, ticks } from '../../../engine/model/index.ts';
import { type FillParty, makerOf, NO_MARKET, type TradeHead, takerOf } from '../../shared/index.ts';
import { AccountTotals } from './account-totals.ts';
import { MarketDays } from './market-days.ts';
import { type MarketStateRow, MarketStates } from './market-states.ts';
import {
  chargeFee,
  conversionAmounts,
  costOf,
  evenShare,
  increasePosition,
  reducePosition,
  writeOff,
} from './math.ts';
import { type Position, PositionRows } from './position-rows.ts';

/** The keys of the tables. */
interface Names {
  account(address: string): { readonly accountKey: number };
  market(conditionId: string): number;
}

/** When the command of an event was applied. */
interface CommandTime {
  readonly seq: number;
  readonly timeMs: number;
}

interface FillSide extends FillParty {
  readonly marketKey: number;
  readonly timeMs: number;
  /** Trades that this fill adds to the participant's count: 0 or 1. */
  readonly trades: number;
}

interface Activity extends CommandTime {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: Outcome | null;
  readonly kind: 'SPLIT' | 'MERGE' | 'REDEEM' | 'CONVERSION' | 'DEPOSIT' | 'WITHDRAWAL';
  readonly lots: number;
  readonly micros: number;
}

const OUTCOMES: readonly Outcome[] = [0, 1];
const HALF_TICKS = ticks(ONE_TICKS / 2);

export class PositionLedger {
  readonly #names: Names;
  readonly markets: MarketStates;
  readonly #positions: PositionRows;
  readonly #totals: AccountTotals;
  readonly #days: MarketDays;
  readonly #insertActivity: Statement<[Activity]>;

  constructor(database: Database, names: Names) {
    this.#names = names;
    this.markets = new MarketStates(database);
    this.#positions = new PositionRows(database);
    this.#totals = new AccountTotals(database);
    this.#days = new MarketDays(database);
    // SQLite counts the keys from 1, because no row is ever deleted.
    this.#insertActivity = database.prepare(
      'INSERT INTO activities ' +
        '(account_key, market_key, outcome, kind, lots, micros, time_ms, seq) ' +
        'VALUES (@accountKey, @marketKey, @outcome, @kind, @lots, @micros, @timeMs, @seq)',
    );
  }

  projectTrade({ fills }: TradeHead, timeMs: number): void {
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

  /** Ignores events that move neither tokens nor cash. */
  project(event: EngineEvent, commandTime: CommandTime): void {
    if (event.kind === 'cash_moved') {
      this.#moveCash(event.account, event.amountMicros, commandTime);
    } else if (event.kind === 'account_opened') {
      this.#moveCash(event.address, event.paperMicros, commandTime);
    } else if (event.kind === 'sets_moved') this.#moveSets(event, commandTime);
    else if (event.kind === 'redeemed') this.#redeem(event, commandTime);
    else if (event.kind === 'converted') this.#convert(event, commandTime);
    else if (event.kind === 'event_opened') {
      this.markets.openEvent(event.conditionIds.map((id) => this.#names.market(id)));
    }
  }

  /** Writes off the positions that pay nothing. `holders` are those of the engine at that time. */
  resolve(event: MarketResolved, holders: Iterable<Holder>, timeMs: number): void {
    const { conditionId, payoutTicks } = event;
    const market = this.markets.change(this.#names.market(conditionId));
    market.payoutTicks = payoutTicks;
    market.resolvedMs = timeMs;
    if (payoutTicks > 0 && payoutTicks < ONE_TICKS) return;
    const outcome: Outcome = payoutTicks === 0 ? 0 : 1;
    for (const { account, yesLots, noLots } of holders) {
      const lots = outcome === 0 ? yesLots : noLots;
      if (lots === 0) continue;
      const { accountKey } = this.#names.account(account);
      const position = this.#positions.change(accountKey, market.marketKey, outcome);
      assert(position.lots === lots, 'the tokens of the tables are those of the engine');
      this.#addRealized(position, writeOff(position, timeMs), timeMs);
    }
  }

  /** Writes the rows that the step changed. */
  flush(): void {
    this.#positions.flush();
    this.#totals.flush();
    this.#days.flush();
    this.markets.flush();
  }

  #fill(party: FillSide): void {
    const { marketKey, outcome, side, priceTicks, lots, feeMicros, timeMs, trades } = party;
    const { accountKey } = this.#names.account(party.account);
    const position = this.#positions.change(accountKey, marketKey, outcome);
    const isNew = position.tradeCount === 0 && !this.#hasTradedOther(position);
    const volumeMicros = cashFor(lots, priceTicks);
    const move = { lots, micros: volumeMicros, timeMs };
    let realizedMicros = 0;
    if (side === 'BUY') increasePosition(position, move);
    else realizedMicros = reducePosition(position, move);
    realizedMicros += chargeFee(position, feeMicros, side);
    position.tradeCount += trades;
    const markets = isNew ? 1 : 0;
    const change = { trades, markets, volumeMicros, realizedMicros, feeMicros };
    this.#totals.add({ accountKey, timeMs, ...change });
    const traded = { volumeMicros, realizedMicros, volumeLots: lots, trades };
    this.#days.add({ marketKey, accountKey, timeMs, ...traded });
  }

  #moveCash(account: string, amountMicros: number, commandTime: CommandTime): void {
    if (amountMicros === 0) return;
    const { accountKey } = this.#names.account(account);
    const kind = amountMicros > 0 ? 'DEPOSIT' : 'WITHDRAWAL';
    const moved = { kind, lots: 0, micros: Math.abs(amountMicros) } as const;
    const of = { accountKey, marketKey: NO_MARKET, outcome: null };
    this.#insertActivity.run({ ...commandTime, ...of, ...moved });
  }

  #hasTradedOther({ accountKey, marketKey, outcome }: Position): boolean {
    return this.#positions.hasTraded(accountKey, marketKey, outcome === 0 ? 1 : 0);
  }

  #moveSets({ account, conditionId, splitLots }: SetsMoved, commandTime: CommandTime): void {
    const market = this.markets.change(this.#names.market(conditionId));
    const { accountKey } = this.#names.account(account);
    const size = Math.abs(splitLots) as Lots; // a whole number, as splitLots is
    const { timeMs } = commandTime;
    const move = { lots: size, micros: cashFor(size, HALF_TICKS), timeMs };
    for (const outcome of OUTCOMES) {
      const position = this.#positions.change(accountKey, market.marketKey, outcome);
      if (splitLots > 0) increasePosition(position, move);
      else this.#addRealized(position, reducePosition(position, move), timeMs);
    }
    changeSets(market, splitLots);
    const kind = splitLots > 0 ? 'SPLIT' : 'MERGE';
    const { marketKey } = market;
    const moved = { kind, lots: size, micros: cashFor(size, ONE_TICKS) } as const;
    this.#insertActivity.run({ ...commandTime, accountKey, marketKey, outcome: null, ...moved });
  }

  #redeem({ account, conditionId, yesLots, noLots }: Redeemed, commandTime: CommandTime): void {
    const market = this.markets.change(this.#names.market(conditionId));
    const { accountKey } = this.#names.account(account);
    const { marketKey, payoutTicks } = market;
    assert(payoutTicks !== null, 'only a resolved market is redeemed');
    const { timeMs } = commandTime;
    for (const outcome of OUTCOMES) {
      const lots = outcome === 0 ? yesLots : noLots;
      if (lots === 0) continue;
      const micros = lots * (outcome === 0 ? payoutTicks : ONE_TICKS - payoutTicks);
      const position = this.#positions.change(accountKey, marketKey, outcome);
      this.#addRealized(position, reducePosition(position, { lots, micros, timeMs }), timeMs);
      const moved = { kind: 'REDEEM', lots, micros } as const;
      this.#insertActivity.run({ ...commandTime, accountKey, marketKey, outcome, ...moved });
    }
    market.yesLots -= yesLots;
    market.noLots -= noLots;
  }

  #convert(event: Converted, commandTime: CommandTime): void {
    const { lots, amountMicros: cashMicros } = event;
    const { timeMs } = commandTime;
    const { accountKey } = this.#names.account(event.account);
    const given = event.conditionIds.map((id) => this.#names.market(id)).sort((a, b) => a - b);
    const markets = this.markets.siblings(given[0] ?? 0);
    const others = markets.filter((marketKey) => !given.includes(marketKey));
    const no = given.map((marketKey) => this.#positions.change(accountKey, marketKey, 1));
    const yes = others.map((marketKey) => this.#positions.change(accountKey, marketKey, 0));
    const costs = no.map((position) => costOf(position, lots));
    const { received, paid } = conversionAmounts({ costs, cashMicros, yesCount: yes.length });
    const insert = ({ marketKey, outcome }: Position, micros: number) => {
      const moved = { kind: 'CONVERSION', outcome, lots, micros } as const;
      this.#insertActivity.run({ ...commandTime, accountKey, marketKey, ...moved });
    };
    for (const [place, position] of no.entries()) {
      const micros = known(received[place]);
      this.#addRealized(position, reducePosition(position, { lots, micros, timeMs }), timeMs);
      this.markets.change(position.marketKey).noLots -= lots;
      insert(position, evenShare(cashMicros, no.length, place));
    }
    for (const [place, position] of yes.entries()) {
      increasePosition(position, { lots, micros: known(paid[place]), timeMs });
      this.markets.change(position.marketKey).yesLots += lots;
      insert(position, 0);
    }
  }

  #addRealized({ accountKey, marketKey }: Position, realizedMicros: number, timeMs: number): void {
    const noTrade = { trades: 0, markets: 0, volumeMicros: 0, feeMicros: 0 };
    this.#totals.add({ accountKey, timeMs, realizedMicros, ...noTrade });
    const { trades, volumeMicros } = noTrade;
    const realized = { trades, volumeMicros, volumeLots: 0, realizedMicros };
    this.#days.add({ marketKey, accountKey, timeMs, ...realized });
  }
}

function changeSets(market: MarketStateRow, lots: number): void {
  market.yesLots += lots;
  market.noLots += lots;
}

function known(value: number | undefined): number {
  assert(value !== undefined, 'each position of a conversion has its amount');
  return value;
}
