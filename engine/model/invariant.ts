/**
 * An assumption of our own that does not hold. It stops the process: the engine never trades on.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws InvariantError unless `holds`. The sentence says what must be true. */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new InvariantError(sentence);
}
