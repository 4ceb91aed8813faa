// Parts of an answer that has markets, as bytes: a piece is an event or a market with all it
// holds, and pages are put together of pieces and what stands between them. Invariant: that of
// MarketsText; a piece never changes once it is made, so that it can be kept. Bound: the caller's.

import assert from 'node:assert';
import { CATALOG_BOUNDS } from './catalog-bounds.ts';
import type { MemoryBound } from './catalog-moment-memory.ts';
import {
  CONDITION_CHARS,
  type MarketPlace,
  type MarketsText,
  PLACE_FLAGS,
} from './catalog-text.ts';

export interface Piece {
  readonly bytes: Uint8Array;
  /** As in MarketsText; so are the places, from the piece's first byte. */
  readonly conditionIds: string;
  readonly places: readonly number[];
  /** Characters, without those that trading may replace. */
  readonly chars: number;
}

/** How much of them a reader keeps. */
export const KEPT_PIECES: MemoryBound<Piece> = {
  mostBytes: CATALOG_BOUNDS.keptTextBytes,
  bytesOf: ({ bytes, conditionIds, places }) =>
    bytes.length + conditionIds.length + 8 * places.length,
};

/** Writes one piece. */
export class PieceWriter {
  #conditionIds = '';
  /** In characters. */
  readonly #places: number[] = [];
  #text = '';
  #chars = 0;

  add(text: string): void {
    this.#text += text;
    this.#chars += text.length;
  }

  /** A market's place, with what stands there where it is not traded. */
  market({ conditionId, closed, acceptingOrders }: MarketPlace, members: string): void {
    assert(conditionId.length === CONDITION_CHARS, 'a condition id has 66 characters');
    const begin = this.#text.length;
    this.#text += members;
    const flags =
      (closed ? PLACE_FLAGS.closed : 0) + (acceptingOrders ? PLACE_FLAGS.acceptingOrders : 0);
    this.#conditionIds += conditionId;
    this.#places.push(begin, this.#text.length, flags);
  }

  done(): Piece {
    const text = this.#text;
    // Not of the shared pool: what is kept must not hold what others are done with.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    bytes.write(text);
    const places = bytes.length === text.length ? this.#places : this.#placesInBytes();
    return { bytes, conditionIds: this.#conditionIds, places, chars: this.#chars };
  }

  #placesInBytes(): number[] {
    let [chars, bytes] = [0, 0];
    return this.#places.map((place, index) => {
      // Every third number is flags.
      if (index % 3 === 2) return place;
      bytes += Buffer.byteLength(this.#text.slice(chars, place));
      chars = place;
      return bytes;
    });
  }
}

/** Puts an answer together. */
export class PageWriter {
  readonly #parts: (string | Piece)[] = [];
  #chars = 0;

  /** As of pieces. */
  get chars(): number {
    return this.#chars;
  }

  add(part: string | Piece): void {
    this.#parts.push(part);
    this.#chars += typeof part === 'string' ? part.length : part.chars;
  }

  done(count: number): MarketsText {
    const lengths = this.#parts.map((part) =>
      typeof part === 'string' ? Buffer.byteLength(part) : part.bytes.length,
    );
    const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
    const pieces = this.#parts.filter((part) => typeof part !== 'string');
    const conditionIds = pieces.map((piece) => piece.conditionIds).join('');
    const places = new Uint32Array((3 * conditionIds.length) / CONDITION_CHARS);
    let [at, next] = [0, 0];
    this.#parts.forEach((part, index) => {
      if (typeof part === 'string') bytes.write(part, at);
      else {
        bytes.set(part.bytes, at);
        for (let place = 0; place < part.places.length; place += 3) {
          places[next] = at + (part.places[place] ?? 0);
          places[next + 1] = at + (part.places[place + 1] ?? 0);
          places[next + 2] = part.places[place + 2] ?? 0;
          next += 3;
        }
      }
      at += lengths[index] ?? 0;
    });
    return { bytes, conditionIds, places, count };
  }
}
