/**
 * The moment at which this process begins to give commands their order: an exchange of its own at
 * its start, and a node of a cluster when it becomes the core.
 *
 * Invariant: what begins then is begun once. A standby does it without opening anything again.
 */
import type { Logger } from '../http/runtime/index.ts';

export class Leadership {
  readonly #log: Pick<Logger, 'error'>;
  #begin: (() => Promise<void>) | undefined;
  #begun: Promise<void> | undefined;

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log;
  }

  /** `begin` is called once, when this process leads; now if it does so already. */
  async open(leads: boolean, begin: () => Promise<void>): Promise<void> {
    this.#begin = begin;
    if (leads) await this.#beginOnce();
  }

  /** This node of a cluster is the core from now on. */
  lead(): void {
    this.#beginOnce().catch((error: unknown) => {
      this.#log.error({ err: error }, 'the new core could not create all markets of the catalog');
    });
  }

  /** Before `open` nothing begins: `open` knows by itself whether this process leads. */
  async #beginOnce(): Promise<void> {
    this.#begun ??= this.#begin?.();
    await this.#begun;
  }
}
