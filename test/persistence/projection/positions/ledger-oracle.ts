/**
 * What the tables of positions must contain, computed slowly from the raw events: a position is the
 * list of all moves of its tokens, and each amount is added up from that list in BigInt. Nothing is
 * cached or updated in place.
 */
import { strict as assert } from 'node:assert';
import type { Converted, EngineEvent, Fill } from '../../../../engine/index.ts';
import type { DurableCommand } from '../../../../persistence/index.ts';
import { tradesOf } from '../../../../persistence/index.ts';
import { wideText } from '../../../../persistence/shared/index.ts';

interface Move {
  readonly kind: 'bought' | 'sold' | 'charged' | 'written_off';
  readonly lots: bigint;
  readonly micros: bigint;
  readonly timeMs: number;
  readonly isFill: boolean;
  /** 1 for the first fill of a trade. */
  readonly trades: number;
}

interface Holding {
  readonly account: number;
  readonly market: number;
  readonly outcome: number;
  readonly moves: Move[];
}

interface Market {
  readonly key: number;
  lastTicks: number;
  payoutTicks: number | null;
  resolvedMs: number | null;
  /** The markets of its neg-risk event; only itself outside one. */
  siblings: readonly number[];
}

export type Row = Readonly<Record<string, number | string | null>>;

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, one) => total + one, 0n);
}
function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

export class LedgerOracle {
  readonly activities: Row[] = [];
  readonly #accounts: string[] = [];
  readonly #conditions: string[] = [];
  readonly #markets: Market[] = [];
  readonly #holdings: Holding[] = [];

  constructor(durable: readonly DurableCommand[]) {
    for (const applied of durable) {
      const firsts = new Set(tradesOf(applied).map(({ fills }) => fills[0]));
      for (const event of applied.events) {
        if (event.kind === 'fill') this.#fill(event, applied.timeMs, firsts.has(event) ? 1 : 0);
        else this.#take(event, applied);
      }
    }
  }

