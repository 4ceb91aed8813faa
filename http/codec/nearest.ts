/** Finds what a mistyped word was probably meant to be. */

/** How many letters have to be put in, taken out or changed to make one word of the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** A word that goes on as the known one does is one step away, however much is missing. */
function distance(word: string, known: string): number {
  return word !== '' && word !== known && known.startsWith(word) ? 1 : editDistance(word, known);
}

/** The known word with the fewest letters changed; the first of several. '' when none is known. */
export function nearestTo(word: string, known: readonly string[]): string {
  return known.reduce(
    (best, candidate) => (distance(word, candidate) < distance(word, best) ? candidate : best),
    known[0] ?? '',
  );
}
