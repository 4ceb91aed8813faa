/**
 * Folds texts for searches: case, accents, typographic quotes and dashes, and Unicode's alternative
 * spellings of the same letters do not matter, in any language. Invariant: folding twice changes
 * nothing.
 */

/** Accents of Latin, Greek and Cyrillic. The marks of other scripts tell words apart and stay. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Typographic characters, by the one that a keyboard has. */
const PUNCTUATION = [
  ["'", /[\u02b9\u02bc\u2018-\u201b\u2032]/g],
  ['"', /[\u00ab\u00bb\u201c-\u201f\u2033]/g],
  ['-', /[\u2010-\u2015\u2212]/g],
] as const;

function plainPunctuation(text: string): string {
  return PUNCTUATION.reduce((plain, [key, pattern]) => plain.replace(pattern, key), text);
}

/**
 * Lower case, then upper, then lower: the first turns "ẞ" into "ß", and upper case turns "ß" into
 * "SS" and a final sigma into the usual one.
 */
function foldAny(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replaceAll('ς', 'σ');
  return plainPunctuation(folded).normalize('NFC');
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

export function foldText(text: string): string {
  // The same result for most texts, but faster.
  return isAscii(text) ? text.toLowerCase() : foldAny(text);
}

/** The distinct folded words of a query, the longest first because they select the most. */
export function wordsOf(text: string): string[] {
  return [...new Set(foldText(text).split(/\s+/u))]
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length);
}

/** The characters of a text; a pair of surrogates is one. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** One or two characters as a token that SQLite's tokenizer leaves unchanged. */
export function gramToken(characters: readonly string[]): string {
  return characters.map((character) => (character.codePointAt(0) ?? 0).toString(36)).join('q');
}

/** The tokens of every one- and two-character query that finds the text. */
export function gramsOf(foldedText: string): string {
  const grams = new Set<string>();
  for (const word of foldedText.split(/\s+/u)) {
    const characters = charactersOf(word);
    characters.forEach((character, index) => {
      grams.add(gramToken([character]));
      const next = characters[index + 1];
      if (next !== undefined) grams.add(gramToken([character, next]));
    });
  }
  return [...grams].join(' ');
}