  positions(): Row[] {
    const inOrder = this.#holdings.toSorted(
      (a, b) => a.account - b.account || a.market - b.market || a.outcome - b.outcome,
    );
    return inOrder.map(({ account, market, outcome, moves }) => {
      const current = cyclesOf(moves).at(-1) ?? [];
      const { lots, cost, bought, paid, received, fee, realized } = amountsOf(moves);
      const buyFee = sum(moves.map((move, index) => feeOfBuy(move, moves[index - 1])));
      return {
        account_key: account,
        market_key: market,
        outcome,
        lots: Number(lots),
        cost_micros: Number(cost),
        bought_lots: wideText(bought),
        paid_micros: wideText(paid),
        received_micros: wideText(received),
        fee_micros: wideText(fee),
        realized_micros: wideText(realized),
        changed_ms: current.at(-1)?.timeMs ?? 0,
        closed_ms: endOf(current),
        trade_count: moves.reduce((count, { trades }) => count + trades, 0),
        buy_fee_micros: wideText(buyFee),
        opened_ms: moves.find(({ kind }) => kind === 'bought')?.timeMs ?? 0,
      };
    });
  }

  /** Whether a closed position was opened again: tests check that the histories have one. */
  get wasAnyOpenedAgain(): boolean {
    return this.#holdings.some(({ moves }) => cyclesOf(moves).length > 1);
  }

  marketStates(): Row[] {
    return this.#markets.map((market) => {
      const supply = (outcome: number): number => {
        const holdings = this.#holdings.filter(
          (one) => one.market === market.key && one.outcome === outcome,
        );
        return Number(sum(holdings.map(({ moves }) => amountsOf(moves).lots)));
      };
      const isAlone = market.siblings.length === 1;
      return {
        market_key: market.key,
        last_ticks: market.lastTicks,
        yes_lots: supply(0),
        no_lots: supply(1),
        payout_ticks: market.payoutTicks,
        resolved_ms: market.resolvedMs,
        event_key: isAlone ? null : Math.min(...market.siblings),
        event_size: market.siblings.length,
      };
    });
  }

  totals(): Row[] {
    return this.#accounts.flatMap((_, index): Row[] => {
      const own = this.#holdings.filter(({ account }) => account === index + 1);
      const changes = own.flatMap(({ moves }) => changesOf(moves));
      if (changes.length === 0) return [];
      const lastMs = Math.max(...changes.map(({ timeMs }) => timeMs));
      const fills = own.flatMap(({ moves }) => moves.filter(({ isFill }) => isFill));
      const traded = own.filter(({ moves }) => moves.some(({ isFill }) => isFill));
      const since = (begins: (timeMs: number) => number) => {
        const recent = changes.filter(({ timeMs }) => begins(timeMs) === begins(lastMs));
        return [sum(recent.map(({ volume }) => volume)), sum(recent.map(({ gain }) => gain))];
      };
      const [volume = 0n, gain = 0n] = since(() => 0);
      const [dayVolume = 0n, dayGain = 0n] = since(dayOf);
      const [weekVolume = 0n, weekGain = 0n] = since(mondayOf);
      const [monthVolume = 0n, monthGain = 0n] = since(monthOf);
      return [
        {
          account_key: index + 1,
          trade_count: fills.reduce((count, { trades }) => count + trades, 0),
          market_count: new Set(traded.map(({ market }) => market)).size,
          volume_micros: wideText(volume),
          realized_micros: wideText(gain),
          fee_micros: wideText(
            sum(own.flatMap(({ moves }) => moves.filter(isCharge)).map(({ micros }) => micros)),
          ),
          day: dayOf(lastMs),
          day_volume_micros: wideText(dayVolume),
          day_realized_micros: wideText(dayGain),
          week: (mondayOf(lastMs) + 3) / 7,
          week_volume_micros: wideText(weekVolume),
          week_realized_micros: wideText(weekGain),
          month: monthOf(lastMs),
          month_volume_micros: wideText(monthVolume),
          month_realized_micros: wideText(monthGain),
        },
      ];
    });
  }

  /** The holders of a market now, as the engine lists them. */
  holders(conditionId: string): { account: string; yesLots: number; noLots: number }[] {
    const market = this.#conditions.indexOf(conditionId) + 1;
    return this.#accounts.flatMap((account, index) => {
      const lotsOf = (outcome: number): number => {
        const found = this.#holdings.find(
          (one) => one.account === index + 1 && one.market === market && one.outcome === outcome,
        );
        return Number(amountsOf(found?.moves ?? []).lots);
      };
      const [yesLots, noLots] = [lotsOf(0), lotsOf(1)];
      return yesLots + noLots === 0 ? [] : [{ account, yesLots, noLots }];
    });
  }

  #take(event: EngineEvent, { timeMs, seq }: DurableCommand): void {
    if (event.kind === 'account_opened') {
      this.#accounts.push(event.address);
      this.#noteCash(event.address, event.paperMicros, { timeMs, seq });
    } else if (event.kind === 'cash_moved') {
      this.#noteCash(event.account, event.amountMicros, { timeMs, seq });
    } else if (event.kind === 'market_created') {
      this.#conditions.push(event.conditionId);
      const key = this.#conditions.length;
      const unknown = { lastTicks: 0, payoutTicks: null, resolvedMs: null };
      this.#markets.push({ key, ...unknown, siblings: [key] });
    } else if (event.kind === 'event_opened') {
      const siblings = event.conditionIds.map((id) => this.#market(id).key);
      for (const id of event.conditionIds) this.#market(id).siblings = siblings;
    } else if (event.kind === 'market_resolved') {
      const market = this.#market(event.conditionId);
      market.payoutTicks = event.payoutTicks;
      market.resolvedMs = timeMs;
      for (const { market: key, outcome, moves } of this.#holdings) {
        const isWorthless = payoutOf(market, outcome) === 0 && amountsOf(moves).lots > 0n;
        if (key === market.key && isWorthless) moves.push(moved('written_off', 0, 0n, timeMs));
      }
    } else if (event.kind === 'sets_moved') {
      const { account, conditionId, splitLots } = event;
      const lots = Math.abs(splitLots);
      const kind = splitLots > 0 ? 'bought' : 'sold';
      for (const outcome of [0, 1]) {
        const { moves } = this.#holding(account, conditionId, outcome);
        moves.push(moved(kind, lots, BigInt(lots) * 5_000n, timeMs));
      }
      const name = splitLots > 0 ? 'SPLIT' : 'MERGE';
      this.#note(name, { account, conditionId, outcome: null, lots, timeMs, seq }, lots * 10_000);
    } else if (event.kind === 'redeemed') {
      const { account, conditionId } = event;
      for (const [outcome, lots] of [event.yesLots, event.noLots].entries()) {
        if (lots === 0) continue;
        const micros = lots * Number(payoutOf(this.#market(conditionId), outcome));
        const { moves } = this.#holding(account, conditionId, outcome);
        moves.push(moved('sold', lots, BigInt(micros), timeMs));
        this.#note('REDEEM', { account, conditionId, outcome, lots, timeMs, seq }, micros);
      }
    } else if (event.kind === 'converted') this.#convert(event, timeMs, seq);
  }

  #fill(fill: Fill, timeMs: number, takerTrades: number): void {
    const { conditionId, takerPriceTicks, makerPriceTicks, lots, fees } = fill;
    const sides = [
      [fill.takerAccount, fill.takerOutcome, fill.takerSide, takerPriceTicks, fees?.takerMicros],
      [fill.makerAccount, fill.makerOutcome, fill.makerSide, makerPriceTicks, fees?.makerMicros],
    ] as const;
    for (const [index, [account, outcome, side, price, fee = 0]] of sides.entries()) {
      const { moves } = this.#holding(account, conditionId, outcome);
      const kind = side === 'BUY' ? 'bought' : 'sold';
      const trades = index === 0 ? takerTrades : 1;
      const micros = BigInt(lots) * BigInt(price);
      moves.push({ ...moved(kind, lots, micros, timeMs), isFill: true, trades });
      moves.push(moved('charged', 0, BigInt(fee), timeMs));
    }
    const yes = fill.takerOutcome === 0 ? takerPriceTicks : 10_000 - takerPriceTicks;
    this.#market(conditionId).lastTicks = yes;
  }

  #convert({ account, conditionIds, lots, amountMicros }: Converted, timeMs: number, seq: number) {
    const markets = this.#market(conditionIds[0] ?? '').siblings;
    const ids = markets.map((key) => this.#conditions[key - 1] ?? '');
    const no = ids.filter((id) => conditionIds.includes(id));
    const yes = ids.filter((id) => !conditionIds.includes(id));
    const cash = BigInt(amountMicros);
    assert.equal(cash, BigInt(no.length - 1) * BigInt(lots) * 10_000n);
    const given = no.map((id) => this.#holding(account, id, 1).moves);
    const costs = given.map((moves) => {
      const { cost, lots: all } = amountsOf(moves);
      return (cost * BigInt(lots)) / all;
    });
    const excess = dealt(larger(0n, cash - sum(costs)), no.length);
    const carry = dealt(larger(0n, sum(costs) - cash), yes.length);
    const cashes = dealt(cash, no.length);
    for (const [place, id] of no.entries()) {
      const received = yes.length === 0 ? cashes[place] : at(costs, place) + at(excess, place);
      given[place]?.push(moved('sold', lots, received ?? 0n, timeMs));
      const what = { account, conditionId: id, outcome: 1, lots, timeMs, seq };
      this.#note('CONVERSION', what, Number(cashes[place]));
    }
    for (const [place, id] of yes.entries()) {
      const { moves } = this.#holding(account, id, 0);
      moves.push(moved('bought', lots, at(carry, place), timeMs));
      this.#note('CONVERSION', { account, conditionId: id, outcome: 0, lots, timeMs, seq }, 0);
    }
  }

  #noteCash(account: string, micros: number, when: Pick<Noted, 'timeMs' | 'seq'>): void {
    const what = { account, conditionId: '', outcome: null, lots: 0, ...when };
    if (micros > 0) this.#note('DEPOSIT', what, micros);
    if (micros < 0) this.#note('WITHDRAWAL', what, -micros);
  }

  #note(
    kind: string,
    { account, conditionId, outcome, lots, timeMs, seq }: Noted,
    micros: number,
  ): void {
    this.activities.push({
      activity_key: this.activities.length + 1,
      account_key: this.#accounts.indexOf(account) + 1,
      market_key: conditionId === '' ? 0 : this.#market(conditionId).key,
      outcome,
      kind,
      lots,
      micros,
      time_ms: timeMs,
      seq,
    });
  }

  #holding(address: string, conditionId: string, outcome: number): Holding {
    const account = this.#accounts.indexOf(address) + 1;
    const market = this.#market(conditionId).key;
    const known = this.#holdings.find(
      (one) => one.account === account && one.market === market && one.outcome === outcome,
    );
    if (known !== undefined) return known;
    const made: Holding = { account, market, outcome, moves: [] };
    this.#holdings.push(made);
    return made;
  }

  #market(conditionId: string): Market {
    const market = this.#markets[this.#conditions.indexOf(conditionId)];
    assert(market !== undefined, `no market ${conditionId}`);
    return market;
  }
}

