/**
 * Commands for the engine benchmark, made beforehand: 60% orders that rest, 30% cancels, 10% orders
 * that take. The generator has its own engine and so knows which orders are live: every
 * command is accepted, and the number of resting orders stays about constant. The same seed makes
 * the same commands.
 */
import {
  type CancelOrders,
  type Command,
  Engine,
  type EngineEvent,
  lots,
  micros,
  type Outcome,
  type PlaceOrder,
  ticks,
} from '../../engine/index.ts';
import { Random } from '../../http/codec/random.ts';
import { copyText, createMarket, openAccount, placeOrder } from '../harness/commands.ts';

export interface WorkloadTerms {
  readonly seed: number;
  /** The number of resting orders. */
  readonly resting: number;
  /** The market's tick: 1, or 100 for a market in cents. */
  readonly tickTicks: number;
}

/** A command, and what it is in a single book of YES prices. */
export interface Operation {
  readonly command: PlaceOrder | CancelOrders;
  readonly isBid: boolean;
  readonly bookTicks: number;
  /** Size in lots. For a budget: what it will buy. 0 for a cancel. */
  readonly sizeLots: number;
  /** The events of the generator's engine. */
  readonly events: readonly EngineEvent[];
}

/** Something that does the operations of a workload. */
export interface Contender<Call> {
  /** Puts a batch into its own form, before the clock starts. */
  prepare(batch: readonly Operation[]): readonly Call[];
  call(call: Call): void;
  /** Makes all calls of a batch, in a loop of its own, which the compiler optimizes. */
  run(calls: readonly Call[]): void;
}

const TAKERS = 20;
const LEAST_LOTS = 500;
const MAX_LOTS = 10_000;
const MEAN_LOTS = (LEAST_LOTS + MAX_LOTS) / 2;
/** Makers that a taking order meets, so that places and removals balance. */
const MAKERS_TAKEN = 3;
/** The mean distance of a resting order from the middle of the price range. */
const MEAN_DISTANCE_TICKS = 500;
const MINTED_LOTS = 200_000_000;
const PAPER_MICROS = 4_000_000_000_000;
const START_MS = 1_760_000_000_000;

export class Workload {
  readonly #random: Random;
  readonly #terms: WorkloadTerms;
  readonly #makers: string[];
  readonly #takers: string[];
  readonly tokenIds: readonly [string, string];
  readonly conditionId: string;
  readonly #model: Engine;
  /** Resting orders with their owners, and the place of each in the list. */
  readonly #live: { readonly orderId: string; readonly owner: string }[] = [];
  readonly #placeOf = new Map<string, number>();
  #commands = 0;

