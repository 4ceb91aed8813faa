/**
 * An entry of a replicated log as bytes: a head of fixed length, the compressed commands and
 * content, and a checksum over both. Since the head has the checksum of the entry before, a
 * checksum covers the whole log up to its entry. Invariant: `decodeEntry` returns what was encoded
 * or throws `log_damaged`. Bounds: entryBytes and rawEntryBytes of STORE_BOUNDS.
 *
 *     0 'OXL' and the version   4 number   12 epoch   20 firstSeq   28 bytes of all entries before
 *     36 bytes of the body before it was compressed; as many as it has if it was not
 *     40 bytes of its payloads and content
 *     44 checksum of the entry before   60 body
 *     the last 16: the first half of the SHA-256 of all before them
 *
 * The body has the payloads and the content without anything between them, because to quote their
 * texts would cost more than all the rest, and then times, kinds and lengths as JSON.
 */
import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  messageOf,
  programToStart,
  refuseNewer,
  STORE_BOUNDS,
  StoreError,
} from '../../persistence/shared/index.ts';
import type { LogEntry, LogPart } from './command-log.ts';

export interface EncodedEntry {
  readonly bytes: Buffer;
  readonly check: string;
}

/** What an entry is made of: `bytesBefore` are those of all entries before it. */
export interface EntryFields extends LogPart {
  readonly number: number;
  readonly epoch: number;
  readonly previous: string;
  readonly bytesBefore: number;
}

type BodyIndex = readonly [
  firstMs: number,
  /** Milliseconds after the time before. */
  laterMs: readonly number[],
  kindNames: readonly string[],
  kinds: readonly number[],
  /** Bytes of each payload if it is a text, and `~bytes` if it is packed. */
  payloads: readonly number[],
  /** Bytes of each record. */
  content: readonly number[],
  digest: number | null,
];

const MAGIC = 'OXL';
const VERSION = 1;
const HEAD_BYTES = 60;
const CHECK_BYTES = 16;
/** The fastest one: higher levels save a tenth of the bytes for two to three times the work. */
const LEVEL = 1;
/** To compress less costs more than to send it: zlib needs some 100 us to begin. */
const COMPRESSED_BYTES = 1_024;

export function encodeEntry(fields: EntryFields): EncodedEntry {
  const { raw, textBytes } = bodyOf(fields);
  const body = isMostlyPacked(fields, raw) ? raw : shorter(raw);
  const length = HEAD_BYTES + body.length + CHECK_BYTES;
  assert(length <= STORE_BOUNDS.entryBytes, `an entry has ${length} bytes`);
  // Memory of its own: to post a part of a pool to another thread would copy the pool.
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt8(VERSION, 3);
  bytes.writeBigUInt64BE(BigInt(fields.number), 4);
  bytes.writeBigUInt64BE(BigInt(fields.epoch), 12);
  bytes.writeBigUInt64BE(BigInt(fields.firstSeq), 20);
  bytes.writeBigUInt64BE(BigInt(fields.bytesBefore), 28);
  bytes.writeUInt32BE(raw.length, 36);
  bytes.writeUInt32BE(textBytes, 40);
  bytes.write(fields.previous, 44, 'hex');
  body.copy(bytes, HEAD_BYTES);
  const check = checkOf(bytes);
  bytes.write(check, length - CHECK_BYTES, 'hex');
  return { bytes, check };
}

/** `name` is for the message of an error. Throws StoreError `log_damaged` or `log_newer`. */
export function decodeEntry(
  name: string,
  value: Uint8Array,
): LogEntry & { readonly bytesBefore: number } {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const { length } = bytes;
  if (length < HEAD_BYTES + CHECK_BYTES || length > STORE_BOUNDS.entryBytes) {
    throw damaged(name, `it has ${length} bytes`);
  }
  const check = bytes.toString('hex', length - CHECK_BYTES);
  if (bytes.toString('latin1', 0, 3) !== MAGIC) throw damaged(name, 'it is not an entry');
  if (check !== checkOf(bytes)) throw damaged(name, 'its checksum is wrong');
  refuseNewer({
    code: 'log_newer',
    what: `${name} has format`,
    found: bytes.readUInt8(3),
    known: VERSION,
    advice: () => programToStart(undefined),
  });
  try {
    return {
      number: wholeAt(bytes, 4),
      epoch: wholeAt(bytes, 12),
      firstSeq: wholeAt(bytes, 20),
      bytesBefore: wholeAt(bytes, 28),
      previous: bytes.toString('hex', 44, HEAD_BYTES),
      check,
      ...partsOf(rawBody(bytes), bytes.readUInt32BE(40)),
    };
  } catch (error) {
    throw damaged(name, messageOf(error));
  }
}

function checkOf(bytes: Buffer): string {
  const covered = bytes.subarray(0, bytes.length - CHECK_BYTES);
  return hash('sha256', covered, 'hex').slice(0, 2 * CHECK_BYTES);
}

