/**
 * Commands on their way from a replica to the core, and the core's answers. Orders and cancels
 * travel as the journal stores them (rows/packed-commands.ts), with the numbers of the sender's
 * engine. That is safe because an engine gives numbers in the order of the log and never changes
 * one: a replica knows only numbers that the log has committed, and the core knows all of those.
 * A command with a name that the replica does not know yet travels as JSON.
 *
 * A frame of commands has 8 bytes for the last entry that the replica has heard of, then for each
 * command 6 bytes of its id, 4 of its length, 1 of its form, and the command: packed with its
 * evidence, or [command, evidence] in JSON.
 *
 * A frame of answers has for each 6 bytes of the command's id and 1 of its form. Most answers only
 * name the command of the log that the replica will apply itself: 6 bytes of its seq. All others
 * have 4 bytes of their length and a SubmitAnswer in JSON.
 */
import { strict as assert } from 'node:assert';
import {
  type Command,
  type Engine,
  type EngineEvent,
  type Input,
  isChange,
} from '../../engine/index.ts';
import {
  type CommandForm,
  NamedForm,
  PackedForm,
  type PackedKind,
} from '../../persistence/journal/command-form.ts';
import { StoredCommand } from '../../persistence/journal/part.ts';
import { commandChecksum } from '../../persistence/journal/schema.ts';
import { ByteWriter } from '../../persistence/rows/byte-writer.ts';
import { packPayload } from '../../persistence/rows/payload.ts';
import { type Applied, StoreError } from '../../persistence/shared/index.ts';
import type { BatchEnds, HistoryCommands, SubmittingReplica } from '../feed/index.ts';

export interface OutgoingCommand {
  readonly id: number;
  readonly command: Command;
  readonly evidence: unknown;
  /** What stands for it in the replica's engine. */
  readonly input: Input;
}

export interface SubmittedCommand {
  readonly id: number;
  readonly form: CommandForm;
}

const HEARD_BYTES = 8;
const ID_BYTES = 6;
const LENGTH_BYTES = 4;
const FORM_AT = ID_BYTES + LENGTH_BYTES;
const HEAD_BYTES = FORM_AT + 1;
/** The kind of a packed command by its form; undefined is JSON. The numbers are of the protocol. */
const FORMS: readonly (PackedKind | undefined)[] = [undefined, 'place_order', 'cancel_orders'];

