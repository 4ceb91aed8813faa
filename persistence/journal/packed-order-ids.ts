/**
 * The format of the rows of `new_order_ids`: the order ids of one batch in order of seq, 50 bytes
 * each. These are the id (32), the seq (8, a little-endian double), the type (1, its index in
 * STORED_ORDER_TYPES), whether it is post-only (1), and its expiration in ms (8, like the seq).
 */
import { strict as assert } from 'node:assert';
import type { OrderType, PlaceOrder } from '../../engine/index.ts';
import type { ByteWriter } from '../rows/byte-writer.ts';
import { STORED_ORDER_TYPES } from '../rows/packed-commands.ts';
import { StoreError } from '../shared/index.ts';

/** A row of `order_ids`, in the order of its columns. */
export type OrderIdRow = [Buffer, number, OrderType, number, number];

const ID_BYTES = 32;
const SEQ_AT = ID_BYTES;
const TYPE_AT = SEQ_AT + 8;
const POST_ONLY_AT = TYPE_AT + 1;
const EXPIRES_AT = POST_ONLY_AT + 1;
export const PACKED_BYTES = EXPIRES_AT + 8;

export function idAt(packed: Buffer, at: number): Buffer {
  return packed.subarray(at, at + ID_BYTES);
}

export type OrderIdTerms = Pick<PlaceOrder, 'type' | 'postOnly' | 'expiresAtMs'>;

export interface NewOrderId extends OrderIdTerms {
  /** 0x + 64 lower-case hex digits. */
  readonly orderId: string;
  readonly seq: number;
}

export function packOrderId(order: NewOrderId, bytes: ByteWriter): void {
  const { orderId, seq, type, postOnly, expiresAtMs } = order;
  const { length } = bytes;
  assert(bytes.hex(orderId, 2, orderId.length), 'order ids have hex digits');
  bytes.double(seq);
  bytes.byte(STORED_ORDER_TYPES.indexOf(type));
  bytes.byte(postOnly ? 1 : 0);
  bytes.double(expiresAtMs);
  assert(bytes.length - length === PACKED_BYTES, 'every order id has 32 bytes');
}

export function packedSeq(packed: Buffer, at: number): number {
  return packed.readDoubleLE(at + SEQ_AT);
}

/** Throws StoreError `journal_damaged` for an unknown type. */
export function* unpackOrderIds(packed: Buffer): Generator<OrderIdRow> {
  for (let at = 0; at < packed.length; at += PACKED_BYTES) yield unpackAt(packed, at);
}

/** Finds the order of a seq in a row, by binary search. */
export function findPacked(packed: Buffer, seq: number): OrderIdRow | undefined {
  let [low, high] = [0, packed.length / PACKED_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * PACKED_BYTES;
    const found = packedSeq(packed, at);
    if (found === seq) return unpackAt(packed, at);
    if (found < seq) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function unpackAt(packed: Buffer, at: number): OrderIdRow {
  const typeCode = packed.readUInt8(at + TYPE_AT);
  const type = STORED_ORDER_TYPES[typeCode];
  const seq = packedSeq(packed, at);
  if (type === undefined) throw damaged(seq, `has the unknown order type ${typeCode}`);
  const postOnly = packed.readUInt8(at + POST_ONLY_AT);
  const expiresMs = packed.readDoubleLE(at + EXPIRES_AT);
  return [idAt(packed, at), seq, type, postOnly, expiresMs];
}

/**
 * The order ids of a row of `new_order_ids`, whose key is their first seq. Throws StoreError
 * `journal_damaged` if the row is malformed.
 */
export function* unpackRow(firstSeq: number, packed: Buffer): Generator<OrderIdRow> {
  if (packed.length === 0 || packed.length % PACKED_BYTES !== 0) {
    throw damaged(
      firstSeq,
      `is in a row of ${packed.length} bytes, not a multiple of ${PACKED_BYTES}`,
    );
  }
  let lastSeq = 0;
  for (const row of unpackOrderIds(packed)) {
    const [, seq] = row;
    const isNext = lastSeq === 0 ? seq === firstSeq : seq > lastSeq;
    if (!isNext) throw damaged(firstSeq, `is in a row with seq ${seq} after seq ${lastSeq}`);
    lastSeq = seq;
    yield row;
  }
}

function damaged(seq: number, what: string): StoreError {
  return new StoreError(
    'journal_damaged',
    `in the journal's table new_order_ids, the order of command ${seq} ${what}: the file was ` +
      'changed or ' +
      'damaged after it was written. Put back journal.db and journal.db-wal as they were, or ' +
      'restore the newest backup',
  );
}
