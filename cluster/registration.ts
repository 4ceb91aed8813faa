/**
 * What nodes tell each other through the log: how far a core or standby has synced, so that entries
 * are kept for it, where its feed is, and whether gateways look for a core there, because they
 * can't reach theirs. A core that no gateway reaches learns so that it must give its place away.
 *
 * Invariant: a gateway knocks at standbys only while it has no core. Bound: one round of knocks.
 */
import { type LogPosition, monotonicMs, type ReplicatedLog } from './log/index.ts';

const PACE = {
  /** The interval at which a core or standby notes what it has synced. */
  keepMs: 2_000,
  /** A gateway without a core for so long knocks at standbys, again after the same time. */
  seekMs: 2_000,
} as const;

export interface RegistrationOptions {
  readonly role: 'core' | 'gateway' | 'standby';
  readonly log: Pick<ReplicatedLog, 'keepFor' | 'registered'>;
  /** Connects to the feed at an address and leaves; rejects if it is not the core's. */
  readonly knock: (feedAddress: string) => Promise<void>;
}

export class Registration {
  readonly #options: RegistrationOptions;
  #keptAtMs = Number.NEGATIVE_INFINITY;
  #soughtAtMs = Number.NEGATIVE_INFINITY;
  #hadCoreAtMs = monotonicMs();

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** A gateway has looked for a core here. */
  noteSeeker(): void {
    this.#soughtAtMs = monotonicMs();
  }

  /** Notes what this node has synced. Returns whether gateways look for a core elsewhere. */
  async keep(synced: LogPosition): Promise<boolean> {
    const { role, log } = this.#options;
    const nowMs = monotonicMs();
    if (role === 'gateway' || nowMs - this.#keptAtMs < PACE.keepMs) return false;
    this.#keptAtMs = nowMs;
    const isSought = nowMs - this.#soughtAtMs < 2 * PACE.seekMs;
    const others = await log.keepFor(synced, isSought);
    return others.some((other) => other.isSought);
  }

  /** This node has a core. */
  noteCore(): void {
    this.#hadCoreAtMs = monotonicMs();
  }

  /** Knocks at the standbys, if this gateway has not reached the core for long. */
  async seek(coreAddress: string): Promise<void> {
    const { role, log, knock } = this.#options;
    if (role !== 'gateway' || monotonicMs() - this.#hadCoreAtMs < PACE.seekMs) return;
    this.noteCore();
    for (const { feedAddress } of await log.registered()) {
      if (feedAddress === coreAddress) continue;
      // That it is not the core, or not there, is expected.
      knock(feedAddress).catch(() => undefined);
    }
  }
}