interface Noted {
  readonly account: string;
  readonly conditionId: string;
  readonly outcome: number | null;
  readonly lots: number;
  readonly timeMs: number;
  readonly seq: number;
}

function moved(kind: Move['kind'], lots: number, micros: bigint, timeMs: number): Move {
  return {
    kind,
    lots: BigInt(lots),
    micros,
    timeMs,
    isFill: false,
    trades: 0,
  };
}

/** What a move charges for the tokens that the move before it bought. */
function feeOfBuy({ kind, micros }: Move, before: Move | undefined): bigint {
  return kind === 'charged' && before?.kind === 'bought' ? micros : 0n;
}

function isCharge({ kind }: Move): boolean {
  return kind === 'charged';
}
function at(values: readonly bigint[], place: number): bigint {
  return values[place] ?? 0n;
}

function payoutOf({ payoutTicks }: Market, outcome: number): number | null {
  return payoutTicks === null || outcome === 0 ? payoutTicks : 10_000 - payoutTicks;
}

function amountsOf(moves: readonly Move[]) {
  const added = (kind: Move['kind'], unit: 'lots' | 'micros'): bigint =>
    sum(moves.filter((move) => move.kind === kind).map((move) => move[unit]));
  const [bought, sold] = [added('bought', 'lots'), added('sold', 'lots')];
  const [paid, received] = [added('bought', 'micros'), added('sold', 'micros')];
  const fee = added('charged', 'micros');
  const cost = costAfter(moves);
  const realized = received - paid + cost - fee;
  return { lots: bought - sold, cost, bought, paid, received, fee, realized };
}

