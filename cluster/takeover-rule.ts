/**
 * Decides when a node becomes the core: a standby when the log has been silent or its core has
 * resigned, and a core at its start, which is refused while another one is alive.
 */

import { STORE_PACE, type StoreError } from '../persistence/shared/index.ts';
import type { ClusterOptions } from './cluster.ts';
import { type LogView, monotonicMs } from './log/index.ts';
import { aliveCore, clockAhead, diskHangs, lacksContent } from './node-errors.ts';
import { NODE_PACE } from './node-options.ts';

interface SilenceOptions {
  /** From this duration on, the log is silent. */
  readonly silentMs: number;
  /** A look that took longer does not count. */
  readonly slowMs: number;
}

/**
 * How long the log has been silent, as a standby sees it that reads the log again and again: the
 * time between the first and the last of several looks that found the same holder and newest
 * entry, each answered quickly. A slow or failed look says that etcd is in trouble, and not that
 * the core is gone: the count starts again.
 */
class LogSilence {
  readonly #options: SilenceOptions;
  #seen: { readonly epoch: number; readonly number: number } | undefined;
  #sinceMs = 0;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** The next look is the first one. */
  reset(): void {
    this.#seen = undefined;
  }

  /**
   * A look found this holder and this newest entry. Returns whether the log has been silent for
   * long enough. A new holder has the time of a silence to write its first entry.
   */
  note({ holder: { epoch }, head: { number } }: LogView, startedMs: number, endedMs: number) {
    const { silentMs, slowMs } = this.#options;
    if (endedMs - startedMs > slowMs) {
      this.reset();
      return false;
    }
    if (this.#seen?.number !== number || this.#seen.epoch !== epoch) {
      this.#seen = { epoch, number };
      // The entry may have been written up to the end of this look, but not after it.
      this.#sinceMs = endedMs;
      return false;
    }
    return startedMs - this.#sinceMs >= silentMs;
  }
}

export interface TakeoverRuleOptions {
  readonly role: ClusterOptions['role'];
  readonly hasAllContent: () => boolean;
  /** How long its disk has not answered. */
  readonly diskSilenceMs: () => number;
  readonly now: () => number;
  /** How far its clock may be ahead of the core's. */
  readonly clockJumpMs: number;
  /** It does not claim for this reason, although the log is silent. */
  readonly onHindered: (why: StoreError) => void;
}

export class TakeoverRule {
  readonly #options: TakeoverRuleOptions;
  readonly #silence = new LogSilence({
    silentMs: NODE_PACE.silentMs,
    slowMs: NODE_PACE.slowLookMs,
  });
  /** The time of the core when it was last heard, and when that was. */
  #coreTime: { readonly wallMs: number; readonly atMs: number } | undefined;
  /** The newest entry at the first look. */
  #firstNumber: number | undefined;

  constructor(options: TakeoverRuleOptions) {
    this.#options = options;
  }

  noteCoreTime(wallMs: number): void {
    this.#coreTime = { wallMs, atMs: monotonicMs() };
  }

  /** The core was heard, or etcd did not answer: the count of the silence begins anew. */
  reset(): void {
    this.#silence.reset();
  }

  /** Throws StoreError `log_refused` if this node must not be started as a core. */
  isToClaim(view: LogView, startedMs: number): boolean {
    const { holder, head } = view;
    const { role, onHindered } = this.#options;
    if (role === 'gateway') return false;
    if (holder.epoch === 0) return role === 'core';
    const isFree = this.#silence.note(view, startedMs, monotonicMs()) || holder.hasResigned;
    this.#firstNumber ??= head.number;
    const isAlive = head.number !== this.#firstNumber && !holder.hasResigned;
    if (role === 'core' && isAlive) throw aliveCore(holder);
    const why = isFree ? this.#hindrance() : undefined;
    if (why === undefined) return isFree;
    if (role === 'core') throw why;
    onHindered(why);
    return false;
  }

  #hindrance(): StoreError | undefined {
    const { role, hasAllContent, diskSilenceMs, now, clockJumpMs } = this.#options;
    if (!hasAllContent()) return lacksContent(role);
    if (diskSilenceMs() > STORE_PACE.hangMs) return diskHangs();
    if (this.#coreTime === undefined) return undefined;
    const { wallMs, atMs } = this.#coreTime;
    const leadMs = now() - (wallMs + monotonicMs() - atMs);
    return leadMs > clockJumpMs ? clockAhead(leadMs, clockJumpMs) : undefined;
  }
}
