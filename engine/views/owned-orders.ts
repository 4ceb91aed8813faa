/**
 * A copy of an owner's live orders, made at once and read in parts later: 20,000 orders as objects
 * take longer than a turn of the matching thread may. What happens to the orders afterwards does
 * not change the copy. Each order is taken once.
 */
import { ID_WORDS, NONE, type OrderStore, readOrderId } from '../book/index.ts';
import type { Micros, OwnedOrder } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { type ChargedFees, chargedFees, viewFees, viewRecord } from './state-view.ts';

/** What is not in an order's record. */
interface Details extends Pick<OwnedOrder, 'budgetMicros' | 'releaseMs'> {
  readonly fees: ChargedFees | undefined;
}

/** A resting order without fees has no budget and no delay. */
const NO_DETAILS: Details = { budgetMicros: 0 as Micros, releaseMs: 0, fees: undefined };

export class OwnedOrders {
  /** Its accounts and markets; what is read of them never changes. */
  readonly #state: EngineState;
  /** Copies of the records, in order of acceptance. The handle of each is its place. */
  readonly #records: OrderStore;
  readonly #count: number;
  /** By place. */
  readonly #details: Details[] = [];
  /** The places of orders that were taken by their ids. */
  readonly #taken = new Set<number>();
  /** All orders before this place are taken. */
  #next = 0;

  constructor(state: EngineState, firstHandle: number) {
    const { orders } = state;
    const handles: number[] = [];
    for (let at = firstHandle; at !== NONE; at = orders.ownerNext(at)) {
      handles.push(at);
      this.#details.push(detailsOf(state, at));
    }
    this.#state = state;
    this.#records = orders.copies(handles);
    this.#count = handles.length;
  }

  /** The number of orders that are not taken. */
  get left(): number {
    return this.#count - this.#next - this.#taken.size;
  }

  /** Takes the next orders, in order of acceptance: `most`, or as many as are left. */
  *take(most: number): Generator<OwnedOrder> {
    for (let taken = 0; taken < most && this.#next < this.#count; ) {
      const place = this.#next;
      this.#next += 1;
      if (this.#taken.delete(place)) continue;
      taken += 1;
      yield this.#view(place);
    }
  }

  /** Takes one order; undefined if it is not in the copy, or was taken. It looks at each record. */
  takeById(orderId: string): OwnedOrder | undefined {
    const id = new Int32Array(ID_WORDS);
    if (!readOrderId(orderId, id)) return undefined;
    for (let place = this.#next; place < this.#count; place += 1) {
      if (!this.#records.hasId(place, id) || this.#taken.has(place)) continue;
      this.#taken.add(place);
      return this.#view(place);
    }
    return undefined;
  }

  #view(place: number): OwnedOrder {
    const { ledger, markets } = this.#state;
    const order = viewRecord(this.#records, ledger, place);
    const { conditionId, tokenIds } = markets[this.#records.market(place)]!.terms;
    const tokenId = tokenIds[order.outcome];
    const { fees, budgetMicros, releaseMs } = this.#details[place]!;
    const terms = { ...order, conditionId, tokenId, budgetMicros, releaseMs };
    return fees === undefined ? terms : { ...terms, fees: viewFees(ledger, fees) };
  }
}

function detailsOf(state: EngineState, handle: number): Details {
  const { orders, delayed, unfinished } = state;
  const isUnfinished = unfinished?.handle === handle;
  if (!orders.hasFees(handle) && !orders.isDelayed(handle) && !isUnfinished) return NO_DETAILS;
  const { releaseMs, budgetMicros } = delayed.get(handle) ?? NO_DETAILS;
  return {
    fees: chargedFees(state, handle),
    budgetMicros: isUnfinished ? unfinished.terms.budgetMicros : budgetMicros,
    releaseMs,
  };
}
