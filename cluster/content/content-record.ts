/**
 * Content records: what entries of the log hold of the catalog. A record is a question or a part of
 * one. Invariant: the parts of a question have consecutive numbers. Bound: `RECORD_BOUNDS`.
 *
 * Its bytes: a stamp with the lineage and number that the core gives it, who asked, the place of
 * the part, and the part itself.
 */
import { strict as assert } from 'node:assert';
import {
  type ContentStamp,
  readStamp,
  STAMP_BYTES,
  writeStamp,
} from '../../persistence/shared/index.ts';

/** Who asked: a process by 16 random hex digits, and its count of questions. */
export interface Asker {
  readonly process: string;
  readonly count: number;
}

export const RECORD_BOUNDS = {
  /**
   * Bytes of a question in one record. A larger question is cut into several records, so that an
   * entry of the log has room for commands beside one (`entryContentBytes`).
   */
  partBytes: 60 * 1024,
  /** Bytes of one question: above the largest page of a sync. Beyond it: `too_many`. */
  questionBytes: 40 * 1024 * 1024,
  /** Records, and bytes of records, that each node keeps for nodes that were away. */
  keptRecords: 10_000,
  keptBytes: 96 * 1024 * 1024,
  /** Questions that one transaction applies, and the bytes after which it takes no further one. */
  appliedAtOnce: 256,
  appliedBytes: 4 * 1024 * 1024,
  /** Bytes of records that wait in memory; those beyond it are read from the journal later. */
  queuedBytes: 64 * 1024 * 1024,
  /** Bytes of the answer with records that a node missed; it has one record at least. */
  missedBytes: 192 * 1024,
  /** Bytes of questions that the core holds until their last parts arrive. Beyond it: refused. */
  uploadBytes: 128 * 1024 * 1024,
  /** Bytes of a catalog's file that one request copies. */
  copyBytes: 192 * 1024,
} as const;

/** A question, or a part of it, as the node that asks sends it to the core. */
export interface ContentPart {
  readonly asker: Asker;
  /** From 0 to `parts` - 1. */
  readonly part: number;
  readonly parts: number;
  readonly bytes: Uint8Array;
}

export interface ContentRecord extends ContentPart, ContentStamp {}

const PROCESS_BYTES = 8;
const COUNT_BYTES = 6;
const HEAD_BYTES = PROCESS_BYTES + COUNT_BYTES + 2 + 2;
const MOST_PARTS = Math.ceil(RECORD_BOUNDS.questionBytes / RECORD_BOUNDS.partBytes);

/** Cuts the bytes of a question into parts. */
export function partsOfQuestion(asker: Asker, question: Uint8Array): ContentPart[] {
  const parts = Math.max(1, Math.ceil(question.length / RECORD_BOUNDS.partBytes));
  return Array.from({ length: parts }, (_, part) => {
    const start = part * RECORD_BOUNDS.partBytes;
    const bytes = question.subarray(start, start + RECORD_BOUNDS.partBytes);
    return { asker, part, parts, bytes };
  });
}

export function encodePart({ asker, part, parts, bytes }: ContentPart): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(asker.process, 'hex');
  head.writeUIntBE(asker.count, PROCESS_BYTES, COUNT_BYTES);
  head.writeUInt16BE(part, PROCESS_BYTES + COUNT_BYTES);
  head.writeUInt16BE(parts, PROCESS_BYTES + COUNT_BYTES + 2);
  return Buffer.concat([head, bytes]);
}

/** Throws if the bytes are not those of a part. */
export function decodePart(encoded: Uint8Array): ContentPart {
  const buffer = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  assert(buffer.length >= HEAD_BYTES, 'a part of a content record has its head');
  const part = buffer.readUInt16BE(PROCESS_BYTES + COUNT_BYTES);
  const parts = buffer.readUInt16BE(PROCESS_BYTES + COUNT_BYTES + 2);
  const bytes = buffer.subarray(HEAD_BYTES);
  assert(part < parts && parts <= MOST_PARTS, `part ${part} of ${parts} of a question exists`);
  assert(bytes.length <= RECORD_BOUNDS.partBytes, `a part has ${bytes.length} bytes`);
  const asker = {
    process: buffer.toString('hex', 0, PROCESS_BYTES),
    count: buffer.readUIntBE(PROCESS_BYTES, COUNT_BYTES),
  };
  return { asker, part, parts, bytes };
}

export function stampPart(stamp: ContentStamp, encodedPart: Uint8Array): Uint8Array {
  return Buffer.concat([writeStamp(stamp), encodedPart]);
}

/** Throws if the bytes are not those of a record. */
export function decodeRecord(record: Uint8Array): ContentRecord {
  return { ...readStamp(record), ...decodePart(record.subarray(STAMP_BYTES)) };
}

export function continues(before: ContentPart, next: ContentPart): boolean {
  const { process, count } = next.asker;
  const isSame = process === before.asker.process && count === before.asker.count;
  return isSame && next.part === before.part + 1 && next.parts === before.parts;
}

/** The bounds of content records. */
