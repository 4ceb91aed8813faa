/**
 * The rows of `orders` that a step changes. Each is read at its first change and written once, at
 * the end of the step: an order that is placed and closed within one step is one insert. Bound: the
 * orders that one step changes, some 500 bytes each.
 */
import { strict as assert } from 'node:assert';
import type { Micros, OrderClosed, PlaceOrder } from '../../engine/index.ts';
import type { OrderKeyOf } from '../journal/order-ids.ts';
import type { DurableCommand, OrderStatus } from '../shared/index.ts';
import type { ProjectionStatements, StoredOrder } from './statements.ts';

/** An order as it was accepted, with the keys of its account, owner and market. */
export interface PlacedOrder {
  readonly orderKey: number;
  readonly orderId: string;
  readonly command: PlaceOrder;
  readonly accountKey: number;
  readonly ownerKey: number;
  readonly marketKey: number;
  readonly outcome: number;
  readonly timeMs: number;
}

/** What one trade adds to an order. */
export interface OrderFill {
  readonly lots: number;
  readonly micros: Micros;
  readonly feeMicros: number;
  readonly timeMs: number;
}

type CommandTime = Pick<DurableCommand, 'seq' | 'timeMs'>;

interface ChangedOrder extends StoredOrder {
  readonly orderKey: number;
  closeReason: string;
  closedSeq: number;
  readonly placed: PlacedOrder | undefined;
}

export class ProjectionOrders {
  readonly #statements: ProjectionStatements;
  readonly #orderKeyOf: OrderKeyOf;
  /** By order id; new ones in order of their keys. */
  readonly #changed = new Map<string, ChangedOrder>();

  constructor(statements: ProjectionStatements, orderKeyOf: OrderKeyOf) {
    this.#statements = statements;
    this.#orderKeyOf = orderKeyOf;
  }

  open(placed: PlacedOrder): void {
    const { broughtBy, builder = broughtBy } = placed.command;
    this.#changed.set(placed.orderId, {
      orderKey: placed.orderKey,
      builder: builder === undefined ? null : bytesOf(builder),
      filledLots: 0,
      filledMicros: 0,
      feeMicros: 0,
      status: 'live',
      closeReason: '',
      closedSeq: 0,
      updatedMs: placed.timeMs,
      releaseMs: 0,
      placed,
    });
  }

  delay(orderId: string, releaseMs: number): void {
    const order = this.#change(orderId);
    order.status = 'delayed';
    order.releaseMs = releaseMs;
  }

  release(orderId: string, timeMs: number): void {
    const order = this.#change(orderId);
    order.status = 'live';
    order.updatedMs = timeMs;
  }

  wasDelayed(orderId: string): boolean {
    return this.#change(orderId).releaseMs > 0;
  }

  fill(orderId: string, { lots, micros, feeMicros, timeMs }: OrderFill): Readonly<ChangedOrder> {
    const order = this.#change(orderId);
    order.filledLots += lots;
    order.filledMicros += micros;
    order.feeMicros += feeMicros;
    order.updatedMs = timeMs;
    return order;
  }

  close(event: OrderClosed, { seq, timeMs }: CommandTime): Readonly<ChangedOrder> {
    const order = this.#change(event.orderId);
    assert(order.filledLots === event.filledLots, 'projected and engine fills are equal');
    assert(order.filledMicros === event.filledMicros, 'projected and engine cash are equal');
    assert(order.feeMicros === (event.feeMicros ?? 0), 'projected and engine fees are equal');
    order.status = statusOf(event);
    order.closeReason = event.reason;
    order.closedSeq = seq;
    order.updatedMs = timeMs;
    return order;
  }

  keyOf(orderId: string): number {
    return this.#change(orderId).orderKey;
  }

  flush(): void {
    for (const order of this.#changed.values()) {
      if (order.placed === undefined) this.#update(order);
      else this.#insert(order, order.placed);
    }
    this.#changed.clear();
  }

  #change(orderId: string): ChangedOrder {
    const known = this.#changed.get(orderId);
    if (known !== undefined) return known;
    const orderKey = this.#orderKeyOf(orderId);
    const stored = orderKey === undefined ? undefined : this.#statements.selectOrder.get(orderKey);
    assert(
      orderKey !== undefined && stored !== undefined,
      'the journal refers only to orders that it accepted earlier',
    );
    const order = { orderKey, ...stored, closeReason: '', closedSeq: 0, placed: undefined };
    this.#changed.set(orderId, order);
    return order;
  }

  #insert(order: ChangedOrder, { orderId, command, ...placed }: PlacedOrder): void {
    this.#statements.insertOrder.run(
      placed.orderKey,
      bytesOf(orderId),
      placed.accountKey,
      placed.ownerKey,
      command.apiKey,
      order.builder,
      placed.marketKey,
      placed.outcome,
      command.side,
      command.type,
      command.postOnly ? 1 : 0,
      command.priceTicks,
      command.lots,
      command.budgetMicros,
      order.filledLots,
      order.filledMicros,
      order.feeMicros,
      order.status,
      order.closeReason,
      placed.timeMs,
      order.updatedMs,
      command.expiresAtMs,
      order.releaseMs,
      order.closedSeq,
    );
  }

  /** For an order that stays open the partial indexes of open orders are not touched. */
  #update(order: ChangedOrder): void {
    const { orderKey, filledLots, filledMicros, feeMicros, status, closeReason } = order;
    const { updatedMs, releaseMs, closedSeq } = order;
    const { updateOrder, updateClosedOrder } = this.#statements;
    if (closeReason === '') {
      updateOrder.run(filledLots, filledMicros, feeMicros, status, updatedMs, releaseMs, orderKey);
      return;
    }
    const filled = [filledLots, filledMicros, feeMicros] as const;
    updateClosedOrder.run(...filled, status, closeReason, updatedMs, closedSeq, orderKey);
  }
}

/** A FAK that filled a part counts as matched when its remainder is released (wire 5.4). */
function statusOf({ reason, filledLots }: OrderClosed): OrderStatus {
  if (reason === 'matched') return 'matched';
  const isRest = reason === 'remainder_released' || reason === 'unmatched';
  if (isRest && filledLots > 0) return 'matched';
  return reason === 'unmatched' ? 'unmatched' : 'canceled';
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
