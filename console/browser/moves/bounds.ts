export const MOVE_BOUNDS = {
  /** Markets that are offered for a split. */
  markets: 20,
  searchCharacters: 200,
  amountCharacters: 30,
} as const;

/** How long a person may pause in a word that is searched for. */
export const TYPING_MS = 250;
