/**
 * The naive engine: the same rules as engine/ in arrays, sort, filter and Map, written to be
 * obviously right and free to be slow. Random tests compare the real engine with it. It shares the
 * data types of engine/model with the real engine and no other code.
 *
 * A command is checked first (`check-command.ts` and the files by subject). If the check returns an
 * answer, the command changes nothing; otherwise it is performed. State and lookups are in
 * `state.ts`, what orders hold in `holds.ts`, fees in `fees.ts`; comparisons read `view.ts`.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  Bounds,
  CloseReason,
  Command,
  CreateMarket,
  EngineEvent,
  Input,
  OpenAccount,
  PlaceOrder,
  StateView,
  Totals,
  TripSwitch,
} from '../../../engine/index.ts';
import { BOUNDS, FEE_ACCOUNT, isChange, lots, micros, ticks } from '../../../engine/index.ts';
import { opensFeeAccount } from './accounts.ts';
import { setBuilder } from './builders.ts';
import { moveCash } from './cash.ts';
import { checkCommand } from './check-command.ts';
import { ordersOf, ordersToCancel, ordersToEnd } from './clearing.ts';
import { feesOf, fillFees, payFees } from './fees.ts';
import { freeMicros } from './holds.ts';
import { convert, openEvent, resolveEvent } from './neg-risk.ts';
import { changeMarket, changeTradingState, closeMarket, refineTicks } from './operator.ts';
import type { Plan, Step } from './orders.ts';
import {
  canRest,
  checkTaker,
  delayOf,
  dueOrders,
  fillOf,
  mustWait,
  openingOf,
  planOf,
  priceAt,
  takerFrom,
} from './orders.ts';
import { areRedemptionsDue, redeem, redeemDue, resolveMarket } from './resolution.ts';
import { moveSets } from './sets.ts';
import { changeStanding } from './standing.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './state.ts';
import {
  accountAt,
  bookSide,
  countDeposit,
  levelLots,
  marketAt,
  marketOfToken,
  newMarket,
  remainingLots,
  yesTicks,
} from './state.ts';
import { validateState } from './validate.ts';
import { totalsOf, viewOf } from './view.ts';

interface Now {
  readonly seq: number;
  readonly timeMs: number;
}

/** An order that is matched as far as the commands so far could. */
interface Unfinished {
  readonly taker: NaiveOrder;
  readonly market: NaiveMarket;
  readonly plan: Plan;
  /** The resting orders that it met. */
  readonly met: number;
  /** Its trades so far. */
  readonly trades: number;
}

