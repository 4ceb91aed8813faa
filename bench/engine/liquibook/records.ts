/** Operations as records, in the form that liquibook.cpp reads. */
import type { Operation } from '../workload.ts';

const RECORD_BYTES = 24;
/** Kinds by their place: a place by its type, and a cancel. */
const KINDS: readonly string[] = ['GTC', 'FAK', 'FOK', 'cancel_orders'];

/**
 * A round: the number of operations, then a record for each one with the first 64 bits of the
 * order's id, the price in ticks, the size in lots, the kind and whether it is a bid. Numbers
 * are little-endian, of 8 bytes for the id and 4 bytes for all others.
 */
export function encodeRound(operations: readonly Operation[]): Buffer {
  const bytes = Buffer.alloc(4 + operations.length * RECORD_BYTES);
  let at = bytes.writeUInt32LE(operations.length, 0);
  for (const { command, isBid, bookTicks, sizeLots } of operations) {
    const isCancel = command.kind === 'cancel_orders';
    const id = isCancel ? command.orderIds[0]! : command.orderId;
    const name = isCancel ? command.kind : command.type;
    const kind = KINDS.indexOf(name);
    if (kind < 0) {
      throw new Error(`the order ${id} is ${name}; liquibook.cpp knows ${KINDS.join(', ')}`);
    }
    at = bytes.writeBigUInt64LE(BigInt(id.slice(0, 18)), at);
    for (const number of [bookTicks, sizeLots, kind, isBid ? 1 : 0]) {
      at = bytes.writeUInt32LE(number, at);
    }
  }
  return bytes;
}
