/**
 * One snapshot as a file: a head that says what it is of, parts of bytes each with its checksum,
 * and an end that says how many there were. Invariant: what is read is what was written, or is
 * refused with the place where it is not; a file that is there under its own name is whole, for it
 * was written beside it, synced, and renamed. Bound: one part is in memory at a time, of at most
 * SNAPSHOT_PART_BYTES; what was written is synced piece by piece, so that the journal's own syncs
 * never wait for hundreds of megabytes.
 *
 * Numbers are little-endian. A file is: MAGIC; frames; nothing. A frame is its kind (1 byte), the
 * length of its name (1), that of its bytes (4), name, bytes, and the CRC-32 of all these (4). The
 * first frame is the head, the last the end, and those between are parts. The end holds the number
 * of the parts (4), the length of the file (8) and a CRC-32 over the checksums of all frames
 * before (4).
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { SNAPSHOT_PART_BYTES, type SnapshotPart } from '../../engine/model/index.ts';
import type { Funding } from '../journal/index.ts';
import { isMissingFile, messageOf, STORE_BOUNDS, StoreError } from '../shared/index.ts';

/** A change of the frames, of the head, or of the parts that this folder writes is a new number. */
export const SNAPSHOT_VERSION = 1;

/** What a snapshot is of. */
export interface SnapshotHead {
  readonly snapshotVersion: number;
  /** Of the engine's parts. */
  readonly imageVersion: number;
  /** The last command that it shows, and its time. */
  readonly seq: number;
  readonly timeMs: number;
  /** Of that command in the journal: it says which journal this is a snapshot of. */
  readonly commandChecksum: number;
  readonly funding: Funding;
}

export interface OpenSnapshot {
  readonly head: SnapshotHead;
  /**
   * Its parts in order, each checked before it is given; the last is given before the end is
   * checked, so nothing may be used before the walk is over. Once. Throws `snapshot_damaged`.
   */
  parts(): Generator<SnapshotPart>;
  close(): void;
}

const MAGIC = Buffer.from('OXSNAP\r\n');
const FRAME_BYTES = 6;
const CHECKSUM_BYTES = 4;
const END_BYTES = 16;
const KINDS = { head: 1, part: 2, end: 3 } as const;
const NAME_BYTES = 255;
/** The end of a file: an end's frame, which has no name. */
const TRAILER_BYTES = FRAME_BYTES + END_BYTES + CHECKSUM_BYTES;

interface Frame {
  readonly kind: number;
  readonly name: string;
  readonly bytes: Buffer;
  readonly checksum: number;
}

/** Writes all of a snapshot to a new file, and syncs it. Returns its length in bytes. */
export function writeSnapshotFile(
  path: string,
  head: SnapshotHead,
  parts: Iterable<SnapshotPart>,
): number {
  const file = openSync(path, 'w', 0o600);
  try {
    const writer = new FrameWriter(file);
    writer.write(KINDS.head, 'head', Buffer.from(JSON.stringify(head)));
    for (const { name, bytes } of parts) writer.write(KINDS.part, name, bytes);
    writer.end();
    fsyncSync(file);
    return writer.length;
  } finally {
    closeSync(file);
  }
}

class FrameWriter {
  readonly #file: number;
  length = 0;
  #partCount = 0;
  #unsyncedBytes = 0;
  /** Over the checksums of the frames so far. */
  #chain = 0;

  constructor(file: number) {
    this.#file = file;
    this.#put(MAGIC);
  }

  write(kind: number, name: string, bytes: Uint8Array): void {
    const nameBytes = Buffer.from(name);
    if (nameBytes.length > NAME_BYTES || bytes.length > SNAPSHOT_PART_BYTES) {
      throw new RangeError(`a part of ${bytes.length} bytes named ${name} is too long`);
    }
    const header = Buffer.alloc(FRAME_BYTES + nameBytes.length);
    header.writeUInt8(kind, 0);
    header.writeUInt8(nameBytes.length, 1);
    header.writeUInt32LE(bytes.length, 2);
    nameBytes.copy(header, FRAME_BYTES);
    const checksum = numberBytes(crc32(bytes, crc32(header)));
    this.#put(header);
    this.#put(bytes);
    this.#put(checksum);
    this.#chain = crc32(checksum, this.#chain);
    if (kind === KINDS.part) this.#partCount += 1;
  }

