/** The form of the operator's bearer tokens: too long to be guessed, and fit for a header. */
const FORM = /^[!-~]{16,256}$/;

/** Completes "it must be". */
export const TOKEN_WORDS = '16 to 256 printable ASCII characters without spaces';

export function isOperatorToken(text: string): boolean {
  return FORM.test(text);
}