export function encodeHeard(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEARD_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Reused for each command. */
const packed = new ByteWriter();

export function encodeSubmit({ id, command, evidence, input }: OutgoingCommand): Buffer {
  packed.truncate(0);
  if (isFinal(command, input) && packPayload(input, command, evidence, packed)) {
    return framed(id, FORMS.indexOf(input.kind as PackedKind), packed.copy());
  }
  return framed(
    id,
    0,
    Buffer.from(JSON.stringify(evidence === undefined ? [command] : [command, evidence])),
  );
}

/** Whether the core would find the same numbers: a builder may be new to this replica alone. */
function isFinal(command: Command, input: Input): boolean {
  const hasBuilder = command.kind === 'place_order' && command.builder !== undefined;
  return !hasBuilder || (input.kind === 'place_order' && input.builder >= 0);
}

/** A command in one of its forms, as a replica sends it. */
export function framed(id: number, form: number, body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  bytes.writeUInt32BE(body.length, ID_BYTES);
  bytes.writeUInt8(form, FORM_AT);
  bytes.set(body, HEAD_BYTES);
  return bytes;
}

function heardIn(frame: Buffer): number {
  return Number(frame.readBigUInt64BE());
}

export function submitsIn(frame: Buffer): SubmittedCommand[] {
  const commands: SubmittedCommand[] = [];
  for (let at = HEARD_BYTES; at < frame.length; ) {
    const from = at + HEAD_BYTES;
    const end = from + frame.readUInt32BE(at + ID_BYTES);
    assert(end <= frame.length, 'a command of a frame is whole');
    const form = formOf(frame.readUInt8(at + FORM_AT), frame.subarray(from, end));
    commands.push({ id: frame.readUIntBE(at, ID_BYTES), form });
    at = end;
  }
  return commands;
}

function formOf(form: number, body: Buffer): CommandForm {
  const kind = FORMS[form];
  if (kind !== undefined) return new PackedForm(kind, body);
  assert(form === 0, `commands have no form ${form}`);
  // Safe: a replica of this cluster wrote it, and the frame's checksum is right.
  const [command, evidence] = JSON.parse(body.toString()) as [Command, unknown];
  return new NamedForm(command, evidence);
}

/** A step of an answer: a command that the replica applies, or what a refused one answered. */
export type AnsweredStep =
  | readonly [seq: number]
  | readonly [seq: number, timeMs: number, events: readonly EngineEvent[]];

/** The steps of one command, or why there are none. */
export interface SubmitAnswer {
  readonly id: number;
  readonly steps?: readonly AnsweredStep[];
  readonly code?: string;
  readonly message?: string;
}

const ANSWER_HEAD_BYTES = ID_BYTES + 1;
const SEQ_BYTES = 6;
const ANSWER_FORMS = { seq: 0, json: 1 } as const;

/** `sentSeq`: the last command that is on its way to the replica, which can't be named any more. */
export function encodeApplied(id: number, applied: Applied, sentSeq: number): Buffer {
  const steps = applied.steps ?? [applied];
  const isNamed = (one: Omit<Applied, 'steps'>): boolean =>
    one.seq > sentSeq && one.events.some(isChange);
  if (steps.length > 1 || !isNamed(applied)) {
    const stepOf = (one: Omit<Applied, 'steps'>): AnsweredStep =>
      isNamed(one) ? [one.seq] : [one.seq, one.timeMs, one.events];
    return encodeAnswer({ id, steps: steps.map(stepOf) });
  }
  const bytes = Buffer.allocUnsafe(ANSWER_HEAD_BYTES + SEQ_BYTES);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  bytes.writeUInt8(ANSWER_FORMS.seq, ID_BYTES);
  bytes.writeUIntBE(applied.seq, ANSWER_HEAD_BYTES, SEQ_BYTES);
  return bytes;
}

function encodeAnswer({ id, ...answer }: SubmitAnswer): Buffer {
  const text = JSON.stringify(answer);
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(ANSWER_HEAD_BYTES + LENGTH_BYTES + length);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  bytes.writeUInt8(ANSWER_FORMS.json, ID_BYTES);
  bytes.writeUInt32BE(length, ANSWER_HEAD_BYTES);
  bytes.write(text, ANSWER_HEAD_BYTES + LENGTH_BYTES);
  return bytes;
}

export function answersIn(frame: Buffer): SubmitAnswer[] {
  const answers: SubmitAnswer[] = [];
  for (let at = 0; at < frame.length; ) {
    const id = frame.readUIntBE(at, ID_BYTES);
    const form = frame.readUInt8(at + ID_BYTES);
    at += ANSWER_HEAD_BYTES;
    if (form === ANSWER_FORMS.seq) {
      answers.push({ id, steps: [[frame.readUIntBE(at, SEQ_BYTES)]] });
      at += SEQ_BYTES;
    } else {
      assert(form === ANSWER_FORMS.json, `answers have no form ${form}`);
      const from = at + LENGTH_BYTES;
      at = from + frame.readUInt32BE(at);
      // Safe: the core of this program wrote it, and the frame's checksum is right.
      answers.push({ id, ...(JSON.parse(frame.toString('utf8', from, at)) as object) });
    }
  }
  return answers;
}

/** The commands after `appliedSeq`. Without `ends` and `digests`, they are one batch. */
export function* loggedCommands(
  { firstSeq, timesMs, kinds, payloads, digest }: Omit<HistoryCommands, 'rules' | keyof BatchEnds>,
  appliedSeq: number,
  { ends, digests }: Partial<BatchEnds> = {},
) {
  const last = payloads.length - 1;
  for (let index = Math.max(0, appliedSeq + 1 - firstSeq); index <= last; index += 1) {
    const row = {
      seq: firstSeq + index,
      timeMs: timesMs[index]!,
      kind: kinds[index]!,
      payload: payloads[index]!,
      endsBatch: ends?.[index] ?? index === last,
      digest: digests === undefined ? (index === last ? digest : null) : digests[index]!,
    };
    yield new StoredCommand(row, commandChecksum(row));
  }
}

// The core's side of commands that replicas send: gives them to the sequencer, and answers.
// Invariant: a command that was on its way for long is not applied, because its sender has given it
// up and may have sent others since.

interface SubmitDeskOptions {
  readonly engine: Pick<Engine, 'knows' | 'inputOf'>;
  readonly take: (form: CommandForm, answer: (applied: Applied) => void) => StoreError | undefined;
  /** Whether a replica that had heard no more than this entry heard it long ago. */
  readonly isLate: (heardNumber: number) => boolean;
}

export class SubmitDesk {
  readonly #options: SubmitDeskOptions;

  constructor(options: SubmitDeskOptions) {
    this.#options = options;
  }

  take(frame: Buffer, replica: SubmittingReplica): void {
    const isLate = this.#options.isLate(heardIn(frame));
    const commands = submitsIn(frame);
    if (!replica.take(commands.length)) return;
    for (const { id, form } of commands) {
      const answer = (applied: Applied): void =>
        replica.answer(encodeApplied(id, applied, replica.sentSeq));
      const refusal = isLate ? late() : this.#take(form, answer);
      if (refusal !== undefined) replica.answer(encodeAnswer({ id, ...failureOf(refusal) }));
    }
  }

  #take(form: CommandForm, answer: (applied: Applied) => void): StoreError | undefined {
    const { engine, take } = this.#options;
    return form.isKnown(engine) ? take(form, answer) : unknownNumber();
  }
}

/** A replica has what the log has committed, so this one is of another log, or has a bug. */
function unknownNumber(): StoreError {
  return new StoreError(
    'feed_refused',
    'the command has a number for an account, token or builder that the core does not know',
  );
}

function late(): StoreError {
  return new StoreError(
    'no_core',
    'the command was too long on its way to the core: send it again',
  );
}

function failureOf({ code, message }: StoreError): Pick<SubmitAnswer, 'code' | 'message'> {
  return { code: code === 'stopping' ? 'no_core' : code, message };
}
