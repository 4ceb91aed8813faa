/**
 * The faults of the sandbox. Each place of the program that can fail on demand is a site; it checks
 * `isArmed` and, while that is true, asks with `fire` whether a kind of fault fires for what it
 * does.
 *
 * Invariant: a fault changes what a client is told, or acts by a journaled command; it never
 * changes the journal's truth. Without faults a site costs one property check.
 * Bound: `FAULT_BOUNDS.faults`.
 */
import type { Static, TProperties, Type } from 'typebox';
import { ApiError } from '../../http/errors/index.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import { Fault, type FaultDefinition } from './fault.ts';
import { FAULT_SITES, type FaultKind, type FaultSiteName } from './kind.ts';
import type { FaultSubject } from './match.ts';

/** A fault that may fire now. */
export interface FaultCandidate<Parameters extends TProperties> {
  readonly fault: Fault;
  readonly parameters: Static<Type.TObject<Parameters>>;
  /** How long ago the fault began, and until it ends, by the exchange's clock. */
  readonly sinceMs: number;
  readonly leftMs: number;
}

/** A fault that fires. */
export interface Firing<Parameters extends TProperties> extends FaultCandidate<Parameters> {
  /** Says in the list of hits what was done. */
  note(done: string): void;
}

/** Told of the faults of a site, by a site whose faults act outside the calls of `fire`. */
export interface FaultObserver {
  added(fault: Fault): void;
  /** Called when a fault is removed: its effects end. */
  removed(id: string): void;
}

export class FaultSite {
  /** Whether any fault may fire here. */
  isArmed = false;
  observer: FaultObserver | undefined;
  readonly #now: () => number;
  #faults: readonly Fault[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The oldest fault of a kind that fires for the subject. Each call counts as one match of every
   * fault that was asked: up to and including the one that fires. A fault that `concerns` does not
   * accept is not asked.
   */
  fire<Parameters extends TProperties>(
    kind: FaultKind<Parameters>,
    subject: FaultSubject,
    concerns: (candidate: FaultCandidate<Parameters>) => boolean = () => true,
  ): Firing<Parameters> | undefined {
    if (!this.isArmed) return undefined;
    const nowMs = this.#now();
    for (const fault of this.#faults) {
      if (fault.definition.kind.name !== kind.name) continue;
      const candidate = {
        fault,
        // Safe: the definition was checked with the schema of its kind.
        parameters: fault.definition.parameters as Static<Type.TObject<Parameters>>,
        sinceMs: nowMs - fault.fromMs,
        leftMs: fault.untilMs - nowMs,
      };
      if (!concerns(candidate)) continue;
      const hit = fault.fire(subject, nowMs);
      if (hit === undefined) continue;
      if (fault.isSpent) this.replace(this.#faults);
      return {
        ...candidate,
        note: (done) => {
          hit.done = done;
        },
      };
    }
    return undefined;
  }

  /** The faults that may fire here from now on. */
  replace(faults: readonly Fault[]): void {
    this.#faults = faults.filter(({ isSpent }) => !isSpent);
    this.isArmed = this.#faults.length > 0;
  }
}

export class FaultRegistry {
  readonly sites: Readonly<Record<FaultSiteName, FaultSite>>;
  /** Called when the exchange's clock was moved. Resolves when what was due has happened. */
  onTimeMoved: () => Promise<void> = async () => {};
  readonly #now: () => number;
  readonly #faults = new Map<string, Fault>();
  #created = 0;

  /** `now` is the exchange's clock. */
  constructor(now: () => number) {
    this.#now = now;
    this.sites = {
      request: new FaultSite(now),
      stream: new FaultSite(now),
      trade: new FaultSite(now),
    };
  }

  /** The exchange's clock. */
  get nowMs(): number {
    return this.#now();
  }

  /** All faults, also those that are over, the oldest first. */
  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  /** Throws `too_many_faults`. */
  add(definition: FaultDefinition): Fault {
    const { faults: limit } = FAULT_BOUNDS;
    if (this.#faults.size >= limit) {
      throw new ApiError('too_many_faults', { limit, actual: this.#faults.size });
    }
    this.#created += 1;
    const fault = new Fault(String(this.#created), definition, this.#now());
    this.#faults.set(fault.id, fault);
    this.#arm();
    this.#siteOf(fault).observer?.added(fault);
    return fault;
  }

  /** Removes a fault and lets go of what it holds back; undefined if there is none. */
  remove(id: string): Fault | undefined {
    const fault = this.#faults.get(id);
    if (fault === undefined) return undefined;
    this.#faults.delete(id);
    this.#arm();
    this.#end(fault);
    return fault;
  }

  /** Removes all faults. */
  clear(): readonly Fault[] {
    const removed = this.faults;
    this.#faults.clear();
    this.#arm();
    for (const fault of removed) this.#end(fault);
    return removed;
  }

  #siteOf({ definition }: Fault): FaultSite {
    return this.sites[definition.kind.site];
  }

  #end(fault: Fault): void {
    fault.remove();
    this.#siteOf(fault).observer?.removed(fault.id);
  }

  #arm(): void {
    for (const name of FAULT_SITES) {
      const faults = this.faults.filter(({ definition }) => definition.kind.site === name);
      this.sites[name].replace(faults);
    }
  }
}
