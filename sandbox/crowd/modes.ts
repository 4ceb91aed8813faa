/**
 * What the crowd does in each market, as the settings and the operator say. The operator's word
 * outlives the crowd itself: it still holds after a checkpoint is restored.
 *
 * Bound: one entry for each market that a request named.
 */
import type { CrowdMode } from '../../http/settings/index.ts';

export class CrowdModes {
  #general: CrowdMode;
  readonly #own = new Map<string, CrowdMode>();

  constructor(general: CrowdMode) {
    this.#general = general;
  }

  /** The mode of markets without one of their own, also of new ones. */
  get general(): CrowdMode {
    return this.#general;
  }

  /** Whether the crowd has nothing to do anywhere. */
  get isOff(): boolean {
    return this.#general === 'off' && [...this.#own.values()].every((mode) => mode === 'off');
  }

  of(conditionId: string): CrowdMode {
    return this.#own.get(conditionId) ?? this.#general;
  }

  /** Sets the mode of a market, or with '' of all markets. */
  set(conditionId: string, mode: CrowdMode): void {
    if (conditionId !== '') {
      this.#own.set(conditionId, mode);
      return;
    }
    this.#general = mode;
    this.#own.clear();
  }
}