  constructor(terms: WorkloadTerms) {
    this.#terms = terms;
    this.#random = new Random(terms.seed);
    const makers = Math.max(100, Math.ceil(terms.resting / 1_000));
    this.#makers = Array.from({ length: makers }, () => `0x${this.#random.hex(40)}`);
    this.#takers = Array.from({ length: TAKERS }, () => `0x${this.#random.hex(40)}`);
    this.tokenIds = [this.#tokenId(), this.#tokenId()];
    this.conditionId = `0x${this.#random.hex(64)}`;
    this.#model = new Engine();
  }

  /** All accounts; each is its own owner. */
  get addresses(): readonly string[] {
    return [...this.#makers, ...this.#takers];
  }

  /** The market, and accounts with cash and both tokens. */
  *setup(): Generator<Command> {
    const market = createMarket({
      conditionId: this.conditionId,
      tokenIds: this.tokenIds,
      tickTicks: ticks(this.#terms.tickTicks),
      minimumLots: lots(500),
      minimumBudgetMicros: micros(1_000_000),
    });
    yield this.#known(market);
    const accounts = this.addresses;
    for (const address of accounts) yield this.#known(openAccount(address, PAPER_MICROS));
    for (let at = 0; at + 1 < accounts.length; at += 2) {
      for (const outcome of [0, 1] as const) {
        yield this.#known(this.#mint(accounts[at]!, outcome));
        yield this.#known(this.#mint(accounts[at + 1]!, outcome === 0 ? 1 : 0));
      }
    }
  }

  /** Fills the book to the number of resting orders. */
  *fillBook(): Generator<Operation> {
    while (this.#live.length < this.#terms.resting) yield this.#place();
  }

  /** The next `count` operations of the mix. */
  mix(count: number): Operation[] {
    return Array.from({ length: count }, () => {
      const percent = this.#random.below(100);
      if (percent < 60 || this.#live.length === 0) return this.#place();
      return percent < 90 ? this.#cancel() : this.#take();
    });
  }

  /** Orders that rest. The generator does not remember them. */
  *restingOrders(count: number): Generator<PlaceOrder> {
    for (let at = 0; at < count; at += 1) {
      const account = this.#random.pick(this.#makers);
      yield fresh(this.#order(account, 'GTC', this.#restingTerms()));
    }
  }

  /** Most orders are near the middle: half of them at most 350 ticks away. */
  #restingTerms(): BookOrder {
    const { tickTicks } = this.#terms;
    const isBid = this.#random.chance(50);
    const most = Math.floor(4_900 / tickTicks);
    const chance = (this.#random.below(1e6) + 1) / 1e6;
    const far = Math.floor((-Math.log(chance) * MEAN_DISTANCE_TICKS) / tickTicks);
    const away = (1 + Math.min(far, most - 1)) * tickTicks;
    const sizeLots = this.#random.between(LEAST_LOTS, MAX_LOTS);
    return { isBid, bookTicks: isBid ? 5_000 - away : 5_000 + away, sizeLots };
  }

  #place(): Operation {
    const terms = this.#restingTerms();
    const account = this.#random.pick(this.#makers);
    const order = this.#order(account, 'GTC', terms);
    const events = this.#apply(order);
    if (events.length !== 2) throw new Error(`an order did not rest: ${JSON.stringify(events)}`);
    this.#placeOf.set(order.orderId, this.#live.length);
    this.#live.push({ orderId: order.orderId, owner: account });
    return { command: order, ...terms, events };
  }

  #take(): Operation {
    const isBid = this.#random.chance(50);
    const bookTicks = isBid ? 9_900 : 100;
    const wanted = MAKERS_TAKEN * (this.#live.length / this.#terms.resting) ** 4;
    const sizeLots = Math.max(LEAST_LOTS, Math.round(wanted * MEAN_LOTS));
    const type = this.#random.pick(['GTC', 'FAK', 'FAK', 'FOK'] as const);
    const account = this.#random.pick(this.#takers);
    const order = this.#order(account, type, { isBid, bookTicks, sizeLots });
    const events = this.#apply(order);
    let taken = 0;
    for (const event of events) {
      if (event.kind === 'fill') taken += event.lots;
      if (event.kind === 'order_closed' && event.orderId !== order.orderId) {
        this.#leave(event.orderId);
      }
    }
    const isDone = events.some((e) => e.kind === 'order_closed' && e.orderId === order.orderId);
    if (!isDone) throw new Error(`an order did not fill as a taker: ${JSON.stringify(events)}`);
    return { command: order, isBid, bookTicks, sizeLots: taken, events };
  }

  #cancel(): Operation {
    const { orderId, owner } = this.#random.pick(this.#live);
    const command: CancelOrders = { kind: 'cancel_orders', owner, orderIds: [orderId] };
    const events = this.#apply(command);
    if (events.length !== 2) throw new Error(`${orderId} was not cancelled`);
    this.#leave(orderId);
    return { command, isBid: false, bookTicks: 0, sizeLots: 0, events };
  }

  /** Removes an order from the list: the last one takes its place. */
  #leave(orderId: string): void {
    const place = this.#placeOf.get(orderId)!;
    const last = this.#live.pop()!;
    this.#placeOf.delete(orderId);
    if (last.orderId === orderId) return;
    this.#live[place] = last;
    this.#placeOf.set(last.orderId, place);
  }

  /** An order of either outcome that is the wanted bid or ask in the one book. */
  #order(account: string, type: PlaceOrder['type'], wanted: BookOrder): PlaceOrder {
    const outcome: Outcome = this.#random.chance(50) ? 0 : 1;
    const side = wanted.isBid === (outcome === 0) ? 'BUY' : 'SELL';
    const isBudget = side === 'BUY' && type !== 'GTC';
    return placeOrder({
      orderId: `0x${this.#random.hex(64)}`,
      account,
      tokenId: this.tokenIds[outcome],
      side,
      type,
      priceTicks: outcome === 0 ? wanted.bookTicks : 10_000 - wanted.bookTicks,
      lots: isBudget ? 0 : wanted.sizeLots,
      // About the price that a taker pays in the middle of the range.
      budgetMicros: isBudget ? wanted.sizeLots * 5_000 : 0,
      idCheckedSeq: this.#commands,
      apiKey: '00000000-0000-4000-8000-000000000000',
    });
  }

  /** Two of these orders, one of each outcome, mint complete sets. */
  #mint(account: string, outcome: Outcome): PlaceOrder {
    const terms = { isBid: outcome === 0, bookTicks: 5_000, sizeLots: MINTED_LOTS };
    const order = this.#order(account, 'GTC', terms);
    return { ...order, side: 'BUY', tokenId: this.tokenIds[outcome], priceTicks: ticks(5_000) };
  }

  #known(command: Command): Command {
    this.#apply(command);
    return command;
  }

  #apply(command: Command): EngineEvent[] {
    this.#commands += 1;
    return this.#model.apply(this.#commands, timeOf(this.#commands), this.#model.inputOf(command));
  }

  #tokenId(): string {
    return Array.from({ length: 76 }, () => this.#random.between(1, 9)).join('');
  }
}

/** The time of a command by its sequence number, in ms: the same for every engine. */
export function timeOf(seq: number): number {
  return START_MS + (seq >>> 10);
}

interface BookOrder {
  readonly isBid: boolean;
  readonly bookTicks: number;
  readonly sizeLots: number;
}

/** The same command with new strings, not yet hashed, as from a request. */
function fresh<C extends PlaceOrder | CancelOrders>(command: C): C {
  if (command.kind === 'cancel_orders') {
    const { kind, owner, orderIds } = command;
    // Safe: it has the kind of the command.
    return { kind, owner: copyText(owner), orderIds: orderIds.map(copyText) } as CancelOrders as C;
  }
  const { orderId, account, owner, tokenId } = command;
  return {
    ...command,
    orderId: copyText(orderId),
    account: copyText(account),
    owner: copyText(owner),
    tokenId: copyText(tokenId),
  };
}

/** Fills an engine with resting orders, for an account per thousand and at least a hundred. */
export function fillEngine(engine: Engine, orders: number): void {
  const workload = new Workload({ seed: 1, resting: orders, tickTicks: 1 });
  let seq = 0;
  for (const commands of [workload.setup(), workload.restingOrders(orders)]) {
    for (const command of commands) {
      seq += 1;
      engine.apply(seq, timeOf(seq), engine.inputOf(command));
    }
  }
  const { liveOrders } = engine.totals();
  if (liveOrders !== orders) throw new Error(`${liveOrders} orders rest, not ${orders}`);
}
