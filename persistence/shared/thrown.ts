/** What was thrown, as an error, a sentence or a system's code. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Such as `ENOENT`; '' for an error without a code. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

export function isMissingFile(thrown: unknown): boolean {
  return codeOf(thrown) === 'ENOENT';
}
