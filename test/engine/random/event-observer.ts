/**
 * Rebuilds the state from events alone: live orders, levels, cash and tokens. Random commands are
 * drawn from it, and `compare` proves that events suffice to follow the exchange. Invariant: it
 * never reads an engine.
 */
import { strict as assert } from 'node:assert';
import type {
  ApiKeyState,
  BuilderState,
  Command,
  Converted,
  CreateMarket,
  EngineEvent,
  EventOpened,
  EventResolved,
  EventState,
  Fill,
  LevelChanged,
  MarketState,
  OrderClosed,
  OrderDelayed,
  Outcome,
  PlaceOrder,
  Redeemed,
  SetsMoved,
  Standing,
  StandingChanged,
  StateView,
  SwitchArmed,
  SwitchTripped,
  TradingStateChanged,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, lots } from '../../../engine/index.ts';
import { type IndexedKeys, seeIndexed, seeIssue, seeRevocation } from './key-observer.ts';
import { levelTotals } from './level-totals.ts';

interface SeenOrder {
  readonly command: PlaceOrder;
  readonly outcome: Outcome;
  filledLots: number;
  filledMicros: number;
  feeMicros: number;
  /** The account of its builder code when it was accepted; '' for none. */
  readonly builderAccount: string;
}

export interface SeenAccount {
  readonly owner: string;
  cashMicros: number;
  readonly tokens: Map<string, number>;
}

interface Party {
  readonly orderId: string;
  readonly account: string;
  readonly outcome: Outcome;
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly feeMicros: number;
  readonly builderMicros: number;
}

const ENDED: readonly MarketState['status'][] = ['closed', 'resolved'];

export class EventObserver {
  readonly markets = new Map<string, CreateMarket>();
  readonly accounts = new Map<string, SeenAccount>();
  /** Resting and delayed orders by id. */
  readonly live = new Map<string, SeenOrder>();
  /** Release times of delayed orders by id, in order of acceptance. */
  readonly delayed = new Map<string, number>();
  /** By key, in order of issue. */
  readonly keys = new Map<string, ApiKeyState>();
  /** Heartbeat ids by owner, in order of arming. */
  readonly switches = new Map<string, string>();
  /** Opened neg-risk events by id. */
  readonly events = new Map<string, EventState>();
  /** Restricted owners, in order of the last change. */
  readonly standings = new Map<string, Standing>();
  /** What the journal's index has, by owner and key. */
  readonly indexedKeys: IndexedKeys = new Map();
  /** By code, in order of the first setting. */
  readonly builders = new Map<string, BuilderState>();
  /** By condition id; '' for the exchange. Absent while open. */
  readonly #states = new Map<string, MarketState['status']>();
  /** Payouts of a YES lot by condition id. */
  readonly #payouts = new Map<string, number>();
  /** Lots by YES ticks, by condition id and side. */
  readonly #levels = new Map<string, Map<number, number>>();

  /** The levels of one side, unordered. */
  levels(conditionId: string, side: 'bid' | 'ask'): ReadonlyMap<number, number> {
    return this.#levels.get(`${conditionId} ${side}`) ?? new Map();
  }

  /** The best price of a side in YES ticks; undefined for an empty side. */
  bestTicks(conditionId: string, side: 'bid' | 'ask'): number | undefined {
    const prices = [...this.levels(conditionId, side).keys()];
    if (prices.length === 0) return undefined;
    return side === 'bid' ? Math.max(...prices) : Math.min(...prices);
  }

  /** The state of a market, or of the exchange for ''. */
  stateOf(conditionId: string): MarketState['status'] {
    return this.#states.get(conditionId) ?? 'open';
  }

  observe(command: Command, events: readonly EngineEvent[]): void {
    for (const event of events) this.#see(command, event);
  }

