/**
 * The floor of the engine: only what no engine with this interface can leave out. It reads the text
 * ids of a command, finds order, account, owner and token by them, keeps a record and a table entry
 * for each live order, and makes the same events. The workload tells it what happens: it has no
 * book, no matching, no ledger, no checks and no memory of closed orders. No engine that reads
 * these texts and makes these events with the same code is faster on this machine.
 *
 * Invariant: it has as many live orders as the engine, else the benchmark fails.
 */

import { ID_WORDS, readOrderId } from '../../engine/book/order-id.ts';
import { OrderStore } from '../../engine/book/order-store.ts';
import { OrderTable } from '../../engine/book/order-table.ts';
import { TextTable } from '../../engine/book/text-table.ts';
import { type EngineEvent, type Fill, type OrderClosed, ticks } from '../../engine/index.ts';
import { type Contender, fresh, type Operation, type Workload } from './workload.ts';

/** A command, its events, and the records that these fill or close, in that order. */
interface FloorCall {
  readonly command: Operation['command'];
  readonly events: readonly EngineEvent[];
  readonly handles: readonly number[];
}

/** The record of the order that is being placed, among `handles`. */
const OWN = -1;

export class Floor implements Contender<FloorCall> {
  readonly #orders: OrderStore;
  readonly #ids: OrderTable;
  readonly #words = new Int32Array(ID_WORDS);
  readonly #accounts = new TextTable(0);
  readonly #owners: string[] = [];
  readonly #tokens = new TextTable(0);
  readonly #conditionId: string;
  /** The record that the store will give each order. */
  readonly #handleOf = new Map<string, number>();
  readonly #freed: number[] = [];
  #used = 0;
  /** Kept so that the compiler cannot leave the events out. */
  last: readonly EngineEvent[] = [];

  constructor(workload: Workload, resting: number) {
    const orders = new OrderStore(resting);
    this.#orders = orders;
    this.#ids = new OrderTable((entry, id) => orders.hasId(entry, id), { capacity: resting });
    for (const address of workload.addresses) {
      this.#accounts.add(address);
      this.#owners.push(address);
    }
    for (const tokenId of workload.tokenIds) this.#tokens.add(tokenId);
    this.#conditionId = workload.conditionId;
  }

  get resting(): number {
    return this.#used - this.#freed.length;
  }

  prepare(batch: readonly Operation[]): readonly FloorCall[] {
    return batch.map(({ command, events }) => {
      const own = command.kind === 'place_order' ? command.orderId : '';
      if (own !== '') this.#handleOf.set(own, this.#freed.pop() ?? this.#used++);
      const handles: number[] = [];
      for (const event of events) {
        if (event.kind === 'fill') handles.push(this.#known(event.makerOrderId));
        if (event.kind !== 'order_closed') continue;
        const handle = this.#known(event.orderId);
        handles.push(event.orderId === own ? OWN : handle);
        this.#handleOf.delete(event.orderId);
        this.#freed.push(handle);
      }
      return { command: fresh(command), events, handles };
    });
  }

  run(calls: readonly FloorCall[]): void {
    for (const call of calls) this.last = this.#apply(call);
  }

  time(calls: readonly FloorCall[], into: Float64Array): void {
    for (const [at, call] of calls.entries()) {
      const before = performance.now();
      this.last = this.#apply(call);
      into[at] = performance.now() - before;
    }
  }

  #known(orderId: string): number {
    const handle = this.#handleOf.get(orderId);
    if (handle === undefined) throw new Error(`${orderId} is not live in the floor`);
    return handle;
  }

  #apply({ command, events, handles }: FloorCall): EngineEvent[] {
    return command.kind === 'place_order'
      ? this.#place(command, events, handles)
      : this.#cancel(command, events);
  }

  #place(
    command: FloorCall['command'] & { kind: 'place_order' },
    events: FloorCall['events'],
    handles: FloorCall['handles'],
  ): EngineEvent[] {
    const { orderId } = command;
    const isNew = readOrderId(orderId, this.#words) && this.#ids.find(this.#words) < 0;
    const account = this.#accounts.find(command.account);
    const isKnown = account >= 0 && this.#tokens.find(command.tokenId) >= 0;
    if (!isNew || !isKnown || this.#owners[account] !== command.owner) throw new Error(orderId);
    const own = this.#orders.allocate(this.#words, 0);
    this.#ids.add(this.#ids.hash(this.#words, 0), own);
    this.#orders.setOwner(own, account, 0, 0);
    this.#orders.setPriceTicks(own, command.priceTicks);
    const address = this.#owners[account]!;
    const made: EngineEvent[] = [];
    let next = 0;
    let makerId = '';
    for (const event of events) {
      if (event.kind === 'order_accepted') {
        made.push({ kind: event.kind, orderId, account: address, conditionId: this.#conditionId });
      } else if (event.kind === 'fill') {
        makerId = this.#orders.id(handles[next]!);
        made.push(this.#fill(event, command, handles[next]!, makerId));
        next += 1;
      } else if (event.kind === 'order_closed') {
        const handle = handles[next]! === OWN ? own : handles[next]!;
        made.push(this.#close(event, handle, handle === own ? orderId : makerId));
        next += 1;
      } else made.push(this.#level(event));
    }
    return made;
  }

  #cancel(
    command: FloorCall['command'] & { kind: 'cancel_orders' },
    events: FloorCall['events'],
  ): EngineEvent[] {
    const orderId = command.orderIds[0]!;
    const handle = readOrderId(orderId, this.#words) ? this.#ids.find(this.#words) : -1;
    if (handle < 0 || this.#owners[this.#orders.account(handle)] !== command.owner) {
      throw new Error(orderId);
    }
    return events.map((event) =>
      event.kind === 'order_closed' ? this.#close(event, handle, orderId) : this.#level(event),
    );
  }

  #close(event: OrderClosed, handle: number, orderId: string): OrderClosed {
    const address = this.#owners[this.#orders.account(handle)]!;
    this.#orders.copyId(handle, this.#words, 0);
    this.#ids.delete(this.#ids.hash(this.#words, 0), handle);
    this.#orders.free(handle);
    return {
      kind: 'order_closed',
      orderId,
      account: address,
      owner: address,
      conditionId: this.#conditionId,
      reason: event.reason,
      filledLots: event.filledLots,
      filledMicros: event.filledMicros,
    };
  }

  #fill(
    event: Fill,
    command: FloorCall['command'] & { kind: 'place_order' },
    maker: number,
    makerOrderId: string,
  ): Fill {
    return {
      kind: 'fill',
      conditionId: this.#conditionId,
      match: event.match,
      takerOrderId: command.orderId,
      makerOrderId,
      takerAccount: command.account,
      makerAccount: this.#owners[this.#orders.account(maker)]!,
      takerOutcome: event.takerOutcome,
      takerSide: command.side,
      makerOutcome: event.makerOutcome,
      makerSide: event.makerSide,
      takerPriceTicks: event.takerPriceTicks,
      makerPriceTicks: ticks(this.#orders.priceTicks(maker)),
      lots: event.lots,
      bucket: event.bucket,
    };
  }

  #level(event: EngineEvent): EngineEvent {
    if (event.kind !== 'level_changed') throw new Error(`${event.kind} is not an event of the mix`);
    return {
      kind: 'level_changed',
      conditionId: this.#conditionId,
      side: event.side,
      priceTicks: event.priceTicks,
      lots: event.lots,
    };
  }
}
