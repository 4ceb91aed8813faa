/** A broken invariant is our own mistake: it stops the process, it never trades on (design 5). */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws unless `holds`. The sentence says what must be true. */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new InvariantError(sentence);
}