  #see(command: Command, event: EngineEvent): void {
    switch (event.kind) {
      case 'market_created':
        assert(command.kind === 'create_market');
        this.markets.set(event.conditionId, command);
        break;
      case 'account_opened': {
        const { owner, paperMicros: cashMicros } = event;
        this.accounts.set(event.address, { owner, cashMicros, tokens: new Map() });
        break;
      }
      case 'cash_moved':
        this.#account(event.account).cashMicros += event.amountMicros;
        break;
      case 'converted':
        this.#convert(event);
        break;
      case 'redeemed':
        this.#redeem(event);
        break;
      case 'sets_moved':
        this.#moveSets(event);
        break;
      case 'order_accepted': {
        assert(command.kind === 'place_order' && command.orderId === event.orderId);
        assert(this.stateOf('') === 'open' && this.stateOf(event.conditionId) === 'open');
        assert(command.side === 'SELL' || !this.standings.has(command.owner), 'it may buy');
        assert.notEqual(this.standings.get(command.owner), 'banned');
        const { tokenIds } = this.#market(event.conditionId);
        const outcome = command.tokenId === tokenIds[0] ? 0 : 1;
        const builderAccount = this.builders.get(command.builder ?? '')?.account ?? '';
        const nothing = { filledLots: 0, filledMicros: 0, feeMicros: 0 };
        this.live.set(event.orderId, { command, outcome, ...nothing, builderAccount });
        break;
      }
      case 'order_delayed':
        this.#delay(event);
        break;
      case 'order_released':
        assert(this.delayed.delete(event.orderId), 'a released order was delayed');
        break;
      case 'fill':
        this.#fill(event);
        break;
      case 'order_closed':
        this.#close(event);
        break;
      case 'level_changed':
        this.#level(event);
        break;
      default:
        this.#seeOthers(command, event);
    }
  }

  /** Events that concern neither orders nor balances. */
  #seeOthers(command: Command, event: EngineEvent): void {
    switch (event.kind) {
      case 'api_key_issued':
        seeIssue(this.keys, event);
        break;
      case 'api_key_revoked':
        seeRevocation(this.keys, event);
        break;
      case 'money_key_indexed':
        seeIndexed(this.indexedKeys, event);
        break;
      case 'switch_armed':
        this.#arm(event);
        break;
      case 'switch_tripped':
        this.#trip(event);
        break;
      case 'trading_state_changed':
        this.#changeState(event);
        break;
      case 'market_changed': {
        const { kind: _, ...terms } = event;
        this.markets.set(event.conditionId, { ...this.#market(event.conditionId), ...terms });
        break;
      }
      case 'market_closed':
        this.#end(event.conditionId, 'closed');
        break;
      case 'market_resolved':
        this.#end(event.conditionId, 'resolved');
        this.#payouts.set(event.conditionId, event.payoutTicks);
        break;
      case 'event_opened':
        this.#openEvent(event);
        break;
      case 'event_resolved':
        this.#resolveEvent(event);
        break;
      case 'standing_changed':
        this.#changeStanding(event);
        break;
      case 'builder_changed': {
        const { kind: _, ...terms } = event;
        assert.notDeepEqual(this.builders.get(event.builder), terms, 'the event reports a change');
        this.#account(event.account);
        this.builders.set(event.builder, terms);
        break;
      }
      case 'notifications_dismissed':
        assert(command.kind === 'dismiss_notifications');
        assert.deepEqual(event, { ...command, kind: event.kind }, 'the event repeats the command');
        break;
    }
  }

  #delay({ orderId, conditionId, releaseMs }: OrderDelayed): void {
    const { command } = this.#order(orderId);
    const { delaySeconds = 0, takerDelayMs = 0 } = this.#market(conditionId);
    assert(delaySeconds + takerDelayMs > 0 && !command.postOnly, 'the market delays it');
    this.delayed.set(orderId, releaseMs);
  }

  #fill(fill: Fill): void {
    const taker: Party = {
      orderId: fill.takerOrderId,
      account: fill.takerAccount,
      outcome: fill.takerOutcome,
      side: fill.takerSide,
      price: fill.takerPriceTicks,
      feeMicros: fill.fees?.takerMicros ?? 0,
      builderMicros: fill.fees?.takerBuilderMicros ?? 0,
    };
    const maker: Party = {
      orderId: fill.makerOrderId,
      account: fill.makerAccount,
      outcome: fill.makerOutcome,
      side: fill.makerSide,
      price: fill.makerPriceTicks,
      feeMicros: fill.fees?.makerMicros ?? 0,
      builderMicros: fill.fees?.makerBuilderMicros ?? 0,
    };
    const isTransfer = fill.match === 'transfer';
    assert.equal(isTransfer, taker.outcome === maker.outcome, 'a transfer is of one outcome');
    assert.equal(isTransfer, taker.side !== maker.side, 'a transfer has a buyer and a seller');
    assert.equal(fill.match === 'mint', taker.side === 'BUY' && maker.side === 'BUY');
    const sum = isTransfer ? 2 * taker.price : 10_000;
    assert.equal(taker.price + maker.price, sum, 'prices are equal or add up to one');
    assert(fill.lots > 0 && fill.bucket >= 0);
    for (const party of [taker, maker]) this.#exchange(fill, party);
  }

  #exchange({ conditionId, lots }: Fill, party: Party): void {
    const order = this.#order(party.orderId);
    assert(!this.delayed.has(party.orderId), 'a delayed order does not trade');
    assert.equal(order.command.account, party.account);
    assert.equal(order.command.side, party.side);
    assert.equal(order.outcome, party.outcome);
    const isBuy = party.side === 'BUY';
    const { priceTicks } = order.command;
    assert(isBuy ? party.price <= priceTicks : party.price >= priceTicks, 'within the limit');
    const account = this.#account(party.account);
    const tokenId = this.#market(conditionId).tokenIds[party.outcome];
    const signed = isBuy ? lots : -lots;
    account.tokens.set(tokenId, (account.tokens.get(tokenId) ?? 0) + signed);
    account.cashMicros -= signed * party.price;
    order.filledLots += lots;
    order.filledMicros += lots * party.price;
    this.#collect(order, party, lots * party.price);
  }

  /** Moves a charge to the fee account and the builder. */
  #collect(order: SeenOrder, party: Party, proceeds: number): void {
    const { feeMicros, builderMicros } = party;
    if (feeMicros === 0) return;
    assert(builderMicros >= 0 && builderMicros <= feeMicros, 'a builder gets a part of the fee');
    assert(party.side === 'BUY' || feeMicros <= proceeds, 'a seller pays at most the proceeds');
    order.feeMicros += feeMicros;
    this.#account(party.account).cashMicros -= feeMicros;
    this.#account(FEE_ACCOUNT).cashMicros += feeMicros - builderMicros;
    if (builderMicros > 0) this.#account(order.builderAccount).cashMicros += builderMicros;
  }

  #moveSets({ account: address, conditionId, splitLots, amountMicros }: SetsMoved): void {
    const account = this.#account(address);
    assert.equal(amountMicros, -splitLots * 10_000, 'a set is worth one');
    assert.notEqual(this.stateOf(''), 'halted');
    assert.notEqual(this.stateOf(conditionId), 'halted');
    assert(splitLots < 0 || !this.standings.has(account.owner), 'only buyers may split');
    account.cashMicros += amountMicros;
    for (const tokenId of this.#market(conditionId).tokenIds) {
      account.tokens.set(tokenId, (account.tokens.get(tokenId) ?? 0) + splitLots);
    }
  }

  #openEvent({ eventId, conditionIds, noneConditionId }: EventOpened): void {
    const own = [...this.markets.values()].filter((market) => market.eventId === eventId);
    assert(own.length >= 2 && own.every(({ negRisk }) => negRisk), 'a neg-risk event');
    const ids = own.map(({ conditionId }) => conditionId);
    assert.deepEqual([...conditionIds].sort(), ids.sort(), 'it has all markets of the event');
    const event = { eventId, conditionIds, noneConditionId, bundlesLots: lots(0), winner: null };
    this.events.set(eventId, event);
  }

  #convert({ account: address, eventId, conditionIds, ...event }: Converted): void {
    const account = this.#account(address);
    const opened = this.events.get(eventId);
    assert(opened !== undefined && opened.winner === null, 'only an unresolved event converts');
    assert.equal(new Set(conditionIds).size, conditionIds.length);
    assert.equal(event.amountMicros, (conditionIds.length - 1) * event.lots * 10_000);
    for (const conditionId of opened.conditionIds) {
      assert.notEqual(this.stateOf(conditionId), 'halted');
      const [yes, no] = this.#market(conditionId).tokenIds;
      const [tokenId, sign] = conditionIds.includes(conditionId) ? [no, -1] : [yes, 1];
      account.tokens.set(tokenId, (account.tokens.get(tokenId) ?? 0) + sign * event.lots);
    }
    account.cashMicros += event.amountMicros;
    const bundlesLots = lots(opened.bundlesLots + event.lots);
    this.events.set(eventId, { ...opened, bundlesLots });
  }

  #resolveEvent({ eventId, conditionId }: EventResolved): void {
    const opened = this.events.get(eventId);
    assert(opened !== undefined && opened.winner === null, 'an event is resolved once');
    const winners = opened.conditionIds.filter((id) => this.#payouts.get(id) === 10_000);
    const losers = opened.conditionIds.filter((id) => this.#payouts.get(id) === 0);
    assert.deepEqual(winners, [conditionId], 'one resolves to YES');
    assert.equal(losers.length, opened.conditionIds.length - 1, 'all others to NO');
    this.events.set(eventId, { ...opened, bundlesLots: lots(0), winner: conditionId });
  }

  #redeem({ account: address, conditionId, ...redeemed }: Redeemed): void {
    const account = this.#account(address);
    const payout = this.#payouts.get(conditionId);
    assert(payout !== undefined, 'only a resolved market redeems');
    assert.notEqual(this.stateOf(''), 'halted');
    const had = this.#market(conditionId).tokenIds.map((id) => account.tokens.get(id) ?? 0);
    assert.deepEqual([redeemed.yesLots, redeemed.noLots], had, 'all tokens are redeemed');
    const worth = redeemed.yesLots * payout + redeemed.noLots * (10_000 - payout);
    assert.equal(redeemed.amountMicros, worth, 'the payment is what they are worth');
    for (const tokenId of this.#market(conditionId).tokenIds) account.tokens.set(tokenId, 0);
    account.cashMicros += worth;
  }

  #close(closed: OrderClosed): void {
    const order = this.#order(closed.orderId);
    assert.equal(order.filledLots, closed.filledLots, 'a closed order reports its filled lots');
    assert.equal(order.filledMicros, closed.filledMicros, 'a closed order reports its filled cash');
    assert.equal(order.feeMicros, closed.feeMicros ?? 0, 'a closed order reports its fees');
    assert.equal(order.command.owner, closed.owner);
    if (closed.reason === 'canceled') {
      const states = [this.stateOf(''), this.stateOf(closed.conditionId)];
      assert(!states.includes('halted'), 'no order is canceled while halted');
      assert(!this.delayed.has(closed.orderId), 'no delayed order is canceled');
    }
    if (closed.reason === 'unmatched') assert.equal(closed.filledLots, 0);
    const waited = this.delayed.delete(closed.orderId);
    assert(waited || closed.reason !== 'trading_paused', 'a pause closes only delayed orders');
    this.live.delete(closed.orderId);
  }

  #arm({ owner, heartbeatId }: SwitchArmed): void {
    assert.notEqual(this.switches.get(owner), heartbeatId, 'it was not armed with this id');
    this.switches.delete(owner);
    this.switches.set(owner, heartbeatId);
  }

  #trip({ owner, heartbeatId }: SwitchTripped): void {
    assert.equal(this.switches.get(owner), heartbeatId, 'the switch that trips was armed');
    const own = [...this.live.values()].filter((order) => order.command.owner === owner);
    const left = own.filter((order) => !this.delayed.has(order.command.orderId));
    assert.equal(left.length, 0, 'a tripped switch leaves only delayed orders');
    this.switches.delete(owner);
  }

  #changeState({ conditionId, state }: TradingStateChanged): void {
    assert.notEqual(this.stateOf(conditionId), state, 'a state is reported only when it changes');
    assert(!ENDED.includes(this.stateOf(conditionId)), 'an ended market stays ended');
    if (state !== 'open') this.#expectNoneDelayed(conditionId);
    this.#states.set(conditionId, state);
  }

  /** Throws if an order is delayed in a market, or anywhere for ''. */
  #expectNoneDelayed(conditionId: string): void {
    const { tokenIds } = this.markets.get(conditionId) ?? { tokenIds: undefined };
    for (const orderId of this.delayed.keys()) {
      const { tokenId } = this.#order(orderId).command;
      assert(tokenIds !== undefined && !tokenIds.includes(tokenId), 'no order is delayed there');
    }
  }

  /** A closed or resolved market has no orders left and never trades again. */
  #end(conditionId: string, status: 'closed' | 'resolved'): void {
    const before = this.stateOf(conditionId);
    const again = before === 'closed' && status === 'resolved';
    assert(again || !ENDED.includes(before), 'a market ends once');
    for (const side of ['bid', 'ask'] as const) {
      assert.equal(this.levels(conditionId, side).size, 0, 'its book is empty');
    }
    this.#expectNoneDelayed(conditionId);
    this.#states.set(conditionId, status);
  }

  #changeStanding({ owner, standing }: StandingChanged): void {
    assert.notEqual(this.standings.get(owner) ?? 'good', standing);
    this.standings.delete(owner);
    if (standing === 'good') return;
    this.standings.set(owner, standing);
    const left = [...this.live.values()].filter(({ command }) => command.owner === owner);
    const kept = standing === 'banned' ? [] : left.filter(({ command }) => command.side === 'SELL');
    assert.equal(left.length, kept.length, 'a standing leaves no order that it forbids');
  }

  #level({ conditionId, side, priceTicks, lots }: LevelChanged): void {
    const key = `${conditionId} ${side}`;
    const levels = this.#levels.get(key) ?? new Map<number, number>();
    this.#levels.set(key, levels);
    assert.notEqual(levels.get(priceTicks) ?? 0, lots, 'a level is reported only when it changes');
    if (lots === 0) levels.delete(priceTicks);
    else levels.set(priceTicks, lots);
  }

  #order(orderId: string): SeenOrder {
    const order = this.live.get(orderId);
    assert(order !== undefined, 'an event names a live order');
    return order;
  }

  #account(address: string): SeenAccount {
    const account = this.accounts.get(address);
    assert(account !== undefined, 'an event names a known account');
    return account;
  }

  #market(conditionId: string): CreateMarket {
    const market = this.markets.get(conditionId);
    assert(market !== undefined, 'an event names a known market');
    return market;
  }

  /** Throws unless the state of an engine equals the one rebuilt from events. */
  compare(state: StateView): void {
    let orders = 0;
    for (const market of state.markets) {
      const { conditionId, bids, asks, status } = market;
      assert.equal(status, this.stateOf(conditionId), 'its state as in events');
      assert.equal(market.payoutTicks, this.#payouts.get(conditionId) ?? null);
      const reported = this.#market(conditionId);
      assert.equal(market.tickTicks, reported.tickTicks, 'its tick as in events');
      assert.equal(market.takerFeeBps, reported.takerFeeBps ?? 0, 'its fees as in events');
      assert.equal(market.makerFeeBps, reported.makerFeeBps ?? 0, 'its fees as in events');
      assert.equal(market.finerTickTicks, reported.finerTickTicks ?? 0, 'finer tick as in events');
      for (const [side, orders] of [['bid', bids] as const, ['ask', asks] as const]) {
        const reported = new Map(this.levels(conditionId, side));
        assert.deepEqual(levelTotals(orders), reported, `${side}s as in events`);
      }
      for (const resting of [...bids, ...asks]) {
        const seen = this.#order(resting.orderId);
        assert.equal(resting.remainingLots, seen.command.lots - seen.filledLots);
        assert.equal(resting.fees?.feeMicros ?? 0, seen.feeMicros, 'its fees as in events');
        orders += 1;
      }
    }
    const delayed = [...state.delayedOrders].map(
      ({ orderId, releaseMs }) => [orderId, releaseMs] as const,
    );
    assert.deepEqual(delayed, [...this.delayed], 'delayed orders as in events');
    const others = delayed.length + [...state.unfinishedOrders].length;
    assert.equal(orders + others, this.live.size, 'every other live order rests');
    assert.deepEqual([...state.apiKeys], [...this.keys.values()], 'keys as in events');
    const switches = [...this.switches].map(([owner, heartbeatId]) => ({ owner, heartbeatId }));
    assert.deepEqual([...state.switches], switches, 'switches as in events');
    assert.deepEqual(
      [...state.events],
      [...this.events.values()],
      'opened neg-risk events as in events',
    );
    const standings = [...this.standings].map(([owner, standing]) => ({ owner, standing }));
    assert.deepEqual([...state.standings], standings, 'standings as in events');
    assert.deepEqual([...state.builders], [...this.builders.values()], 'builders as in events');
    assert.equal(state.tradingState, this.stateOf(''), "the exchange's state as in events");
    for (const account of state.accounts) {
      const seen = this.#account(account.address);
      assert.equal(account.availableMicros + account.heldMicros, seen.cashMicros, 'cash');
      const reported = [...seen.tokens.values()].filter((lots) => lots !== 0);
      assert.equal(account.positions.length, reported.length, 'positions as in events');
      for (const { conditionId, outcome, availableLots, heldLots } of account.positions) {
        const tokenId = this.#market(conditionId).tokenIds[outcome];
        assert.equal(availableLots + heldLots, seen.tokens.get(tokenId), 'tokens as in events');
      }
    }
  }
}
