/**
 * A write of the catalog as bytes: its kind, its question as JSON, and the bytes of a page, which
 * are text already and would be larger inside JSON.
 */
import { strict as assert } from 'node:assert';
import {
  CatalogRefusal,
  type CatalogWriteKinds,
  type IntakePage,
  type MarketEnds,
} from '../../catalog/model/index.ts';
import { RECORD_BOUNDS } from './content-record.ts';
import { type ContentKind, isContentKind } from './write-places.ts';

export interface ContentQuestion {
  readonly kind: ContentKind;
  readonly question: unknown;
}

const LENGTH_BYTES = 4;

/** Throws `CatalogRefusal` for a question that is too large. */
export function encodeQuestion<Kind extends ContentKind>(
  kind: Kind,
  question: CatalogWriteKinds[Kind]['ask'],
): Uint8Array {
  const { plain, bytes } = plainOf(kind, question);
  const json = Buffer.from(JSON.stringify({ kind, question: plain }));
  const size = LENGTH_BYTES + json.length + bytes.length;
  if (size > RECORD_BOUNDS.questionBytes) {
    const limit = `at most ${RECORD_BOUNDS.questionBytes} bytes`;
    throw new CatalogRefusal('too_many', { field: kind, limit, actual: `${size} bytes` });
  }
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, bytes]);
}

/** Throws if `encodeQuestion` did not make the bytes. */
export function decodeQuestion(encoded: Uint8Array): ContentQuestion {
  const buffer = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const end = LENGTH_BYTES + buffer.readUInt32BE(0);
  // Safe: both members are checked or depend on the kind alone.
  const { kind, question } = JSON.parse(buffer.toString('utf8', LENGTH_BYTES, end)) as {
    readonly kind: string;
    readonly question: unknown;
  };
  assert(isContentKind(kind), `${kind} is a write that records can hold`);
  if (kind === 'putPage') {
    return { kind, question: { ...Object(question), text: buffer.subarray(end) } };
  }
  // Safe: `plainOf` made it.
  if (kind === 'markEnded') return { kind, question: new Map(question as [string, string][]) };
  return { kind, question };
}

/** The question as a value that JSON can hold, and bytes beside it. */
function plainOf(kind: ContentKind, question: unknown): { plain: unknown; bytes: Uint8Array } {
  if (kind === 'putPage') {
    const { text: bytes, ...plain } = question as IntakePage; // safe: by its kind
    return { plain, bytes };
  }
  const plain = kind === 'markEnded' ? [...(question as MarketEnds)] : question; // safe: as above
  return { plain, bytes: new Uint8Array() };
}