function wholeAt(bytes: Buffer, offset: number): number {
  const value = Number(bytes.readBigUInt64BE(offset));
  assert(Number.isSafeInteger(value), 'a number is too large');
  return value;
}

/**
 * Packed payloads are mostly hashes and signatures: to compress them would save a quarter of the
 * bytes for half of what an entry costs this thread.
 */
function isMostlyPacked({ payloads }: LogPart, raw: Buffer): boolean {
  let bytes = 0;
  for (const payload of payloads) if (typeof payload !== 'string') bytes += payload.length;
  return 2 * bytes > raw.length;
}

/** Compresses a body, unless that would make it longer. */
function shorter(raw: Buffer): Buffer {
  if (raw.length < COMPRESSED_BYTES) return raw;
  const body = deflateRawSync(raw, { level: LEVEL });
  return body.length < raw.length ? body : raw;
}

/** Reused for each entry, because none is encoded before the one before has been compressed. */
const scratch = Buffer.alloc(STORE_BOUNDS.rawEntryBytes);

function bodyOf(part: LogPart): { readonly raw: Buffer; readonly textBytes: number } {
  const { timesMs, kinds, payloads, content, digest } = part;
  assert(timesMs.length === kinds.length && kinds.length === payloads.length, 'one of each');
  if (payloads.length === 0 && content.length === 0) return { raw: NO_BODY, textBytes: 0 };
  let end = 0;
  const put = (text: string | Uint8Array): number => {
    const start = end;
    end += typeof text === 'string' ? putText(text, end) : putBytes(text, end);
    return end - start;
  };
  const payloadBytes = payloads.map((one) => (typeof one === 'string' ? put(one) : ~put(one)));
  const contentBytes = content.map(put);
  const textBytes = end;
  const kindNames = [...new Set(kinds)];
  const index: BodyIndex = [
    timesMs[0] ?? 0,
    timesMs.slice(1).map((timeMs, later) => timeMs - timesMs[later]!),
    kindNames,
    kinds.map((kind) => kindNames.indexOf(kind)),
    payloadBytes,
    contentBytes,
    digest,
  ];
  put(JSON.stringify(index));
  return { raw: scratch.subarray(0, end), textBytes };
}

const NO_BODY = Buffer.alloc(0);

function putText(text: string, start: number): number {
  // Half of a surrogate pair has no UTF-8: another text would come back.
  assert(text.isWellFormed(), 'the texts of an entry are Unicode');
  assertRoom(start + Buffer.byteLength(text));
  return scratch.write(text, start);
}

function putBytes(bytes: Uint8Array, start: number): number {
  assertRoom(start + bytes.length);
  scratch.set(bytes, start);
  return bytes.length;
}

function assertRoom(end: number): void {
  assert(end <= scratch.length, `an entry has ${scratch.length} bytes of texts at the most`);
}

function rawBody(bytes: Buffer): Buffer {
  const rawLength = bytes.readUInt32BE(36);
  const body = bytes.subarray(HEAD_BYTES, bytes.length - CHECK_BYTES);
  if (body.length === rawLength) return body; // it would not have become shorter
  assert(rawLength <= scratch.length, `its body has ${rawLength} bytes`);
  const raw = inflateRawSync(body, { maxOutputLength: rawLength });
  assert(raw.length === rawLength, `its body has ${raw.length} bytes in place of ${rawLength}`);
  return raw;
}

function partsOf(raw: Buffer, textBytes: number): Omit<LogPart, 'firstSeq'> {
  if (raw.length === 0) return { timesMs: [], kinds: [], payloads: [], content: [], digest: null };
  // Safe: the checksum says that this program wrote it.
  const index = JSON.parse(raw.toString('utf8', textBytes)) as BodyIndex;
  const [firstMs, laterMs, kindNames, kinds, payloadBytes, contentBytes, digest] = index;
  const timesMs = payloadBytes.length === 0 ? [] : [firstMs];
  for (const laterBy of laterMs) timesMs.push(timesMs.at(-1)! + laterBy);
  let end = 0;
  const cut = (bytes: number): Buffer => {
    const start = end;
    end += bytes;
    return raw.subarray(start, end);
  };
  const payloads = payloadBytes.map((bytes) =>
    bytes >= 0 ? cut(bytes).toString() : new Uint8Array(cut(~bytes)),
  );
  const content = contentBytes.map((bytes) => cut(bytes).toString());
  assert(end === textBytes, 'its texts have other lengths');
  assert(kinds.length === payloads.length && timesMs.length === payloads.length, 'one of each');
  return { timesMs, kinds: kinds.map((kind) => kindNames[kind]!), payloads, content, digest };
}

function damaged(name: string, what: string): StoreError {
  const remedy = 'It was altered in etcd. Restore etcd from a backup that is whole';
  return new StoreError('log_damaged', `${name} can't be used: ${what}. ${remedy}`);
}
