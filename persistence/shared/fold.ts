// How texts are made comparable for searches: whatever the language, case and accents don't count,
// nor which of several spellings Unicode has for the same letters.
// Invariant: what a person takes for the same letters folds to the same text; folding twice
// changes nothing. Pure.

/** Accents of Latin, Greek and Cyrillic; other scripts' marks tell words apart, and stay. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * By way of the upper case: "ß" becomes "ss" only there, and a final sigma the usual one. Before it
 * the lower case: "ẞ" becomes "ß" only there, and is its own upper case.
 */
function foldAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

export function foldText(text: string): string {
  // The same, and most texts are so.
  return isAscii(text) ? text.toLowerCase() : foldAny(text);
}

/** The words of a query, folded, each once; the longest first, for they tell most apart. */
export function wordsOf(text: string): string[] {
  return [...new Set(foldText(text).split(/\s+/u))]
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length);
}

/** Its characters as people count them: a pair of surrogates is one. */
export function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** A character or two as a token that the tokenizer keeps as it is. */
export function gramToken(characters: readonly string[]): string {
  return characters.map((character) => (character.codePointAt(0) ?? 0).toString(36)).join('q');
}

/** The tokens of all that a query of one or two characters could name, each once. */
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