export class NaiveEngine {
  readonly #state: NaiveState;
  #unfinished: Unfinished | undefined;
  /** The work that the command may still do. */
  #workLeft = Infinity;
  #changedSeq = 0;
  #timeMs = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#state = {
      bounds: { ...BOUNDS, ...bounds },
      tradingState: 'open',
      markets: [],
      events: [],
      redeeming: [],
      accounts: [],
      live: new Map(),
      recent: [],
      apiKeys: [],
      switches: [],
      standings: [],
      builders: [],
      idempotencyKeys: [],
      forgottenKeySeq: 0,
      forgottenSeq: 0,
      unfinished: undefined,
      clearing: undefined,
      restedCount: 0,
      depositedMicros: 0,
      withdrawnMicros: 0,
    };
  }

  /** It works with names, so its inputs are the commands themselves. */
  inputOf(command: Command): Input {
    return command as unknown as Input;
  }

  apply(seq: number, timeMs: number, input: Input): EngineEvent[] {
    const command = input as unknown as Command; // made by `inputOf`
    assert(seq > this.#changedSeq, 'seq must increase');
    assert(timeMs >= this.#timeMs, 'time must not go back');
    this.#timeMs = timeMs;
    const { workPerCommand } = this.#state.bounds;
    this.#workLeft = command.kind === 'advance_time' ? workPerCommand : Infinity;
    const before = this.#expireBefore();
    const goOn = (): EngineEvent[] => [...this.#continue(), ...this.#goOn({ seq, timeMs })];
    const due = [...before, ...(this.#workLeft > 0 ? goOn() : []), ...this.#happen(timeMs)];
    // An advance of time that did something else pays no redemptions.
    if (command.kind !== 'advance_time') this.#workLeft = workPerCommand;
    const happened = [...due, ...this.#perform({ seq, timeMs }, command)];
    const left = this.#leaveKeys(seq);
    const events = [...happened, ...left, ...refineTicks(this.#state, happened)];
    if (events.some(isChange)) this.#changedSeq = seq;
    return events;
  }

  /** When the next order expires or is released; now during automatic redemption; or Infinity. */
  nextDueMs(): number {
    const due = dueOrders(this.#state).map(({ dueMs }) => dueMs);
    const isDueNow = this.#isUnfinished || areRedemptionsDue(this.#state);
    return Math.min(...due, ...(isDueNow ? [this.#timeMs] : []));
  }

  totals(): Totals {
    return totalsOf(this.#state);
  }

  state(): StateView {
    return viewOf(this.#state);
  }

  /** Throws unless every invariant of the whole state holds. */
  validate(): void {
    validateState(this.#state);
  }

  isBehind(timeMs: number): boolean {
    const isDue = dueOrders(this.#state).some(({ dueMs }) => dueMs <= timeMs);
    return isDue || this.#isUnfinished;
  }

  get #isUnfinished(): boolean {
    return this.#unfinished !== undefined || this.#state.clearing !== undefined;
  }

  /** Expires and releases due orders, one by one: one release may close another due order. */
  #happen(timeMs: number): EngineEvent[] {
    const [first] = dueOrders(this.#state);
    if (first === undefined || first.dueMs > timeMs || this.#workLeft <= 0) return [];
    const { order, isRelease } = first;
    this.#workLeft -= 1;
    const events = isRelease ? this.#release(order) : this.#endOrder(order, 'expired');
    return [...events, ...this.#happen(timeMs)];
  }

  /** Before anything unfinished goes on, but for a FOK, resting orders that are due expire. */
  #expireBefore(): EngineEvent[] {
    if (!this.#isUnfinished || this.#unfinished?.taker.type === 'FOK') return [];
    const some = dueOrders(this.#state)
      .filter(({ order, dueMs }) => order.phase === 'resting' && dueMs <= this.#timeMs)
      .slice(0, this.#workLeft);
    this.#workLeft -= some.length;
    return some.flatMap(({ order }) => this.#endOrder(order, 'expired'));
  }

  #release(order: NaiveOrder): EngineEvent[] {
    const { orderId, account, conditionId } = order;
    order.phase = 'matching';
    order.selfTrade = 'cancel_maker';
    order.spendableMicros = freeMicros(this.#state, account);
    const released: EngineEvent = { kind: 'order_released', orderId, account, conditionId };
    if (checkTaker(this.#state, order) === undefined) return [released, ...this.#execute(order)];
    this.#workLeft -= planOf(this.#state, order).steps.length;
    return [released, this.#close(order, 'unmatched')];
  }

  /** Ends the next orders of the command that the last one left. */
  #goOn(now: Now): EngineEvent[] {
    const { clearing } = this.#state;
    this.#state.clearing = undefined;
    return clearing === undefined ? [] : this.#perform(now, clearing);
  }

  /** A command takes effect when no order is left that it ends. */
  #perform(now: Now, command: Command): EngineEvent[] {
    const answer = checkCommand(this.#state, now.timeMs, command);
    if (answer !== undefined) return [answer];
    const ending = ordersToEnd(this.#state, command);
    const some = ending.slice(0, this.#workLeft);
    this.#workLeft -= some.length;
    const events = some.flatMap(([order, reason]) => this.#endOrder(order, reason));
    if (some.length === ending.length) return [...events, ...this.#effect(now, command)];
    this.#state.clearing = command;
    return events;
  }

  #effect(now: Now, command: Command): EngineEvent[] {
    const state = this.#state;
    switch (command.kind) {
      case 'create_market':
        return this.#createMarket(command);
      case 'open_account':
        return [this.#open(command)];
      case 'deposit':
      case 'withdraw':
        return moveCash(state, command);
      case 'split':
      case 'merge':
        return moveSets(state, command);
      case 'issue_api_key': {
        const { kind: _, ...key } = command;
        state.apiKeys.push({ ...key, isRevoked: false });
        return [{ kind: 'api_key_issued', ...key }];
      }
      case 'revoke_api_key':
        return state.apiKeys
          .filter((key) => key.apiKey === command.apiKey)
          .map((key) => this.#revoke(key));
      case 'arm_switch': {
        const { kind: _, ...armed } = command;
        this.#disarm(command.owner);
        state.switches.push(armed);
        return [{ kind: 'switch_armed', ...armed }];
      }
      case 'trip_switch':
        return this.#trip(command);
      case 'dismiss_notifications':
        return [{ ...command, kind: 'notifications_dismissed' }];
      case 'set_trading_state':
        return changeTradingState(state, command);
      case 'change_market':
        return [...this.#openFeeAccount(command), ...changeMarket(state, command)];
      case 'close_market':
        return closeMarket(state, command);
      case 'set_standing':
        return changeStanding(state, command);
      case 'place_order':
        return this.#place(now, command);
      case 'cancel_orders':
      case 'cancel_all':
        return ordersToCancel(state, command).flatMap((order) => this.#endOrder(order, 'canceled'));
      case 'redeem':
        return redeem(state, command);
      case 'resolve_market':
        return resolveMarket(state, command);
      case 'open_event':
        return openEvent(state, command);
      case 'convert':
        return convert(state, command);
      case 'resolve_event':
        return resolveEvent(state, command);
      case 'set_builder':
        return [...this.#openFeeAccount({ takerFeeBps: 1 }), ...setBuilder(state, command)];
      case 'advance_time':
        if (this.isBehind(now.timeMs) || this.#workLeft < state.bounds.workPerCommand) return [];
        return redeemDue(state);
    }
  }

  #createMarket(command: CreateMarket): EngineEvent[] {
    const opened = this.#openFeeAccount(command);
    this.#state.markets.push(newMarket(command));
    return [...opened, { kind: 'market_created', conditionId: command.conditionId }];
  }

  #revoke({ isRevoked: _, ...key }: ApiKeyState): EngineEvent {
    const state = this.#state;
    state.apiKeys = state.apiKeys.map((issued) =>
      issued.apiKey === key.apiKey ? { ...issued, isRevoked: true } : issued,
    );
    return { kind: 'api_key_revoked', ...key };
  }

  /** The switch stays armed if as many orders were taken as the step takes. */
  #trip({ most, ...tripped }: TripSwitch): EngineEvent[] {
    const own = ordersOf(this.#state, tripped.owner);
    const taken = own.filter((order) => order.phase !== 'waiting').slice(0, most);
    const events = taken.flatMap((order) => this.#endOrder(order, 'switch_tripped'));
    if (taken.length === most) return events;
    this.#disarm(tripped.owner);
    for (const order of own) if (order.phase === 'waiting') order.isTripped = true;
    return [...events, { ...tripped, kind: 'switch_tripped' }];
  }

  #disarm(owner: string): void {
    this.#state.switches = this.#state.switches.filter((armed) => armed.owner !== owner);
  }

  /** Ends a resting or delayed order outside matching. */
  #endOrder(order: NaiveOrder, reason: CloseReason): EngineEvent[] {
    if (order.phase === 'waiting') return [this.#close(order, reason)];
    return [this.#close(order, reason), this.#level(order)];
  }

  #close(order: NaiveOrder, reason: CloseReason): EngineEvent {
    const { live, recent, bounds } = this.#state;
    const { orderId, account, owner, conditionId, acceptedSeq, type, postOnly } = order;
    live.delete(orderId);
    recent.push({ orderId, acceptedSeq, type, postOnly, expiresAtMs: order.expiresAtMs });
    while (recent.length > bounds.recentOrders) {
      const forgotten = recent.shift();
      assert(forgotten !== undefined);
      this.#state.forgottenSeq = Math.max(this.#state.forgottenSeq, forgotten.acceptedSeq);
    }
    const filledLots = lots(order.filledLots);
    const filledMicros = micros(order.filledMicros);
    const kind = 'order_closed';
    const filled = { filledLots, filledMicros };
    const fee = feesOf(order) > 0 ? { feeMicros: micros(feesOf(order)) } : {};
    return { kind, orderId, account, owner, conditionId, reason, ...filled, ...fee };
  }

  #level(like: NaiveOrder): EngineEvent {
    return {
      kind: 'level_changed',
      conditionId: like.conditionId,
      side: bookSide(like.outcome, like.side),
      priceTicks: ticks(yesTicks(like)),
      lots: lots(levelLots(this.#state, like)),
    };
  }

  /** Old idempotency keys leave after a command that added one. */
  #leaveKeys(seq: number): EngineEvent[] {
    const state = this.#state;
    const { rememberedMoneyKeys: most } = state.bounds;
    const inMemory = state.idempotencyKeys;
    const indexed = inMemory.filter((one) => one.indexedSeq !== undefined).length;
    const oldest = inMemory[indexed];
    if (oldest === undefined || inMemory.length - indexed <= most) return [];
    inMemory[indexed] = { ...oldest, indexedSeq: seq };
    if (indexed === most) state.forgottenKeySeq = inMemory.shift()!.indexedSeq!;
    return [{ kind: 'money_key_indexed', record: oldest }];
  }

  #open(command: OpenAccount): EngineEvent {
    const cashMicros = command.paperMicros;
    this.#state.accounts.push({ terms: command, cashMicros, tokens: new Map() });
    countDeposit(this.#state, cashMicros);
    const { byOperator: _, ...opened } = command;
    return { ...opened, kind: 'account_opened' };
  }

  /** Opens the fee account with the first rates that charge anything. */
  #openFeeAccount(rates: { takerFeeBps?: number; makerFeeBps?: number }): EngineEvent[] {
    const isOpen = accountAt(this.#state, FEE_ACCOUNT) !== undefined;
    if (isOpen || !opensFeeAccount(rates)) return [];
    const account = { address: FEE_ACCOUNT, owner: FEE_ACCOUNT, wallet: 'eoa' } as const;
    return [this.#open({ kind: 'open_account', ...account, paperMicros: micros(0) })];
  }

  #place(now: Now, command: PlaceOrder): EngineEvent[] {
    const isKnown = accountAt(this.#state, command.account) !== undefined;
    const opening = isKnown ? undefined : openingOf(command);
    const opened = opening === undefined ? [] : [this.#open(opening)];
    const market = marketOfToken(this.#state, command.tokenId);
    assert(market !== undefined);
    const taker = takerFrom(this.#state, command, market, now);
    const { orderId, account, conditionId } = taker;
    const accepted: EngineEvent = { kind: 'order_accepted', orderId, account, conditionId };
    if (!mustWait(this.#state, taker, market)) {
      return [...opened, accepted, ...this.#execute(taker)];
    }
    taker.phase = 'waiting';
    taker.releaseMs = now.timeMs + delayOf(market);
    this.#state.live.set(orderId, taker);
    const { releaseMs } = taker;
    const delayed = { kind: 'order_delayed', orderId, account, conditionId, releaseMs } as const;
    return [...opened, accepted, delayed];
  }

  #execute(taker: NaiveOrder): EngineEvent[] {
    const market = marketAt(this.#state, taker.conditionId);
    assert(market !== undefined);
    return this.#proceed({ taker, market, plan: planOf(this.#state, taker), trades: 0, met: 0 });
  }

  /** The next part of the order that the last command left. */
  #continue(): EngineEvent[] {
    if (this.#unfinished === undefined) return [];
    const { taker } = this.#unfinished;
    const { orderId, account, conditionId } = taker;
    const continued: EngineEvent = { kind: 'order_continued', orderId, account, conditionId };
    if (taker.type === 'GTD' && taker.expiresAtMs - taker.earlyEndMs <= this.#timeMs) {
      this.#unfinished = undefined;
      this.#state.unfinished = undefined;
      return [continued, this.#close(taker, 'expired')];
    }
    // Orders that rested when the plan was made may have expired.
    const plan = planOf(this.#state, taker, this.#unfinished.met);
    return [continued, ...this.#proceed({ ...this.#unfinished, plan })];
  }

  /** Follows the plan as far as the work of the command goes. */
  #proceed({ taker, market, plan, trades, met }: Unfinished): EngineEvent[] {
    const steps = plan.steps.slice(0, this.#workLeft);
    const left = plan.steps.slice(steps.length);
    this.#workLeft -= steps.length;
    const events = this.#match(taker, { steps, trades }, market);
    const used = events.flatMap((event) => (event.kind === 'fill' ? [event.bucket + 1] : []));
    const isUnfinished = left.length > 0 || (plan.meetsOwn && this.#workLeft <= 0);
    this.#unfinished = isUnfinished
      ? { taker, market, plan, trades: Math.max(trades, ...used), met: met + steps.length }
      : undefined;
    // An own order that stays is met too.
    if (!isUnfinished && plan.meetsOwn) this.#workLeft -= 1;
    this.#state.unfinished = this.#unfinished?.taker;
    if (isUnfinished) this.#state.live.set(taker.orderId, taker);
    return isUnfinished ? events : [...events, this.#settleTaker(taker, plan)];
  }

  /** Does steps of a plan. Each changed level is reported once, after its last fill. */
  #match(
    taker: NaiveOrder,
    { steps, trades }: { readonly steps: readonly Step[]; readonly trades: number },
    market: NaiveMarket,
  ): EngineEvent[] {
    const events: EngineEvent[] = [];
    let bucket = { number: trades - 1, level: Number.NaN };
    steps.forEach(({ maker, lots: size }, index) => {
      if (size === 0) {
        events.push(this.#close(maker, 'self_trade'));
      } else {
        const level = yesTicks(maker);
        if (bucket.level !== level) bucket = { number: bucket.number + 1, level };
        events.push(this.#fill(taker, { maker, lots: size }, market, bucket.number));
        if (remainingLots(maker) === 0) events.push(this.#close(maker, 'matched'));
      }
      const next = steps[index + 1];
      const isLast = next === undefined || yesTicks(next.maker) !== yesTicks(maker);
      if (isLast) events.push(this.#level(maker));
    });
    return events;
  }

  #fill(taker: NaiveOrder, step: Step, market: NaiveMarket, bucket: number): EngineEvent {
    const { maker, lots: size } = step;
    const takerPrice = priceAt(taker, maker);
    this.#exchange(taker, size, takerPrice);
    this.#exchange(maker, size, maker.priceTicks);
    const takerTrade = { isTaker: true, lots: size, priceTicks: takerPrice };
    const makerTrade = { isTaker: false, lots: size, priceTicks: maker.priceTicks };
    const ofTaker = payFees(this.#state, taker, takerTrade);
    const ofMaker = payFees(this.#state, maker, makerTrade);
    const fill = fillOf(taker, { maker, lots: size });
    if (fill.match === 'mint') market.setsLots += size;
    if (fill.match === 'merge') market.setsLots -= size;
    return { ...fill, bucket, ...fillFees(taker, maker, [ofTaker, ofMaker]) };
  }

  /** One side of a fill: a buyer pays for tokens, a seller is paid for them. */
  #exchange(order: NaiveOrder, size: number, price: number): void {
    const account = accountAt(this.#state, order.account);
    assert(account !== undefined);
    const sign = order.side === 'BUY' ? 1 : -1;
    const before = account.tokens.get(order.tokenId) ?? 0;
    account.tokens.set(order.tokenId, before + sign * size);
    account.cashMicros -= sign * size * price;
    order.filledLots += size;
    order.filledMicros += size * price;
  }

  /** Closes the taker or lets it rest. */
  #settleTaker(taker: NaiveOrder, plan: Plan): EngineEvent {
    if (plan.end === 'satisfied') return this.#close(taker, 'matched');
    if (plan.end === 'self_trade') return this.#close(taker, 'self_trade');
    if (!canRest(taker)) return this.#close(taker, 'remainder_released');
    if (taker.isTripped) return this.#close(taker, 'switch_tripped');
    taker.phase = 'resting';
    taker.restedAs = this.#state.restedCount++;
    this.#state.live.set(taker.orderId, taker);
    return this.#level(taker);
  }
}
