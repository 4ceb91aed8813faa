/**
 * The crowd on an engine and views alone, with a clock of its own: hours pass in seconds. Orders
 * are commands, neither signed nor journaled; all else is the crowd of a running exchange.
 */
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import {
  type Command,
  Engine,
  type EngineEvent,
  type Fill,
  lots,
  type Micros,
  micros,
  ONE_TICKS,
  ticks,
} from '../../../engine/index.ts';
import { Counts } from '../../../http/codec/index.ts';
import { type CrowdModel, DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import { DEFAULT_SETTINGS } from '../../../http/settings/defaults.ts';
import { BookViews } from '../../../http/views/books.ts';
import { type MarketEntry, Registry } from '../../../http/views/registry.ts';
import { CrowdModes } from '../../../sandbox/crowd/characters.ts';
import { Crowd } from '../../../sandbox/crowd/crowd.ts';
import type { CrowdDesk, DeskOrder } from '../../../sandbox/crowd/desk.ts';
import { type Rung, rungOf } from '../../../sandbox/crowd/ladders.ts';
import type { Participant } from '../../../sandbox/crowd/roster.ts';

const FUNDS: Micros = micros(1_000_000_000_000);
const EVENTS = builtinEvents();
const TEXTS = new Map(
  EVENTS.flatMap(({ markets }) => markets).map((market) => [market.conditionId, market]),
);

/** The group of a market of the built-in catalog. */
export function placesOf(entry: MarketEntry): Rung {
  const place = [...TEXTS.keys()].indexOf(entry.conditionId);
  return rungOf(entry, TEXTS.get(entry.conditionId), place);
}

interface Trade {
  readonly conditionId: string;
  readonly timeMs: number;
  readonly buysYes: boolean;
  readonly lots: number;
  /** Prices at which it filled. */
  readonly levels: number;
}

interface Write {
  readonly conditionId: string;
  readonly timeMs: number;
}

export class Simulation implements CrowdDesk {
  readonly registry = new Registry();
  readonly books = new BookViews();
  readonly refusals = new Counts();
  readonly crowd: Crowd;
  readonly trades: Trade[] = [];
  readonly orders: (Write & { readonly lots: number })[] = [];
  readonly cancels: Write[] = [];
  /** Every command, in order. */
  readonly commands: Command[] = [];
  nowMs = Date.parse('2027-01-01T00:00:00Z');
  readonly #engine = new Engine();
  readonly #marketOf = new Map<string, string>();
  #seq = 0;
  #ids = 0;

  /** `watched` are the condition ids of the markets that a socket follows. */
  constructor(seed: number, watched: readonly string[], model: Partial<CrowdModel>) {
    const { registry, books } = this;
    for (const { id, negRisk, markets } of EVENTS) {
      for (const market of markets) this.#create(market, id, negRisk);
    }
    this.crowd = new Crowd({
      registry,
      books,
      desk: this,
      settings: {
        ...DEFAULT_SETTINGS,
        crowdSeed: seed,
        crowdModel: { ...DEFAULT_CROWD_MODEL, ...model },
        monotonicMs: () => this.nowMs,
      },
      modes: new CrowdModes('live'),
      now: () => this.nowMs,
      textsOf: (conditionId) => TEXTS.get(conditionId),
      // Safe: it writes to its log only if its own loop fails, which nothing starts here.
      log: undefined as never,
      audience: {
        requests: () => 0,
        sockets: () => 1,
        isFollowed: (conditionId) => watched.includes(conditionId),
        reads: () => 0,
      },
    });
    this.crowd.stop();
  }

  /** Lets time pass. `look` is called after each step. */
  async run(ms: number, look: () => void = () => {}): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; look()) {
      this.nowMs += await this.crowd.step();
    }
  }

  get markets(): MarketEntry[] {
    return [...this.registry.markets()];
  }

  get counts() {
    return { orders: this.orders.length, cancels: this.cancels.length, merges: 0, deposits: 0 };
  }

  isKnown({ wallet }: Participant): boolean {
    return this.registry.accountOwner(wallet.address) !== undefined;
  }

  async open({ wallet: { address } }: Participant): Promise<void> {
    const account = { address, owner: address, wallet: 'eoa', paperMicros: FUNDS } as const;
    this.#apply({ kind: 'open_account', ...account });
  }

  async place({ wallet }: Participant, orders: readonly DeskOrder[], market: MarketEntry) {
    const { address } = wallet;
    let accepted = 0;
    const resting = orders.map((order) => {
      this.#ids += 1;
      const orderId = `0x${this.#ids.toString(16).padStart(64, '0')}`;
      const times = { expiresAtMs: 0, minimumLeadMs: 0, earlyEndMs: 0, idCheckedSeq: this.#seq };
      const who = { account: address, owner: address, apiKey: '' };
      const events = this.#apply({ kind: 'place_order', orderId, ...who, ...times, ...order });
      const fault = events.find((event) => 'code' in event);
      if (fault !== undefined) {
        this.refusals.add(String(Object(fault).code));
        return '';
      }
      accepted += 1;
      const { conditionId } = market;
      this.#noteTrade(conditionId, order, events);
      if (order.type !== 'GTC') return '';
      this.#marketOf.set(orderId, conditionId);
      this.orders.push({ conditionId, timeMs: this.nowMs, lots: order.lots });
      return events.some(({ kind }) => kind === 'order_closed') ? '' : orderId;
    });
    return { resting, accepted };
  }

  async cancel({ wallet }: Participant, orderIds: readonly string[]): Promise<readonly string[]> {
    if (orderIds.length > 0) {
      this.#apply({ kind: 'cancel_orders', owner: wallet.address, orderIds });
    }
    for (const orderId of orderIds) {
      const conditionId = this.#marketOf.get(orderId) ?? '';
      this.cancels.push({ conditionId, timeMs: this.nowMs });
    }
    return [];
  }

  async cancelAll(): Promise<number> {
    return 0;
  }

  lotsOf({ wallet }: Participant, tokenId: string): number {
    return this.#engine.balance(wallet.address, tokenId)?.available ?? 0;
  }

  ordersOf({ wallet }: Participant) {
    return this.#engine.owner(wallet.address).orders;
  }

  isLive(orderId: string): boolean {
    return this.#engine.isLive(orderId);
  }

  async merge(): Promise<void> {}

  async topUp(): Promise<void> {}

  #noteTrade(conditionId: string, order: DeskOrder, events: readonly EngineEvent[]): void {
    const fills = events.filter((event): event is Fill => event.kind === 'fill');
    if (fills.length === 0) return;
    const [yes] = this.registry.market(conditionId)?.tokenIds ?? [];
    this.trades.push({
      conditionId,
      timeMs: this.nowMs,
      buysYes: (order.tokenId === yes) === (order.side === 'BUY'),
      lots: fills.reduce((sum, fill) => sum + fill.lots, 0),
      levels: new Set(fills.map(({ takerPriceTicks }) => takerPriceTicks)).size,
    });
  }

  #create(market: (typeof EVENTS)[number]['markets'][number], id: string, negRisk: boolean): void {
    const { conditionId, clobTokenIds, orderPriceMinTickSize, orderMinSize } = market;
    const [yes, no] = JSON.parse(clobTokenIds);
    this.#apply({
      kind: 'create_market',
      conditionId,
      tokenIds: [yes, no],
      tickTicks: ticks(Math.round(orderPriceMinTickSize * ONE_TICKS)),
      minimumLots: lots(100 * orderMinSize),
      minimumBudgetMicros: micros(1_000_000),
      negRisk,
      eventId: id,
      selfTrade: 'cancel_taker',
    });
  }

  #apply(command: Command): readonly EngineEvent[] {
    const seq = this.#seq + 1;
    const events = this.#engine.apply(seq, this.nowMs, this.#engine.inputOf(command));
    if (events.some((event) => !('code' in event))) this.#seq = seq;
    this.commands.push(command);
    const durable = [{ seq, timeMs: this.nowMs, command, events }];
    this.registry.consume(durable);
    this.books.consume(durable);
    return events;
  }
}

/** The first quotes of every book. */
export async function openedSimulation(
  seed: number,
  watched: readonly string[],
  model: Partial<CrowdModel> = {},
): Promise<Simulation> {
  const simulation = new Simulation(seed, watched, model);
  const isUnfilled = (): boolean => simulation.crowd.markets.some(({ isFilled }) => !isFilled);
  while (isUnfilled()) simulation.nowMs += await simulation.crowd.step();
  return simulation;
}