function costAfter(moves: readonly Move[]): bigint {
  let [lots, cost] = [0n, 0n];
  for (const move of moves) {
    if (move.kind === 'bought') [lots, cost] = [lots + move.lots, cost + move.micros];
    else if (move.kind === 'written_off') cost = 0n;
    else if (move.kind === 'sold') {
      cost -= (cost * move.lots) / lots;
      lots -= move.lots;
    }
  }
  return cost;
}

/** Splits moves into cycles from no tokens to no tokens, each with the fee of its last move. */
function cyclesOf(moves: readonly Move[]): Move[][] {
  const cycles: Move[][] = [];
  let lots = 0n;
  for (const move of moves) {
    if (lots === 0n && move.kind === 'bought') cycles.push([]);
    cycles.at(-1)?.push(move);
    if (move.kind === 'bought') lots += move.lots;
    else lots -= move.lots;
  }
  return cycles;
}

/** 0 for a cycle that has not ended. */
function endOf(cycle: readonly Move[]): number {
  const dead = cycle.find(({ kind }) => kind === 'written_off');
  if (dead !== undefined) return dead.timeMs;
  if (amountsOf(cycle).lots > 0n) return 0;
  return cycle.findLast(({ kind }) => kind === 'sold')?.timeMs ?? 0;
}

/** The volume and the realized profit of each move. */
function changesOf(moves: readonly Move[]) {
  const wonBy = (count: number): bigint => amountsOf(moves.slice(0, count)).realized;
  return moves.flatMap(({ isFill, micros, timeMs }, index) => {
    const gain = wonBy(index + 1) - wonBy(index);
    const volume = isFill ? micros : 0n;
    return volume === 0n && gain === 0n ? [] : [{ volume, gain, timeMs }];
  });
}

/** Divides an amount among places: each takes its even share of what is left, rounded up. */
function dealt(amount: bigint, places: number): bigint[] {
  let left = amount;
  return Array.from({ length: places }, (_, place) => {
    const among = BigInt(places - place);
    const part = (left + among - 1n) / among;
    left -= part;
    return part;
  });
}

function dayOf(timeMs: number): number {
  return Date.parse(`${new Date(timeMs).toISOString().slice(0, 10)}T00:00:00Z`) / 86_400_000;
}

/** The Monday of the week, as a day since the epoch. */
function mondayOf(timeMs: number): number {
  let day = dayOf(timeMs);
  while (new Date(day * 86_400_000).getUTCDay() !== 1) day -= 1;
  return day;
}

function monthOf(timeMs: number): number {
  const [year = 0, month = 0] = new Date(timeMs).toISOString().split('-').map(Number);
  return 12 * year + month - 1;
}
