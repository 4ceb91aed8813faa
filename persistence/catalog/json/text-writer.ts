// Puts together a text with gaps, piece by piece. Invariant: that of CatalogText, kept by whoever
// adds the pieces.

import type { AuthorGap, CatalogText } from '../model/index.ts';

export class CatalogTextWriter {
  readonly #segments: string[] = [];
  readonly #gaps: AuthorGap[] = [];
  #segment = '';
  #chars = 0;

  /** Of what was added, without the gaps. */
  get chars(): number {
    return this.#chars;
  }

  add(text: string): void {
    this.#segment += text;
    this.#chars += text.length;
  }

  gap(gap: AuthorGap): void {
    this.#segments.push(this.#segment);
    this.#gaps.push(gap);
    this.#segment = '';
  }

  done(count: number): CatalogText {
    return { segments: [...this.#segments, this.#segment], gaps: this.#gaps, count };
  }
}

/** The members of an object, given as JSON, with a comma before each; nothing for an empty one. */
export function furtherMembers(record: string): string {
  return record.length <= 2 ? '' : `,${record.slice(1, -1)}`;
}
