/**
 * The requests that nodes send to the core about content, and their bytes.
 *
 * - `content`: a part of a question for the log. The answer is empty; that of the last part comes
 *   when the question is committed.
 * - `content_missed`: the records after those that a node has.
 * - `catalog_copy`: the next bytes of a copy of the whole catalog.
 */
import { strict as assert } from 'node:assert';
import type { ContentStamp } from '../../persistence/shared/index.ts';
import type { MissedRecords } from './content-replica.ts';

/** Sends a request to the core; at the core, to itself. */
export type SendRequest = (kind: ContentRequestKind, body: Buffer) => Promise<Buffer>;

export const CONTENT_REQUEST_KINDS = ['content', 'content_missed', 'catalog_copy'] as const;
export type ContentRequestKind = (typeof CONTENT_REQUEST_KINDS)[number];

const LENGTH_BYTES = 4;

/** A JSON value with bytes behind it. */
function joined(head: unknown, bytes: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...bytes]);
}

function parted(body: Buffer): { readonly head: unknown; readonly bytes: Buffer } {
  assert(body.length >= LENGTH_BYTES, 'an answer of the core has a head');
  const end = LENGTH_BYTES + body.readUInt32BE(0);
  assert(end <= body.length, 'the head of an answer of the core is whole');
  const head: unknown = JSON.parse(body.toString('utf8', LENGTH_BYTES, end));
  return { head, bytes: body.subarray(end) };
}

export function encodeState(state: ContentStamp | undefined): Buffer {
  return Buffer.from(JSON.stringify(state ?? { lineage: '', number: 0 }));
}

export function decodeState(body: Buffer): ContentStamp {
  const { lineage, number } = JSON.parse(body.toString()) as Partial<ContentStamp>;
  assert(typeof lineage === 'string' && Number.isSafeInteger(number), 'a state of content');
  return { lineage, number: Number(number) };
}

interface MissedHead {
  /** The number of the core's last record; undefined if the node must copy the catalog. */
  readonly last?: number;
  readonly lengths: readonly number[];
}

export function encodeMissed(missed: MissedRecords): Buffer {
  if (missed.kind === 'copy') return joined({ lengths: [] }, []);
  const { last, records } = missed;
  return joined({ last, lengths: records.map(({ length }) => length) }, records);
}

export function decodeMissed(body: Buffer): MissedRecords {
  const { head, bytes } = parted(body);
  const { last, lengths } = head as MissedHead; // safe: `encodeMissed` made it
  if (last === undefined) return { kind: 'copy' };
  let end = 0;
  const records = lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
  assert(end === bytes.length, 'an answer of the core has whole records');
  return { kind: 'records', last, records };
}

/** Which bytes of which copy: an empty id begins one. */
export interface CopyQuestion {
  readonly id: string;
  readonly offset: number;
}

export interface CopyPart {
  readonly id: string;
  /** Those of the whole copy. */
  readonly size: number;
  readonly sha256: string;
  readonly bytes: Buffer;
}

export function encodeCopyQuestion(question: CopyQuestion): Buffer {
  return Buffer.from(JSON.stringify(question));
}

export function decodeCopyQuestion(body: Buffer): CopyQuestion {
  const { id, offset } = JSON.parse(body.toString()) as Partial<CopyQuestion>;
  assert(typeof id === 'string' && Number.isSafeInteger(offset), 'a question for a copy');
  return { id, offset: Number(offset) };
}

export function encodeCopyPart({ bytes, ...head }: CopyPart): Buffer {
  return joined(head, [bytes]);
}

export function decodeCopyPart(body: Buffer): CopyPart {
  const { head, bytes } = parted(body);
  const { id, size, sha256 } = head as Omit<CopyPart, 'bytes'>; // safe: `encodeCopyPart` made it
  return { id, size, sha256, bytes };
}
