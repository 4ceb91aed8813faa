// Pieces of answers, kept while nothing is written to the catalog: the same events and markets
// stand in most answers. Invariant: what is kept is what would be made now, for any commit of
// another connection drops all of it; so the connection only reads, and who asks for pieces says
// first that a question begins. Bound: `CATALOG_BOUNDS.keptBytes` of pieces; what was not asked
// for longest goes first, and what is large is not kept.

import type { Database, Statement } from 'better-sqlite3';
import { CATALOG_BOUNDS } from './catalog-bounds.ts';
import type { Piece } from './catalog-pieces.ts';

/** More or less what a piece takes besides its bytes, and each of its markets. */
const PIECE_BYTES = 400;
const MARKET_BYTES = 150;

const bytesOf = ({ bytes, conditionIds }: Piece): number =>
  bytes.length + PIECE_BYTES + conditionIds.length * MARKET_BYTES;

export class PieceMemory {
  readonly #dataVersion: Statement<[], number>;
  /** By id, the one that was asked for last at the end. */
  readonly #kept = new Map<number, Piece>();
  #bytes = 0;
  #version = Number.NaN;

  constructor(database: Database) {
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** A question begins: from now on pieces are of its moment. */
  begin(): void {
    const version = this.#dataVersion.get() ?? Number.NaN;
    if (version === this.#version) return;
    this.#version = version;
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** The piece of that id: kept, or made; undefined where there is nothing of that id. */
  of(id: number, make: () => Piece | undefined): Piece | undefined {
    const known = this.#kept.get(id);
    if (known !== undefined) {
      this.#kept.delete(id);
      this.#kept.set(id, known);
      return known;
    }
    const piece = make();
    if (piece !== undefined && bytesOf(piece) <= CATALOG_BOUNDS.keptBytes / 16) {
      this.#kept.set(id, piece);
      this.#bytes += bytesOf(piece);
      this.#makeRoom();
    }
    return piece;
  }

  #makeRoom(): void {
    for (const [id, piece] of this.#kept) {
      if (this.#bytes <= CATALOG_BOUNDS.keptBytes) return;
      this.#kept.delete(id);
      this.#bytes -= bytesOf(piece);
    }
  }
}
