/**
 * Commands on their way from a replica to the core, and the core's answers, as bytes and texts.
 * An answer names the commands that the replica will apply itself; it carries only the events of
 * others.
 *
 * A frame of commands has 8 bytes for the last entry that the replica has heard of. Then come for
 * each command 6 bytes of its id, 4 of the length of its text, and the text: [command, evidence].
 */
import { strict as assert } from 'node:assert';
import { type Command, type EngineEvent, isChange } from '../../engine/index.ts';
import type { Applied } from '../shared/index.ts';

export interface SubmittedCommand {
  readonly id: number;
  readonly command: Command;
  readonly evidence: unknown;
}

const HEARD_BYTES = 8;
const ID_BYTES = 6;
const HEAD_BYTES = ID_BYTES + 4;

export function encodeHeard(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEARD_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

export function encodeSubmit({ id, command, evidence }: SubmittedCommand): Buffer {
  const text = JSON.stringify(evidence === undefined ? [command] : [command, evidence]);
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + length);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  bytes.writeUInt32BE(length, ID_BYTES);
  bytes.write(text, HEAD_BYTES);
  return bytes;
}

export function heardIn(frame: Buffer): number {
  return Number(frame.readBigUInt64BE());
}

export function submitsIn(frame: Buffer): SubmittedCommand[] {
  const commands: SubmittedCommand[] = [];
  for (let at = HEARD_BYTES; at < frame.length; ) {
    const from = at + HEAD_BYTES;
    const end = from + frame.readUInt32BE(at + ID_BYTES);
    assert(end <= frame.length, 'a command of a frame is whole');
    // Safe: a replica of this cluster wrote it, and the frame's checksum is right.
    const [command, evidence] = JSON.parse(frame.toString('utf8', from, end)) as [Command, unknown];
    commands.push({ id: frame.readUIntBE(at, ID_BYTES), command, evidence });
    at = end;
  }
  return commands;
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

/** `sentSeq`: the last command that is on its way to the replica, which can't be named any more. */
export function answerOf(id: number, applied: Applied, sentSeq: number): SubmitAnswer {
  const stepOf = (one: Omit<Applied, 'steps'>): AnsweredStep =>
    one.seq > sentSeq && one.events.some(isChange) ? [one.seq] : [one.seq, one.timeMs, one.events];
  return { id, steps: (applied.steps ?? [applied]).map(stepOf) };
}
