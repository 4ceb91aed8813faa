// Pieces of answers that a reader keeps, of events or of markets: the same ones stand in most
// answers. Invariant: what is kept is what would be made now, for each piece has the version of its
// event, which every change of it raises (CatalogMoment); what else is written leaves it as it is.
//
// All of them lie in one memory outside of the heap, which is filled from its beginning to its end
// and then from its beginning again, so that the collector has nothing to move or to look after:
// its pauses of 3 to 7 ms were what lists waited for longest. What is asked for while much was
// written after it is written once more, so what goes first is what was not asked for lately.
// Bound: the bytes it is given, which are touched as they are filled.

import assert from 'node:assert';
import type { CatalogMoment } from './moment.ts';
import type { Piece } from './pieces.ts';

type PieceMoment = Pick<CatalogMoment, 'written' | 'versionOf'>;

/** A piece as it was made. */
export interface MadePiece {
  readonly piece: Piece;
  readonly eventId: number;
  /** Of that event. */
  readonly version: number;
}

/** Where a piece lies: its bytes, then its condition ids, then its places. */
interface Entry {
  readonly at: number;
  readonly end: number;
  readonly byteLength: number;
  readonly idsLength: number;
  readonly placeCount: number;
  readonly chars: number;
  readonly eventId: number;
  readonly version: number;
  /** The moment of which it was known to be what would be made. */
  checked: number;
}

const PLACE_BYTES = 4;
/** Larger pieces are not kept: this part of all memory. */
const LARGEST_PART = 16;
const ALMOST_FULL = 7 / 8;

function aligned(at: number): number {
  return PLACE_BYTES * Math.ceil(at / PLACE_BYTES);
}

export class PieceMemory {
  readonly #moment: PieceMoment;
  readonly #mostBytes: number;
  /** In the order in which they were written. */
  readonly #entries = new Map<number, Entry>();
  /** Made when the first piece is kept. */
  #memory: Buffer | undefined;
  /** Where the next one is written. */
  #next = 0;
  /** Whether it has begun from its beginning again. */
  #hasTurned = false;

  constructor(moment: PieceMoment, mostBytes: number) {
    this.#moment = moment;
    this.#mostBytes = mostBytes;
  }

  /** Whether what is kept next may soon take the place of something. */
  get isAlmostFull(): boolean {
    return this.#hasTurned || this.#next > this.#mostBytes * ALMOST_FULL;
  }

  /** The piece of an id: kept, or made; undefined where there is nothing. */
  of(id: number, make: () => MadePiece | undefined): Piece | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined && this.#isCurrent(entry)) {
      return this.#read(this.#isOld(entry) ? this.#renew(id, entry) : entry);
    }
    const made = make();
    if (made === undefined) this.#entries.delete(id);
    else this.#keep(id, made);
    return made?.piece;
  }

  #isCurrent(entry: Entry): boolean {
    const { written } = this.#moment;
    if (entry.checked === written) return true;
    if (this.#moment.versionOf(entry.eventId) !== entry.version) return false;
    entry.checked = written;
    return true;
  }

  /** Whether half of all was written after it. */
  #isOld({ at }: Entry): boolean {
    const since = this.#next - at;
    return (since >= 0 ? since : since + this.#mostBytes) > this.#mostBytes / 2;
  }

  #read(entry: Entry): Piece {
    const memory = this.#memory;
    assert(memory !== undefined, 'what is kept has its memory');
    const idsAt = entry.at + entry.byteLength;
    return {
      bytes: memory.subarray(entry.at, idsAt),
      conditionIds: memory.toString('latin1', idsAt, idsAt + entry.idsLength),
      places: placesOf(entry, memory),
      chars: entry.chars,
    };
  }

  #keep(id: number, { piece, eventId, version }: MadePiece): void {
    const { bytes, conditionIds, places, chars } = piece;
    const idsLength = conditionIds.length;
    const length = aligned(bytes.length + idsLength) + PLACE_BYTES * places.length;
    this.#entries.delete(id);
    if (length > this.#mostBytes / LARGEST_PART) return;
    this.#memory ??= Buffer.allocUnsafeSlow(this.#mostBytes);
    const at = this.#makeRoom(length);
    this.#memory.set(bytes, at);
    this.#memory.write(conditionIds, at + bytes.length, 'latin1');
    const entry: Entry = {
      at,
      end: at + length,
      byteLength: bytes.length,
      idsLength,
      placeCount: places.length,
      chars,
      eventId,
      version,
      checked: this.#moment.written,
    };
    placesOf(entry, this.#memory).set(places);
    this.#entries.set(id, entry);
  }

  /** Writes it once more, behind all others. */
  #renew(id: number, entry: Entry): Entry {
    this.#entries.delete(id);
    const length = entry.end - entry.at;
    const at = this.#makeRoom(length);
    this.#memory?.copyWithin(at, entry.at, entry.end);
    const renewed = { ...entry, at, end: at + length };
    this.#entries.set(id, renewed);
    return renewed;
  }

  /** Takes so many bytes behind all others: those that lie there are kept no more. */
  #makeRoom(length: number): number {
    const isAtEnd = this.#next + length > this.#mostBytes;
    this.#hasTurned ||= isAtEnd;
    const at = isAtEnd ? 0 : this.#next;
    for (const [id, entry] of this.#entries) {
      const isLeftOver = isAtEnd && entry.at >= this.#next;
      const isThere = entry.at < at + length && entry.end > at;
      if (!isLeftOver && !isThere) break;
      this.#entries.delete(id);
    }
    this.#next = at + length;
    return at;
  }
}

function placesOf({ at, byteLength, idsLength, placeCount }: Entry, memory: Buffer): Uint32Array {
  const placesAt = memory.byteOffset + aligned(at + byteLength + idsLength);
  return new Uint32Array(memory.buffer, placesAt, placeCount);
}
