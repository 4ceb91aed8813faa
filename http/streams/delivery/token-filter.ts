/**
 * Which messages of an owner a socket wants: all, all but some tokens, or those of some tokens.
 *
 * Invariant: what belongs to no token, as cash does, is wanted in any case.
 * Bound: `subscriptionsPerSocket`, kept by whoever adds.
 */
export class TokenFilter {
  #isAll = false;
  /** What is wanted; of all, what is not. */
  readonly #tokenIds = new Set<string>();

  /** Whether anything was ever asked for and is not taken back. */
  get isSet(): boolean {
    return this.#isAll || this.#tokenIds.size > 0;
  }

  get wantsEverything(): boolean {
    return this.#isAll && this.#tokenIds.size === 0;
  }

  /** How many it would name after some more. */
  countWith(tokenIds: readonly string[]): number {
    return new Set([...this.#tokenIds, ...tokenIds]).size;
  }

  addAll(): void {
    this.#isAll = true;
    this.#tokenIds.clear();
  }

  dropAll(): void {
    this.#isAll = false;
    this.#tokenIds.clear();
  }

  add(tokenIds: readonly string[]): void {
    this.#change(tokenIds, !this.#isAll);
  }

  drop(tokenIds: readonly string[]): void {
    this.#change(tokenIds, this.#isAll);
  }

  wants(tokenIds: readonly string[]): boolean {
    return tokenIds.length === 0 || tokenIds.some((id) => this.#tokenIds.has(id) !== this.#isAll);
  }

  #change(tokenIds: readonly string[], isNamed: boolean): void {
    for (const tokenId of tokenIds) {
      if (isNamed) this.#tokenIds.add(tokenId);
      else this.#tokenIds.delete(tokenId);
    }
  }
}
