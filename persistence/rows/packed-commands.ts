/**
 * Packs orders and cancels with the engine's numbers in place of names (engine/model/inputs.ts), so
 * that a replay decodes what the engine takes. Only what a number stands for can be packed: a
 * command with a name that the engine did not know, with a malformed id or of a kind of its own
 * stays JSON. Invariant: names, asked for at any later time, give the command that was packed.
 *
 * An order:  flags, order id, account, owner, token, price, lots, budget, expiration, lead, early
 *            end, checked seq, [builder], API key, [code of the builder], [code that brought it]
 * A cancel:  flags, owner, how many orders, their ids
 */
import type {
  CancelInput,
  CancelOrders,
  EngineNames,
  Lots,
  Micros,
  OrderInput,
  OrderType,
  PlaceOrder,
  Ticks,
} from '../../engine/index.ts';
import { writeOrderId } from '../../engine/index.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { packText, readText } from './packed-values.ts';

/** Payloads have an order's type as its place in this list, so the list never changes. */
export const STORED_ORDER_TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK'];

const ID_WORDS = 8;
const CODE_BYTES = 32;
const CODE_LENGTH = 2 + 2 * CODE_BYTES;

/** Set if evidence follows the command. */
export const EVIDENCE_FLAG = 1;
const SELL_FLAG = 2;
const POST_ONLY_FLAG = 4;
const BUILDER_FLAG = 8;
const BROUGHT_FLAG = 16;
/** The place of the order's type in STORED_ORDER_TYPES. */
const TYPE_SHIFT = 5;

/** The fields of an order that have no number in its input. */
type OrderTexts = Pick<PlaceOrder, 'apiKey' | 'builder' | 'broughtBy'>;

/** Returns false, and leaves something half written, for an order that can't be packed. */
export function packOrder(
  input: OrderInput,
  command: OrderTexts,
  evidenceFlag: number,
  bytes: ByteWriter,
): boolean {
  const { orderId, account, owner, token, builder, opens } = input;
  if (orderId.length !== ID_WORDS || opens !== undefined) return false;
  if (account < 0 || owner < 0 || token < 0) return false;
  const flags = flagsOf(input, command);
  if (flags === undefined || !command.apiKey.isWellFormed()) return false;
  bytes.byte(flags | evidenceFlag);
  bytes.words(orderId);
  bytes.number(account);
  bytes.number(owner);
  bytes.number(token);
  bytes.number(input.priceTicks);
  bytes.number(input.lots);
  bytes.number(input.budgetMicros);
  bytes.number(input.expiresAtMs);
  bytes.number(input.minimumLeadMs);
  bytes.number(input.earlyEndMs);
  bytes.number(input.idCheckedSeq);
  if (command.builder !== undefined) bytes.number(builder);
  packText(command.apiKey, bytes);
  if (command.builder !== undefined && !packCode(command.builder, bytes)) return false;
  return command.broughtBy === undefined || packCode(command.broughtBy, bytes);
}

/** undefined if a field has another value than its type permits. */
function flagsOf(
  { side, type, postOnly }: OrderInput,
  { builder, broughtBy }: OrderTexts,
): number | undefined {
  const place = STORED_ORDER_TYPES.indexOf(type);
  const isKnown = place >= 0 && (side === 'BUY' || side === 'SELL');
  if (!isKnown || typeof postOnly !== 'boolean') return undefined;
  return (
    (place << TYPE_SHIFT) |
    (side === 'SELL' ? SELL_FLAG : 0) |
    (postOnly ? POST_ONLY_FLAG : 0) |
    (builder === undefined ? 0 : BUILDER_FLAG) |
    (broughtBy === undefined ? 0 : BROUGHT_FLAG)
  );
}

function packCode(code: string, bytes: ByteWriter): boolean {
  return code.length === CODE_LENGTH && code.startsWith('0x') && bytes.hex(code, 2, CODE_LENGTH);
}

/** Returns false, and leaves something half written, for a cancel that can't be packed. */
export function packCancel(
  { owner, orderIds }: CancelInput,
  command: CancelOrders,
  evidenceFlag: number,
  bytes: ByteWriter,
): boolean {
  // The input of a list that is too long has no ids, and malformed ones are missing.
  const isWhole = orderIds.length === command.orderIds.length * ID_WORDS;
  if (owner < 0 || !isWhole || isEmptyId(orderIds)) return false;
  bytes.byte(evidenceFlag);
  bytes.number(owner);
  bytes.number(command.orderIds.length);
  bytes.words(orderIds);
  return true;
}

