/**
 * The file format of a snapshot: a head, parts, and an end, each with a checksum. Invariant: a file
 * that was altered is refused, with the place of the fault. Bound: one part in memory, of at most
 * SNAPSHOT_PART_BYTES. A file is synced in pieces, so that the journal's syncs never wait for
 * hundreds of megabytes.
 *
 * A file is MAGIC and then frames; numbers are little-endian. A frame is its kind (1 byte), the
 * length of its name (1), the length of its bytes (4), the name, the bytes, and the CRC-32 of all
 * these (4). The first frame is the head, the last one the end, all others are parts. The end holds
 * the number of parts (4), the length of the file (8) and a CRC-32 of the checksums of all frames
 * before it (4).
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { SNAPSHOT_PART_BYTES, type SnapshotPart } from '../../engine/model/index.ts';
import type { Funding } from '../journal/schema.ts';
import { isMissingFile, messageOf, STORE_BOUNDS, StoreError } from '../shared/index.ts';

/** The version of frames, head and `facts.*` parts. Only snapshots of this version are used. */
export const SNAPSHOT_VERSION = 1;

export interface SnapshotHead {
  readonly snapshotVersion: number;
  /** The version of the engine's parts. */
  readonly imageVersion: number;
  /** The last command that it shows, and its time. */
  readonly seq: number;
  readonly timeMs: number;
  /** The journal's checksum of that command, which identifies the journal. */
  readonly commandChecksum: number;
  /** The digest of the engine that it shows. */
  readonly digest: number;
  readonly funding: Funding;
}

export interface OpenSnapshot {
  readonly head: SnapshotHead;
  /**
   * Yields the checked parts in order; call it once. Each part's bytes are overwritten by the next
   * one's. The end is checked after the last part, so use nothing before the iteration is over.
   * Throws StoreError `snapshot_damaged`.
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
/** The size of the last frame, which has no name. */
const TRAILER_BYTES = FRAME_BYTES + END_BYTES + CHECKSUM_BYTES;

interface Frame {
  readonly kind: number;
  readonly name: string;
  readonly bytes: Buffer;
  readonly checksum: number;
}

/** Writes a snapshot to a new file and syncs it. Returns its length in bytes. */
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
  /** The CRC-32 of the checksums of all frames so far. */
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
    writeFileSync(this.#file, bytes);
    this.length += bytes.length;
    this.#unsyncedBytes += bytes.length;
    if (this.#unsyncedBytes < STORE_BOUNDS.unsyncedSnapshotBytes) return;
    fsyncSync(this.#file);
    this.#unsyncedBytes = 0;
  }
}

/**
 * Throws StoreError `snapshot_damaged` or `snapshot_newer`, or the system's error for a missing
 * file.
 */
export function openSnapshot(path: string): OpenSnapshot {
  const file = openToRead(path);
  try {
    const reader = new FrameReader(path, file);
    const frame = reader.next();
    if (frame.kind !== KINDS.head) throw reader.damaged('the head is missing');
    const head = headOf(path, frame.bytes);
    return { head, parts: () => partsOf(reader, frame), close: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Whether the head is valid and the end has the file's length: cheap, because no part is read. */
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
    // A file that can't be read can't be used.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Opens a file to read. It does not block, even if the path is a pipe. */
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
      throw reader.damaged('the end does not match the parts before it');
    }
    if (kind !== KINDS.part) throw reader.damaged(`a frame of kind ${kind} is not a part`);
    chain = crc32(numberBytes(checksum), chain);
    count += 1;
    yield { name, bytes };
  }
}

class FrameReader {
  readonly #path: string;
  readonly #file: number;
  readonly length: number;
  /** The offset of the next frame. */
  place = 0;
  /**
   * The bytes of the last frame. New memory for each part of a large file would take longer than to
   * read it, because the kernel clears each page first.
   */
  #bytes = Buffer.alloc(0);

  constructor(path: string, file: number) {
    this.#path = path;
    this.#file = file;
    const status = fstatSync(file);
    if (!status.isFile()) throw notUsed(path, 'is not a plain file');
    this.length = status.size;
    if (!this.#take(MAGIC.length).equals(MAGIC))
      throw this.damaged('it does not begin with the mark of a snapshot file');
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
      throw this.damaged(`a part has ${length} bytes, at most ${SNAPSHOT_PART_BYTES} are allowed`);
    }
    const name = this.#take(nameLength);
    // At the beginning of their memory: there, typed arrays can read them in place.
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(length);
    const bytes = this.#take(length, this.#bytes.subarray(0, length));
    const checksum = this.#take(CHECKSUM_BYTES).readUInt32LE(0);
    if (crc32(bytes, crc32(name, crc32(header))) !== checksum) {
      this.place = beginsAt;
      throw this.damaged('a part does not match its checksum');
    }
    return { kind: header.readUInt8(0), name: name.toString(), bytes, checksum };
  }

  #take(length: number, bytes = Buffer.allocUnsafeSlow(length)): Buffer {
    for (let taken = 0; taken < length; ) {
      const count = this.#read(bytes, taken);
      if (count === 0) throw this.damaged('it ends too early');
      taken += count;
    }
    this.place += length;
    return bytes;
  }

  /** A part that can't be read counts as damaged: there are other snapshots and the journal. */
  #read(bytes: Buffer, taken: number): number {
    try {
      return readSync(this.#file, bytes, taken, bytes.length - taken, this.place + taken);
    } catch (error) {
      throw this.damaged(`it can't be read (${messageOf(error)})`);
    }
  }

  /** `what` is a clause such as "it ends too early". */
  damaged(what: string): StoreError {
    return notUsed(this.#path, `is damaged at byte ${this.place}, because ${what}`);
  }
}

/**
 * Throws StoreError `snapshot_newer` for another version of the format or of the engine's state.
 * Snapshots are not migrated: the next ones are made by this program.
 */
export function checkVersion(
  path: string,
  what: 'format' | 'state',
  found: number,
  known: number,
): void {
  if (found === known) return;
  throw new StoreError(
    'snapshot_newer',
    `the snapshot ${path} has ${what} version ${found} and this program knows ${known}: ` +
      'it is not used, and the start takes longer. The program that wrote it can use it',
  );
}

/** `what` continues the sentence: "is not a plain file". */
function notUsed(path: string, what: string): StoreError {
  return new StoreError(
    'snapshot_damaged',
    `the snapshot ${path} ${what}: it is not used, so the start takes longer. ` +
      'Nothing is lost, because the journal has everything. Remove the file, and check the ' +
      'disk if ' +
      'you did not expect this',
  );
}

function headOf(path: string, bytes: Buffer): SnapshotHead {
  // Safe, once its version is checked: the checksum shows that a writer of snapshots made it.
  const head = JSON.parse(bytes.toString()) as SnapshotHead;
  checkVersion(path, 'format', head.snapshotVersion, SNAPSHOT_VERSION);
  return head;
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
