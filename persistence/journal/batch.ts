/**
 * A batch of commands on its way to the journal's thread, as a few long strings and arrays of
 * numbers: to clone thousands of small objects would cost the matching thread more than to match
 * them. Invariant: the seqs of a batch have no gap. Bound: batchEvents of STORE_BOUNDS.
 */
import { strict as assert } from 'node:assert';
import type { Input, OrderAccepted } from '../../engine/index.ts';
import { ByteWriter } from '../rows/byte-writer.ts';
import { jsonPayload, type Payload, PayloadReader, packPayload } from '../rows/payload.ts';
import type { DurableCommand } from '../shared/index.ts';
import { fillValues } from './fills.ts';
import { type MoneyKeyRow, moneyKeyRow } from './money-keys.ts';
import { type OrderIdTerms, packOrderId } from './packed-order-ids.ts';

export interface JournalBatch {
  readonly firstSeq: number;
  readonly timesMs: readonly number[];
  readonly kinds: readonly string[];
  /** The commands with their evidence. Packed ones are views of one buffer. */
  readonly payloads: readonly Payload[];
  readonly orderIds: Uint8Array;
  readonly fills: readonly (number | string)[];
  readonly moneyKeys: readonly MoneyKeyRow[];
  /** That of the engine after the last command; null if it is unknown. */
  readonly digest: number | null;
}

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
  readonly #fills: (number | string)[] = [];
  readonly #moneyKeys: MoneyKeyRow[] = [];
  eventCount = 0;
  digest: number | null = null;
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
      } else if (event.kind === 'fill') this.#fills.push(...fillValues(seq, ordinal++, event));
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
      fills: this.#fills,
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
}

function orderOf({ command }: DurableCommand, { orderId }: OrderAccepted): OrderIdTerms {
  assert(command.kind === 'place_order', 'only a placed order is accepted');
  assert(command.orderId === orderId, 'a command places one order');
  return command;
}
