/**
 * A socket's filter of an owner's messages: all, all but those of some tokens, or those of some
 * tokens.
 *
 * Invariant: a message that belongs to no token, such as a balance of cash, always passes.
 * Bound: `subscriptionsPerSocket`, which the session checks before it adds.
 */
export class TokenFilter {
  #isAll = false;
  /** The tokens that pass or, if `#isAll`, the tokens that do not. */
  readonly #tokenIds = new Set<string>();

  /** Whether the filter lets anything but cash pass. */
  get isSet(): boolean {
    return this.#isAll || this.#tokenIds.size > 0;
  }

  get wantsEverything(): boolean {
    return this.#isAll && this.#tokenIds.size === 0;
  }

  /** How many tokens the filter would name after adding some. */
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
