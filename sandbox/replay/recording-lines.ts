/**
 * The lines of a recording, read as a stream.
 *
 * Bound: one chunk of the file and one line of LINE_BYTES are in memory, whatever the file's size.
 */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A `book` with every level of the finest tick on both sides has some 1 MB. */
const LINE_BYTES = 4_194_304;
const NEWLINE = 0x0a;

export interface RecordingLine {
  /** From 1. */
  readonly number: number;
  /** undefined for a line of more than LINE_BYTES, which is not kept. */
  readonly text: string | undefined;
}

/** Opens a file to be read as a stream of buffers. */
export type OpenFile = (path: string) => Readable;

/** The bytes of a file; those of a gzip file decompressed. */
export function recordingChunks(path: string, open: OpenFile): AsyncIterable<Buffer> {
  const file = open(path);
  if (!path.endsWith('.gz')) return file;
  // An error of either stream ends the iteration with that error.
  return pipeline(file, createGunzip(), () => {});
}

/** Splits chunks into lines. An empty last line is no line. */
export async function* recordingLines(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<RecordingLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > LINE_BYTES) parts = [];
    else parts.push(part);
  };
  const finish = (): RecordingLine => {
    number += 1;
    const text = bytes > LINE_BYTES ? undefined : Buffer.concat(parts).toString();
    parts = [];
    bytes = 0;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      keep(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) break;
      yield finish();
      start = end + 1;
    }
  }
  if (bytes > 0) yield finish();
}
