/**
 * Chooses the form of a payload, and reads each form: packed bytes, or {command, evidence} in JSON.
 */
import { strict as assert } from 'node:assert';
import type {
  Command,
  Engine,
  EngineNames,
  Input,
  OrderInput,
  PlaceOrder,
} from '../../engine/index.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import {
  EVIDENCE_FLAG,
  nameCancel,
  nameOrder,
  PackedCommandReader,
  packCancel,
  packOrder,
  readTexts,
} from './packed-commands.ts';
import { packValue, readValue } from './packed-values.ts';

/** A payload as the journal stores it: JSON, or packed. */
export type Payload = string | Uint8Array;

/**
 * Packs a command with its evidence: any JSON value, or undefined for none. `input` is what stood
 * for the command when it was applied. Returns false, and writes nothing, if it can't be packed.
 */
export function packPayload(
  input: Input,
  command: Command,
  evidence: unknown,
  bytes: ByteWriter,
): boolean {
  const { length } = bytes;
  const flag = evidence === undefined ? 0 : EVIDENCE_FLAG;
  if (packCommand(input, command, flag, bytes)) {
    if (evidence !== undefined) packValue(evidence, bytes);
    return true;
  }
  bytes.truncate(length);
  return false;
}

function packCommand(input: Input, command: Command, flag: number, bytes: ByteWriter): boolean {
  if (input.kind === 'place_order' && command.kind === 'place_order') {
    return packOrder(input, command, flag, bytes);
  }
  if (input.kind === 'cancel_orders' && command.kind === 'cancel_orders') {
    return packCancel(input, command, flag, bytes);
  }
  return false;
}

/** Reads payloads, each on demand. `kind` is that of the command, which its row has. */
export class PayloadReader {
  readonly #bytes = new ByteReader();
  readonly #packed = new PackedCommandReader();

  /** What an engine takes, whose state is the one before the command; valid until the next one. */
  input(kind: string, payload: Payload, engine: Pick<Engine, 'inputOf'>): Input {
    if (typeof payload === 'string') return engine.inputOf(jsonCommand(kind, payload));
    const bytes = this.#begin(payload);
    const flags = bytes.byte();
    return kind === 'place_order' ? this.#packed.order(flags, bytes) : this.#packed.cancel(bytes);
  }

  /** `names`: those of an engine that has applied the command, or of its tables. */
  command(kind: string, payload: Payload, names: EngineNames): Command {
    if (typeof payload === 'string') return jsonCommand(kind, payload);
    const bytes = this.#begin(payload);
    const flags = bytes.byte();
    if (kind !== 'place_order') return nameCancel(this.#packed.cancel(bytes), names);
    const input = this.#packed.order(flags, bytes);
    return nameOrder(input, readTexts(flags, bytes), names);
  }

  apiKey(kind: string, payload: Payload): string {
    if (kind !== 'place_order') return '';
    // Safe: a payload is of the kind of its row.
    if (typeof payload === 'string') return (jsonCommand(kind, payload) as PlaceOrder).apiKey;
    const bytes = this.#begin(payload);
    const flags = bytes.byte();
    this.#packed.order(flags, bytes);
    return readTexts(flags, bytes).apiKey;
  }

  /** The terms of a packed order that its events do not have. */
  orderTerms(payload: Uint8Array): Pick<OrderInput, 'type' | 'postOnly' | 'expiresAtMs'> {
    const bytes = this.#begin(payload);
    return this.#packed.order(bytes.byte(), bytes);
  }

  /** undefined if there is none. */
  evidence(kind: string, payload: Payload): unknown {
    if (typeof payload === 'string') return JSON.parse(payload).evidence;
    const bytes = this.#begin(payload);
    const flags = bytes.byte();
    if (kind === 'place_order') {
      this.#packed.order(flags, bytes);
      readTexts(flags, bytes);
    } else this.#packed.cancel(bytes);
    const evidence = (flags & EVIDENCE_FLAG) === 0 ? undefined : readValue(bytes);
    bytes.end();
    return evidence;
  }

  #begin(payload: Uint8Array): ByteReader {
    this.#bytes.begin(payload);
    return this.#bytes;
  }
}

/** The text before the evidence in JSON. */
const BORDER = ',"evidence":';

/** `evidence`: any JSON value, or undefined for none. */
export function jsonPayload(command: Command, evidence: unknown): string {
  return JSON.stringify({ command, evidence });
}

/**
 * The command in JSON. It does not parse the evidence, because replay does not need it. The first
 * border is the payload's own: no command has a field of that name, and a string would have escaped
 * quotation marks.
 */
export function jsonCommand(kind: string, payload: string): Command {
  const at = payload.indexOf(BORDER);
  const { command } = JSON.parse(at < 0 ? payload : `${payload.slice(0, at)}}`);
  assert(command.kind === kind, 'a payload is of the kind of its row');
  return command;
}
