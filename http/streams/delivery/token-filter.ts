/**
 * A socket's filter of an owner's messages. It passes all messages, all except those of some
 * tokens, or only those of some tokens.
 *
 * Invariant: a message that belongs to no token, such as a balance of cash, always passes.
 * Bound: `subscriptionsPerSocket`, which the session checks before it adds.
 */
export class TokenFilter {
  #isAll = false;
  /** The tokens that pass or, if `#isAll`, the tokens that do not. */
  readonly #tokenIds = new Set<string>();

  /** Whether the filter passes anything besides cash. */
  get isSet(): boolean {
    return this.#isAll || this.#tokenIds.size > 0;
  }

  get named(): readonly string[] {
    return this.#isAll ? [] : [...this.#tokenIds];
  }

  get wantsEverything(): boolean {
    return this.#isAll && this.#tokenIds.size === 0;
  }

  get size(): number {
    return this.#tokenIds.size;
  }

  /** The most tokens that the filter can name after it adds or drops these. */
  countWith(tokenIds: readonly string[]): number {
    const added = new Set(tokenIds.filter((tokenId) => !this.#tokenIds.has(tokenId)));
    return this.#tokenIds.size + added.size;
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
