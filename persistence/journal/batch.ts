/**
 * A batch of commands on its way to the journal's thread, as a few long strings and arrays of
 * numbers: to clone thousands of small objects would cost the matching thread more than to match
 * them. Invariant: the seqs of a batch have no gap. Bound: batchEvents of STORE_BOUNDS.
 */
import { strict as assert } from 'node:assert';
import type { Fill, Input, Match, OrderAccepted, Outcome, Side } from '../../engine/index.ts';
import { ByteWriter } from '../rows/byte-writer.ts';
import { jsonPayload, type Payload, PayloadReader, packPayload } from '../rows/payload.ts';
import type { DurableCommand } from '../shared/index.ts';
import { type MoneyKeyRow, moneyKeyRow } from './money-keys.ts';
import { type OrderIdTerms, packOrderId } from './packed-order-ids.ts';

const MATCHES: readonly Match[] = ['transfer', 'mint', 'merge'];
const SIDES: readonly Side[] = ['BUY', 'SELL'];

const ID_BYTES = 32;
const ADDRESS_BYTES = 20;
const FILL_NUMBERS = 17;
const FILL_BYTES = 3 * ID_BYTES + 2 * ADDRESS_BYTES;

/** Hex texts have neither 0x nor separators, because their parts have fixed lengths. */
export interface JournalBatch {
  readonly firstSeq: number;
  readonly timesMs: readonly number[];
  readonly kinds: readonly string[];
  /** The commands with their evidence. Packed ones are views of one buffer. */
  readonly payloads: readonly Payload[];
  /** The ids of accepted orders, packed (packed-order-ids.ts). */
  readonly orderIds: Uint8Array;
  readonly fillHex: string;
  readonly fillNumbers: readonly number[];
  /** Rows of `money_keys`; few batches have any. */
  readonly moneyKeys: readonly MoneyKeyRow[];
  /** That of the engine after the last command; null if it is unknown. */
  readonly digest: number | null;
}

/** A row of `fills`, in the order of its columns. */
export type FillRow = [
  seq: number,
  ordinal: number,
  bucket: number,
  match: Match,
  conditionId: Buffer,
  takerOrderId: Buffer,
  makerOrderId: Buffer,
  takerAccount: Buffer,
  makerAccount: Buffer,
  takerOutcome: Outcome,
  takerSide: Side,
  makerOutcome: Outcome,
  makerSide: Side,
  takerPriceTicks: number,
  makerPriceTicks: number,
  lots: number,
  takerFeeMicros: number,
  makerFeeMicros: number,
  takerBuilderMicros: number,
  makerBuilderMicros: number,
  takerFeeBps: number,
  makerFeeBps: number,
];

/** The names of the columns of `fills`, in order. */
export const FILL_COLUMNS = [
  ...['seq', 'ordinal', 'bucket', 'match', 'conditionId', 'takerOrderId', 'makerOrderId'],
  ...['takerAccount', 'makerAccount', 'takerOutcome', 'takerSide', 'makerOutcome', 'makerSide'],
  ...['takerPriceTicks', 'makerPriceTicks', 'lots', 'takerFeeMicros', 'makerFeeMicros'],
  ...['takerBuilderMicros', 'makerBuilderMicros', 'takerFeeBps', 'makerFeeBps'],
] as const;

const reader = new PayloadReader();

/** Builds one batch, on the matching thread. */
export class BatchBuilder {
  readonly #firstSeq: number;
  readonly #timesMs: number[] = [];
  readonly #kinds: string[] = [];
  /** A number is the place after the last byte of a payload in `#packed`. */
  readonly #payloads: (string | number)[] = [];
  readonly #packed = new ByteWriter();
  readonly #orderIds = new ByteWriter();
  readonly #fillNumbers: number[] = [];
  readonly #moneyKeys: MoneyKeyRow[] = [];
  #fillHex = '';
  eventCount = 0;
  /** To be set at the end of the batch. */
  digest: number | null = null;
  /** Bytes and characters of the payloads. */
  payloadLength = 0;

  constructor(firstSeq: number) {
    this.#firstSeq = firstSeq;
  }

