/**
 * A snapshot on its way to another node: its file in parts, each sent after the answer to the one
 * before. A part is the snapshot's seq, the length of the file and the place of the part in it (8
 * bytes each, big-endian), and then the bytes. Bound: one part in memory, of at most
 * STORE_BOUNDS.sentSnapshotBytes; a longer one is refused as `snapshot_refused`.
 */
import { open } from 'node:fs/promises';
import { STORE_BOUNDS, StoreError } from '../shared/index.ts';
import { snapshotPath } from './folder.ts';

export interface SnapshotFilePart {
  readonly seq: number;
  /** The length of the whole file. */
  readonly fileBytes: number;
  /** Where in the file the part begins. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const HEAD_BYTES = 24;

export function snapshotRefused(why: string): StoreError {
  return new StoreError('snapshot_refused', `the snapshot of another node is not taken: ${why}`);
}

export function encodeFilePart({ seq, fileBytes, offset, bytes }: SnapshotFilePart): Buffer {
  const part = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  part.writeBigUInt64BE(BigInt(seq), 0);
  part.writeBigUInt64BE(BigInt(fileBytes), 8);
  part.writeBigUInt64BE(BigInt(offset), 16);
  part.set(bytes, HEAD_BYTES);
  return part;
}

export function decodeFilePart(part: Buffer): SnapshotFilePart {
  const bytes = part.subarray(HEAD_BYTES);
  if (bytes.length === 0 || bytes.length > STORE_BOUNDS.sentSnapshotBytes) {
    const most = STORE_BOUNDS.sentSnapshotBytes;
    throw snapshotRefused(`a part has ${bytes.length} bytes, and 1 to ${most} are allowed`);
  }
  const [seq, fileBytes, offset] = [0, 8, 16].map((at) => Number(part.readBigUInt64BE(at)));
  return { seq: seq!, fileBytes: fileBytes!, offset: offset!, bytes };
}

/** Sends the snapshot of a folder at `seq`. Rejects with what `send` rejects with. */
export async function sendSnapshot(
  folder: string,
  seq: number,
  send: (part: Buffer) => Promise<unknown>,
): Promise<void> {
  // It stays readable while it is open, also if it is pruned.
  const file = await open(snapshotPath(folder, seq), 'r');
  try {
    const { size: fileBytes } = await file.stat();
    const room = Buffer.allocUnsafe(STORE_BOUNDS.sentSnapshotBytes);
    for (let offset = 0; offset < fileBytes; ) {
      const { bytesRead } = await file.read(room, 0, room.length, offset);
      if (bytesRead === 0) throw new Error('the file of a snapshot became shorter');
      const bytes = room.subarray(0, bytesRead);
      await send(encodeFilePart({ seq, fileBytes, offset, bytes }));
      offset += bytesRead;
    }
  } finally {
    await file.close();
  }
}
