/**
 * Transactions that owners send to a chain with their own keys: those of EIP-1559, in RLP, which
 * published clients make.
 */
import { ApiError, echo } from '../../http/errors/index.ts';
import { bytesToHex, hexToBytes, keccak256 } from '../../http/signing/hash.ts';
import { recoverAddress } from '../../http/signing/recover.ts';
import type { WalletCall } from './abi.ts';

export interface RawTransaction {
  readonly from: string;
  readonly nonce: bigint;
  readonly chainId: bigint;
  readonly call: WalletCall;
  /** What was signed, as hex without 0x. */
  readonly digest: string;
}

/** The content of an item in RLP, and where the next one begins. */
interface Item {
  readonly start: number;
  readonly end: number;
}

const LIST = 0xc0;
const TEXT = 0x80;
const SHORT = 55;
const LENGTH_BYTES = 4;

/** Undefined if the bytes end before the item does. */
function itemAt(bytes: Buffer, at: number): Item | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < TEXT) return { start: at, end: at + 1 };
  const short = first - (first < LIST ? TEXT : LIST);
  const width = Math.max(0, short - SHORT);
  const start = at + 1 + width;
  if (width > LENGTH_BYTES || start > bytes.length) return undefined;
  const end = start + (width === 0 ? short : bytes.readUIntBE(at + 1, width));
  return end <= bytes.length ? { start, end } : undefined;
}

function listHead(length: number): Buffer {
  if (length <= SHORT) return Buffer.of(LIST + length);
  const digits = length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(LIST + SHORT + size.length), size]);
}

/** Of EIP-1559: chain, nonce, two fees, gas, to, value, data, accesses; then the signature. */
const FIELDS = 12;
const SIGNED = 9;
const TYPE = 2;

function itemsOf(bytes: Buffer): readonly Item[] {
  const list = itemAt(bytes, 1);
  if (bytes[0] !== TYPE || list?.end !== bytes.length) return [];
  const items: Item[] = [];
  for (let at = list.start; at < list.end && items.length <= FIELDS; ) {
    const item = itemAt(bytes, at);
    if (item === undefined) return [];
    items.push(item);
    at = item.end;
  }
  return items;
}

/** Throws `invalid_payload` unless it is a signed transaction of EIP-1559 to a contract. */
export function rawTransactionIn(field: string, text: unknown): RawTransaction {
  const bytes = Buffer.from((typeof text === 'string' && hexToBytes(text)) || []);
  const items = itemsOf(bytes);
  const parts = items.map(({ start, end }) => bytes.subarray(start, end));
  const list = itemAt(bytes, 1);
  const numberAt = (index: number) => BigInt(`0x0${parts[index]?.toString('hex') ?? ''}`);
  const word = (index: number) =>
    Buffer.from(numberAt(index).toString(16).padStart(64, '0'), 'hex');
  const [target, data] = [parts[5], parts[7]];
  if (items.length === FIELDS && list !== undefined && target?.length === 20 && data) {
    const signed = bytes.subarray(list.start, items[SIGNED - 1]?.end);
    const head = Buffer.concat([Buffer.of(TYPE), listHead(signed.length)]);
    const digest = keccak256(Buffer.concat([head, signed]));
    const v = Buffer.of(Number(numberAt(SIGNED) & 1n));
    const from = recoverAddress(digest, Buffer.concat([word(10), word(11), v]));
    if (from !== undefined) {
      const call = { target: bytesToHex(target), value: numberAt(6), data: bytesToHex(data) };
      const [chainId, nonce] = [numberAt(0), numberAt(1)];
      return { from, nonce, chainId, call, digest: bytesToHex(digest).slice(2) };
    }
  }
  const limit = 'a signed transaction of type 2 to a contract, hex';
  throw new ApiError('invalid_payload', { field, limit, actual: echo(text) });
}