function isEmptyId(words: Int32Array): boolean {
  return words.subarray(0, ID_WORDS).every((word) => word === 0);
}

type Changing<Record> = { -readonly [Name in keyof Record]: Record[Name] };

/** Reads packed commands. The inputs that it returns are valid until the next one is read. */
export class PackedCommandReader {
  readonly #order: Changing<OrderInput> = {
    kind: 'place_order',
    orderId: new Int32Array(ID_WORDS),
    account: 0,
    owner: 0,
    token: 0,
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: 0 as Ticks,
    lots: 0 as Lots,
    budgetMicros: 0 as Micros,
    expiresAtMs: 0,
    minimumLeadMs: 0,
    earlyEndMs: 0,
    idCheckedSeq: 0,
    builder: -1,
    opens: undefined,
    names: undefined,
  };

  /** Reads up to the texts. The casts are safe, because `packOrder` wrote such numbers. */
  order(flags: number, bytes: ByteReader): OrderInput {
    const order = this.#order;
    order.side = (flags & SELL_FLAG) === 0 ? 'BUY' : 'SELL';
    order.type = STORED_ORDER_TYPES[flags >> TYPE_SHIFT]!;
    order.postOnly = (flags & POST_ONLY_FLAG) !== 0;
    bytes.words(order.orderId);
    order.account = bytes.number();
    order.owner = bytes.number();
    order.token = bytes.number();
    order.priceTicks = bytes.number() as Ticks;
    order.lots = bytes.number() as Lots;
    order.budgetMicros = bytes.number() as Micros;
    order.expiresAtMs = bytes.number();
    order.minimumLeadMs = bytes.number();
    order.earlyEndMs = bytes.number();
    order.idCheckedSeq = bytes.number();
    order.builder = (flags & BUILDER_FLAG) === 0 ? -1 : bytes.number();
    return order;
  }

  cancel(bytes: ByteReader): CancelInput {
    const owner = bytes.number();
    const orderIds = new Int32Array(bytes.number() * ID_WORDS);
    bytes.words(orderIds);
    return { kind: 'cancel_orders', owner, orderIds };
  }
}

/** Reads the texts that follow an order. */
export function readTexts(flags: number, bytes: ByteReader): OrderTexts {
  const texts: Changing<OrderTexts> = { apiKey: readText(bytes) };
  if ((flags & BUILDER_FLAG) !== 0) texts.builder = readCode(bytes);
  if ((flags & BROUGHT_FLAG) !== 0) texts.broughtBy = readCode(bytes);
  return texts;
}

function readCode(bytes: ByteReader): string {
  return `0x${bytes.hex(CODE_BYTES)}`;
}

export function nameOrder(
  input: OrderInput,
  { apiKey, builder, broughtBy }: OrderTexts,
  names: EngineNames,
): PlaceOrder {
  const { kind, side, type, postOnly, priceTicks, lots, budgetMicros, expiresAtMs } = input;
  const order: Changing<PlaceOrder> = {
    kind,
    orderId: writeOrderId(input.orderId, 0),
    account: names.account(input.account),
    owner: names.owner(input.owner),
    tokenId: names.token(input.token),
    side,
    type,
    postOnly,
    priceTicks,
    lots,
    budgetMicros,
    expiresAtMs,
    minimumLeadMs: input.minimumLeadMs,
    earlyEndMs: input.earlyEndMs,
    idCheckedSeq: input.idCheckedSeq,
    apiKey,
  };
  if (builder !== undefined) order.builder = builder;
  if (broughtBy !== undefined) order.broughtBy = broughtBy;
  return order;
}

export function nameCancel(
  { kind, owner, orderIds }: CancelInput,
  names: EngineNames,
): CancelOrders {
  const count = orderIds.length / ID_WORDS;
  return {
    kind,
    owner: names.owner(owner),
    orderIds: Array.from({ length: count }, (_, place) => writeOrderId(orderIds, place * ID_WORDS)),
  };
}
