/**
 * A lower bound for the engine's time: only the work that every engine with this interface must do.
 * It reads the text ids of a command, finds the order, account, owner and token by them, keeps a
 * record and a table entry for each live order, and makes the same events. The workload tells
 * it what happens: it has no book, no matching, no ledger, no checks and no memory of closed
 * orders. No engine that reads these texts and makes these events with the same code is faster on
 * this machine.
 *
 * Invariant: it has as many live orders as the engine, else the benchmark fails.
 */
import { ID_WORDS, readOrderId } from '../../engine/book/order-id.ts';
import { OrderStore } from '../../engine/book/order-store.ts';
import { OrderTable } from '../../engine/book/order-table.ts';
import { TextTable } from '../../engine/book/text-table.ts';
import { type EngineEvent, type PlaceOrder, ticks } from '../../engine/index.ts';
import { type Contender, fresh, type Operation, type Workload } from './workload.ts';

interface FloorCall {
  readonly command: Operation['command'];
  /** Its events, each with the record of the order that it fills or closes. */
  readonly steps: readonly { readonly event: EngineEvent; readonly handle: number }[];
}

const NONE = -1;

/** The id of the maker that a fill names, or of the closed order; '' for other events. */
function affectedOrder(event: EngineEvent): string {
  if (event.kind === 'fill') return event.makerOrderId;
  return event.kind === 'order_closed' ? event.orderId : '';
}

export class Floor implements Contender<FloorCall> {
  readonly #orders: OrderStore;
  readonly #ids: OrderTable;
  readonly #words = new Int32Array(ID_WORDS);
  readonly #accounts = new TextTable(0);
  readonly #owners: readonly string[];
  readonly #tokens = new TextTable(0);
  readonly #conditionId: string;
  /** The record that the store will give each order: the one freed last, else a new one. */
  readonly #handleOf = new Map<string, number>();
  readonly #freed: number[] = [];
  #used = 0;
  /** Kept so that the compiler cannot leave the events out. */
  last: readonly EngineEvent[] = [];

  constructor(workload: Workload, resting: number) {
    const orders = new OrderStore(resting);
    this.#orders = orders;
    this.#ids = new OrderTable((entry, id) => orders.hasId(entry, id), { capacity: resting });
    this.#owners = workload.addresses;
    for (const address of this.#owners) this.#accounts.add(address);
    for (const tokenId of workload.tokenIds) this.#tokens.add(tokenId);
    this.#conditionId = workload.conditionId;
  }

  get resting(): number {
    return this.#handleOf.size;
  }

  prepare(batch: readonly Operation[]): readonly FloorCall[] {
    return batch.map(({ command, events }) => {
      if (command.kind === 'place_order') {
        this.#handleOf.set(command.orderId, this.#freed.pop() ?? this.#used++);
      }
      const steps = events.map((event) => {
        const orderId = affectedOrder(event);
        const handle = this.#handleOf.get(orderId) ?? NONE;
        if (event.kind === 'order_closed') {
          this.#handleOf.delete(orderId);
          this.#freed.push(handle);
        }
        return { event, handle };
      });
      return { command: fresh(command), steps };
    });
  }

  run(calls: readonly FloorCall[]): void {
    for (const call of calls) this.call(call);
  }

  call({ command, steps }: FloorCall): void {
    const isPlaced = command.kind === 'place_order';
    const orderId = isPlaced ? command.orderId : command.orderIds[0]!;
    const own = isPlaced ? this.#place(command) : this.#find(orderId, command.owner);
    const account = this.#owners[this.#orders.account(own)]!;
    const conditionId = this.#conditionId;
    const events: EngineEvent[] = [];
    let makerOrderId = '';
    for (const { event, handle } of steps) {
      if (event.kind === 'order_accepted') {
        events.push({ ...event, orderId, account, conditionId });
      } else if (event.kind === 'level_changed') {
        events.push({ ...event, conditionId });
      } else if (event.kind === 'fill') {
        makerOrderId = this.#orders.id(handle);
        const makerAccount = this.#owners[this.#orders.account(handle)]!;
        const makerPriceTicks = ticks(this.#orders.priceTicks(handle));
        const taker = { takerOrderId: orderId, takerAccount: account };
        const maker = { makerOrderId, makerAccount, makerPriceTicks };
        events.push({ ...event, ...taker, ...maker, conditionId });
      } else if (event.kind === 'order_closed') {
        const owner = this.#owners[this.#orders.account(handle)]!;
        const closedId = handle === own ? orderId : makerOrderId;
        events.push({ ...event, orderId: closedId, account: owner, owner, conditionId });
        this.#free(handle);
      } else throw new Error(`the workload has no events of kind ${event.kind}`);
    }
    this.last = events;
  }

  #place({ orderId, account, owner, tokenId, priceTicks }: PlaceOrder): number {
    const isNew = readOrderId(orderId, this.#words) && this.#ids.find(this.#words) < 0;
    const place = this.#accounts.find(account);
    const isKnown = place >= 0 && this.#tokens.find(tokenId) >= 0;
    if (!isNew || !isKnown || this.#owners[place] !== owner) {
      throw new Error(`floor: order ${orderId} cannot be placed`);
    }
    const handle = this.#orders.allocate(this.#words, 0);
    this.#ids.add(this.#ids.hash(this.#words, 0), handle);
    this.#orders.setOwner(handle, place, 0, 0);
    this.#orders.setPriceTicks(handle, priceTicks);
    return handle;
  }

  #find(orderId: string, owner: string): number {
    const handle = readOrderId(orderId, this.#words) ? this.#ids.find(this.#words) : NONE;
    if (handle < 0 || this.#owners[this.#orders.account(handle)] !== owner) {
      throw new Error(`floor: ${owner} has no live order ${orderId}`);
    }
    return handle;
  }

  #free(handle: number): void {
    this.#orders.copyId(handle, this.#words, 0);
    this.#ids.delete(this.#ids.hash(this.#words, 0), handle);
    this.#orders.free(handle);
  }
}
