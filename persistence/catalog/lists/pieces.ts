// Parts of an answer that has markets, as bytes: a piece is an event or a market with all it
// holds, and pages are put together of pieces and what stands between them. Invariant: that of
// MarketsText. Both are written into memory that the next one is written into again, for what is
// made anew 200 times a second, 100 KB each, the collector would have to look after. Bound: the
// caller's; of that memory `KEPT_ROOM_BYTES` stay for each.

import assert from 'node:assert';
import {
  CONDITION_CHARS,
  type MarketPlace,
  type MarketsText,
  PLACE_FLAGS,
} from '../model/index.ts';

/** Valid until the next piece is made, kept or asked for: whoever needs it copies it before. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** As in MarketsText; so are the places, from the piece's first byte. */
  readonly conditionIds: string;
  readonly places: ArrayLike<number>;
  /** Characters, without those that trading may replace. */
  readonly chars: number;
}

/** Beyond it the memory of a large piece or page is given back. */
const KEPT_ROOM_BYTES = 1024 * 1024;
const FIRST_ROOM_BYTES = 256 * 1024;
/** A UTF-16 unit has at most so many bytes in UTF-8. */
const MOST_BYTES_A_CHAR = 3;

/** Memory that is written from its beginning again and again. */
class Room {
  #bytes = Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES);

  /** Memory of that length at least, with the first `kept` bytes as they were. */
  ofLength(length: number, kept: number): Buffer {
    if (length > this.#bytes.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(longer, 0, 0, kept);
      this.#bytes = longer;
    }
    return this.#bytes;
  }

  /** Nothing that stands there is needed any more. */
  free(): void {
    if (this.#bytes.length > KEPT_ROOM_BYTES)
      this.#bytes = Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES);
  }
}

/** To count them takes longer than to write them, unless there are many. */
function mostBytes(text: string): number {
  const most = MOST_BYTES_A_CHAR * text.length;
  return most > KEPT_ROOM_BYTES ? Buffer.byteLength(text) : most;
}

// A thread writes one page at a time, and in it one piece.
const PIECE_ROOM = new Room();
const PAGE_ROOM = new Room();

/** Writes one piece. */
export class PieceWriter {
  #conditionIds = '';
  readonly #places: number[] = [];
  /** What is not written yet: few long texts are written faster than many short ones. */
  #text = '';
  #length = 0;
  #chars = 0;

  constructor() {
    PIECE_ROOM.free();
  }

  add(text: string): void {
    this.#text += text;
    this.#chars += text.length;
  }

  /** A market's place, with what stands there where it is not traded. */
  market({ conditionId, closed, acceptingOrders }: MarketPlace, members: string): void {
    assert(conditionId.length === CONDITION_CHARS, 'a condition id has 66 characters');
    this.#write();
    const begin = this.#length;
    this.#text = members;
    this.#write();
    const flags =
      (closed ? PLACE_FLAGS.closed : 0) + (acceptingOrders ? PLACE_FLAGS.acceptingOrders : 0);
    this.#conditionIds += conditionId;
    this.#places.push(begin, this.#length, flags);
  }

  done(): Piece {
    this.#write();
    const bytes = PIECE_ROOM.ofLength(this.#length, this.#length).subarray(0, this.#length);
    return { bytes, conditionIds: this.#conditionIds, places: this.#places, chars: this.#chars };
  }

  #write(): void {
    const room = PIECE_ROOM.ofLength(this.#length + mostBytes(this.#text), this.#length);
    this.#length += room.write(this.#text, this.#length);
    this.#text = '';
  }
}

/** Puts an answer together. One at a time: the next one is begun when this one is done. */
export class PageWriter {
  readonly #conditionIds: string[] = [];
  readonly #places: number[] = [];
  #length = 0;
  #chars = 0;

  constructor() {
    PAGE_ROOM.free();
  }

  /** As of pieces. */
  get chars(): number {
    return this.#chars;
  }

  add(part: string | Piece): void {
    if (typeof part === 'string') this.#addText(part);
    else this.#addPiece(part);
  }

  #addText(text: string): void {
    const room = PAGE_ROOM.ofLength(this.#length + mostBytes(text), this.#length);
    this.#length += room.write(text, this.#length);
    this.#chars += text.length;
  }

  #addPiece({ bytes, conditionIds, places, chars }: Piece): void {
    const at = this.#length;
    this.#length += bytes.length;
    PAGE_ROOM.ofLength(this.#length, at).set(bytes, at);
    this.#conditionIds.push(conditionIds);
    for (let place = 0; place < places.length; place += 3) {
      this.#places.push(
        at + (places[place] ?? 0),
        at + (places[place + 1] ?? 0),
        places[place + 2] ?? 0,
      );
    }
    this.#chars += chars;
  }

  done(count: number): MarketsText {
    // Not of the shared pool: it goes to another thread as it is.
    const bytes = Buffer.allocUnsafeSlow(this.#length);
    PAGE_ROOM.ofLength(this.#length, this.#length).copy(bytes, 0, 0, this.#length);
    const places = Uint32Array.from(this.#places);
    return { bytes, conditionIds: this.#conditionIds.join(''), places, count };
  }
}
