/**
 * An assumption of the code does not hold. The process stops, so that it never trades on a wrong
 * state.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws InvariantError unless `holds`. The sentence says what must be true. */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new InvariantError(sentence);
}