  /** `input` is what stood for the command when it was applied. */
  add(applied: DurableCommand, evidence: unknown, input: Input): void {
    const { command } = applied;
    const { length } = this.#packed;
    if (packPayload(input, command, evidence, this.#packed)) {
      this.payloadLength += this.#packed.length - length;
      this.#add(applied, command.kind, this.#packed.length);
    } else {
      const json = jsonPayload(command, evidence);
      this.payloadLength += json.length;
      this.#add(applied, command.kind, json);
    }
  }

  /** Adds a command that another node has put into a payload. */
  addStored(applied: DurableCommand, kind: string, payload: Payload): void {
    this.payloadLength += payload.length;
    if (typeof payload === 'string') {
      this.#add(applied, kind, payload);
    } else {
      this.#packed.bytes(payload);
      this.#add(applied, kind, this.#packed.length, payload);
    }
  }

  /** `packed`: the packed payload, if the command is only known from it. */
  #add(applied: DurableCommand, kind: string, payload: string | number, packed?: Uint8Array): void {
    const { seq } = applied;
    assert(seq === this.#firstSeq + this.#kinds.length, 'the seqs of a batch have no gap');
    this.#timesMs.push(applied.timeMs);
    this.#kinds.push(kind);
    this.#payloads.push(payload);
    this.eventCount += applied.events.length;
    let ordinal = 0;
    for (const event of applied.events) {
      if (event.kind === 'order_accepted') {
        const { type, postOnly, expiresAtMs } = packed
          ? reader.orderTerms(packed)
          : orderOf(applied, event);
        packOrderId({ orderId: event.orderId, seq, type, postOnly, expiresAtMs }, this.#orderIds);
      } else if (event.kind === 'fill') this.#addFill(seq, ordinal++, event);
      else if (event.kind === 'money_key_indexed') {
        this.#moneyKeys.push(moneyKeyRow(seq, event.record));
      }
    }
  }

  build(): JournalBatch {
    return {
      firstSeq: this.#firstSeq,
      timesMs: this.#timesMs,
      kinds: this.#kinds,
      payloads: this.#builtPayloads(),
      orderIds: this.#orderIds.copy(),
      fillHex: this.#fillHex,
      fillNumbers: this.#fillNumbers,
      moneyKeys: this.#moneyKeys,
      digest: this.digest,
    };
  }

  #builtPayloads(): Payload[] {
    const packed = this.#packed.copy();
    let from = 0;
    return this.#payloads.map((payload) => {
      if (typeof payload !== 'number') return payload;
      const view = packed.subarray(from, payload);
      from = payload;
      return view;
    });
  }

  #addFill(seq: number, ordinal: number, fill: Fill): void {
    this.#fillHex +=
      fill.conditionId.slice(2) +
      fill.takerOrderId.slice(2) +
      fill.makerOrderId.slice(2) +
      fill.takerAccount.slice(2) +
      fill.makerAccount.slice(2);
    this.#fillNumbers.push(
      seq,
      ordinal,
      fill.bucket,
      MATCHES.indexOf(fill.match),
      fill.takerOutcome,
      SIDES.indexOf(fill.takerSide),
      fill.makerOutcome,
      SIDES.indexOf(fill.makerSide),
      fill.takerPriceTicks,
      fill.makerPriceTicks,
      fill.lots,
      ...feeNumbers(fill),
    );
  }
}

function orderOf({ command }: DurableCommand, { orderId }: OrderAccepted): OrderIdTerms {
  assert(command.kind === 'place_order', 'only a placed order is accepted');
  assert(command.orderId === orderId, 'a command places one order');
  return command;
}

function feeNumbers({ fees }: Fill): readonly number[] {
  if (fees === undefined) return NO_FEES;
  return [
    fees.takerMicros,
    fees.makerMicros,
    fees.takerBuilderMicros,
    fees.makerBuilderMicros,
    fees.takerFeeBps,
    fees.makerFeeBps,
  ];
}

const NO_FEES = [0, 0, 0, 0, 0, 0];

/** The rows of `fills` that a batch adds. */
export function* fillRows(batch: JournalBatch): Generator<FillRow> {
  const bytes = Buffer.from(batch.fillHex, 'hex');
  const count = batch.fillNumbers.length / FILL_NUMBERS;
  assert(bytes.length === count * FILL_BYTES, 'every fill has three ids and two addresses');
  for (let index = 0; index < count; index += 1) {
    const numbers = batch.fillNumbers.slice(index * FILL_NUMBERS, (index + 1) * FILL_NUMBERS);
    yield fillRow(bytes.subarray(index * FILL_BYTES, (index + 1) * FILL_BYTES), numbers);
  }
}

function fillRow(bytes: Buffer, numbers: readonly number[]): FillRow {
  const id = (index: number): Buffer => bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES);
  const accounts = 3 * ID_BYTES;
  return [
    numbers[0]!,
    numbers[1]!,
    numbers[2]!,
    at(MATCHES, numbers[3]!),
    id(0),
    id(1),
    id(2),
    bytes.subarray(accounts, accounts + ADDRESS_BYTES),
    bytes.subarray(accounts + ADDRESS_BYTES),
    outcome(numbers[4]!),
    at(SIDES, numbers[5]!),
    outcome(numbers[6]!),
    at(SIDES, numbers[7]!),
    numbers[8]!,
    numbers[9]!,
    numbers[10]!,
    numbers[11]!,
    numbers[12]!,
    numbers[13]!,
    numbers[14]!,
    numbers[15]!,
    numbers[16]!,
  ];
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  assert(value !== undefined, 'a code of a batch is an index of its table');
  return value;
}

function outcome(value: number): Outcome {
  assert(value === 0 || value === 1, 'an outcome is 0 or 1');
  return value;
}
