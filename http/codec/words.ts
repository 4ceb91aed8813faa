/** Suggests the known word for a mistyped one. */

/** The form of the operator's bearer tokens: too long to be guessed, and fit for a header. */
const FORM = /^[!-~]{16,256}$/;

/** Completes "it must be". */
export const TOKEN_WORDS = '16 to 256 printable ASCII characters without spaces';

export function isOperatorToken(text: string): boolean {
  return FORM.test(text);
}

/** The Levenshtein distance: insertions, deletions and changes of letters. */
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

/** The edit distance; 1 if the word is a beginning of the known one, however much is missing. */
function distance(word: string, known: string): number {
  return word !== '' && word !== known && known.startsWith(word) ? 1 : editDistance(word, known);
}

/** Letters of a word that count: the distances of a longer one take too long. */
const LETTERS = 64;

/** The closest known word; the first of several. '' if none is known. */
export function closestWord(text: string, known: readonly string[]): string {
  const word = text.slice(0, LETTERS);
  return known.reduce(
    (best, candidate) => (distance(word, candidate) < distance(word, best) ? candidate : best),
    known[0] ?? '',
  );
}