  end(): void {
    const bytes = Buffer.alloc(END_BYTES);
    bytes.writeUInt32LE(this.#partCount, 0);
    bytes.writeBigUInt64LE(BigInt(this.length + TRAILER_BYTES), 4);
    bytes.writeUInt32LE(this.#chain, 12);
    this.write(KINDS.end, '', bytes);
  }

  #put(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written);
    }
    this.length += bytes.length;
    this.#unsyncedBytes += bytes.length;
    if (this.#unsyncedBytes < STORE_BOUNDS.unsyncedSnapshotBytes) return;
    fsyncSync(this.#file);
    this.#unsyncedBytes = 0;
  }
}

/**
 * Throws `snapshot_damaged`, `snapshot_newer` for one that a newer program wrote, or what the
 * system says of one that is not there.
 */
export function openSnapshot(path: string): OpenSnapshot {
  const file = openToRead(path);
  try {
    const reader = new FrameReader(path, file);
    const frame = reader.next();
    if (frame.kind !== KINDS.head) throw reader.damaged('where its head should be');
    const head = headOf(reader, frame.bytes);
    return { head, parts: () => partsOf(reader, frame), close: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Whether the head and the end are there and agree: a cheap look, which reads no part. */
export function looksWhole(path: string): boolean {
  let file: number | undefined;
  try {
    file = openToRead(path);
    const reader = new FrameReader(path, file);
    if (reader.next().kind !== KINDS.head) return false;
    reader.seek(reader.length - TRAILER_BYTES);
    const { kind, bytes } = reader.next();
    return kind === KINDS.end && bytes.readBigUInt64LE(4) === BigInt(reader.length);
  } catch {
    // Whatever keeps it from being read keeps it from being counted on.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Never waits, as opening a pipe would. */
function openToRead(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissingFile(error)) throw error;
    throw notUsed(path, `can't be opened (${messageOf(error)})`);
  }
}

function* partsOf(reader: FrameReader, head: Frame): Generator<SnapshotPart> {
  let chain = crc32(numberBytes(head.checksum));
  let count = 0;
  for (;;) {
    const { kind, name, bytes, checksum } = reader.next();
    if (kind === KINDS.end) {
      const isAll =
        bytes.length === END_BYTES &&
        bytes.readUInt32LE(0) === count &&
        bytes.readUInt32LE(12) === chain &&
        reader.place === reader.length;
      if (isAll) return;
      throw reader.damaged('at its end, which does not fit what comes before');
    }
    if (kind !== KINDS.part) throw reader.damaged(`where a part should be (kind ${kind})`);
    chain = crc32(numberBytes(checksum), chain);
    count += 1;
    yield { name, bytes };
  }
}

class FrameReader {
  readonly #path: string;
  readonly #file: number;
  readonly length: number;
  /** Where the next frame begins. */
  place = 0;

  constructor(path: string, file: number) {
    this.#path = path;
    this.#file = file;
    const status = fstatSync(file);
    if (!status.isFile()) throw notUsed(path, 'is no plain file');
    this.length = status.size;
    if (!this.#take(MAGIC.length).equals(MAGIC)) throw this.damaged('at its beginning');
  }

  seek(place: number): void {
    this.place = place;
  }

  next(): Frame {
    const beginsAt = this.place;
    const header = this.#take(FRAME_BYTES);
    const nameLength = header.readUInt8(1);
    const length = header.readUInt32LE(2);
    if (length > SNAPSHOT_PART_BYTES) {
      this.place = beginsAt;
      throw this.damaged(`where a part would be ${length} bytes long`);
    }
    const body = this.#take(nameLength + length);
    const checksum = this.#take(CHECKSUM_BYTES).readUInt32LE(0);
    if (crc32(body, crc32(header)) !== checksum) {
      this.place = beginsAt;
      throw this.damaged('where a part does not match its checksum');
    }
    const name = body.toString('utf8', 0, nameLength);
    return { kind: header.readUInt8(0), name, bytes: body.subarray(nameLength), checksum };
  }

  #take(length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let taken = 0; taken < length; ) {
      const count = this.#read(bytes, taken);
      if (count === 0) throw this.damaged('where it ends too early');
      taken += count;
    }
    this.place += length;
    return bytes;
  }

  /** What a disk can't read is as good as damaged: there are other snapshots, and the journal. */
  #read(bytes: Buffer, taken: number): number {
    try {
      return readSync(this.#file, bytes, taken, bytes.length - taken, this.place + taken);
    } catch (error) {
      throw this.damaged(`where it can't be read (${messageOf(error)})`);
    }
  }

  /** `where`: "at its end". */
  damaged(where: string): StoreError {
    return notUsed(this.#path, `is damaged at byte ${this.place}, ${where}`);
  }

  newer(what: string, found: unknown, known: number): StoreError {
    return new StoreError(
      'snapshot_newer',
      `the snapshot ${this.#path} has ${what} version ${found} and this program knows ${known}: ` +
        'it is not used, and the start takes longer. The program that wrote it can use it',
    );
  }
}

/** `what`: "is no plain file". */
function notUsed(path: string, what: string): StoreError {
  return new StoreError(
    'snapshot_damaged',
    `the snapshot ${path} ${what}: it is not used. ` +
      'Nothing is lost by that, for snapshots are made of the journal: the start takes longer. ' +
      'Remove the file, and check the disk if you did not expect this',
  );
}

function headOf(reader: FrameReader, bytes: Buffer): SnapshotHead {
  // The checksum says that this text is what the writer made of a head, if of its version.
  const head = JSON.parse(bytes.toString()) as SnapshotHead;
  if (head.snapshotVersion === SNAPSHOT_VERSION) return head;
  throw reader.newer('format', head.snapshotVersion, SNAPSHOT_VERSION);
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
