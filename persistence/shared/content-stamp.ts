/**
 * The beginning of each content record of a cluster: its format, the history that it belongs to,
 * and its number there (docs/decisions/0042-content-records.md). The rest of a record belongs to
 * the catalog.
 */
import { strict as assert } from 'node:assert';

export interface ContentStamp {
  /** The history, a UUID. */
  readonly lineage: string;
  /** Counted from 1 in each lineage, without gaps. */
  readonly number: number;
}

const FORMAT = 1;
const LINEAGE_BYTES = 16;
const NUMBER_BYTES = 6;
export const STAMP_BYTES = 1 + LINEAGE_BYTES + NUMBER_BYTES;

export function writeStamp({ lineage, number }: ContentStamp): Buffer {
  const stamp = Buffer.alloc(STAMP_BYTES);
  stamp.writeUInt8(FORMAT);
  stamp.write(lineage.replaceAll('-', ''), 1, 'hex');
  stamp.writeUIntBE(number, 1 + LINEAGE_BYTES, NUMBER_BYTES);
  return stamp;
}

/** Throws if the bytes are not those of a record. */
export function readStamp(record: Uint8Array): ContentStamp {
  assert(record.length >= STAMP_BYTES && record[0] === FORMAT, 'a content record has format 1');
  const stamp = Buffer.from(record.buffer, record.byteOffset, STAMP_BYTES);
  const hex = stamp.toString('hex', 1, 1 + LINEAGE_BYTES);
  const lineage = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { lineage, number: stamp.readUIntBE(1 + LINEAGE_BYTES, NUMBER_BYTES) };
}

/** Entries of the log are texts: each character of a record's text is one byte. */
export function contentText(record: Uint8Array): string {
  return Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1');
}

export function contentBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** The stamp of a record in an entry of the log. */
export function stampOfText(text: string): ContentStamp {
  return readStamp(contentBytes(text.slice(0, STAMP_BYTES)));
}
