/**
 * Requests that wait until a second operator sends the same one.
 *
 * Invariant: the two are different operators, and the first still has the role when the second
 * asks. A request that waits has changed nothing, so one that is forgotten is only asked for again:
 * they are kept in memory, for `HTTP_BOUNDS.approvalMs`.
 * Bound: `HTTP_BOUNDS.waitingApprovals`; beyond it the oldest is forgotten.
 */
import { HTTP_BOUNDS } from '../bounds/sizes.ts';

/** Who asks, and why. */
export interface Asking {
  readonly by: string;
  readonly reason: string;
}

/** Who asked first, and who approved it, each with a reason. */
export interface Approval extends Asking {
  readonly approval: Asking;
}

export interface Waiting<Request> extends Asking {
  readonly request: Request;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Where requests wait for a second operator: in this process, or at the core of a cluster. */
export interface ApprovalDesk<Request extends object> {
  /**
   * The approval, if another operator asked for the same; otherwise the request waits, or goes on
   * waiting, and the result is undefined. `permitted`: the operators who have the role now.
   */
  ask(
    request: Request,
    asking: Asking,
    now: { readonly nowMs: number; readonly permitted: readonly string[] },
  ): Approval | undefined | Promise<Approval | undefined>;
  /** What waits, oldest first. */
  list(nowMs: number): readonly Waiting<Request>[] | Promise<readonly Waiting<Request>[]>;
}

export class Approvals<Request extends object> implements ApprovalDesk<Request> {
  /** The keys are the requests as JSON; the oldest request is first. */
  readonly #waiting = new Map<string, Waiting<Request>>();

  ask(
    request: Request,
    { by, reason }: Asking,
    { nowMs, permitted }: { readonly nowMs: number; readonly permitted: readonly string[] },
  ): Approval | undefined {
    this.#forgetExpired(nowMs);
    const key = JSON.stringify(request);
    const first = this.#waiting.get(key);
    if (first?.by === by) return undefined;
    this.#waiting.delete(key);
    if (first !== undefined && permitted.includes(first.by)) {
      return { by: first.by, reason: first.reason, approval: { by, reason } };
    }
    const untilMs = nowMs + HTTP_BOUNDS.approvalMs;
    this.#waiting.set(key, { request, by, reason, sinceMs: nowMs, untilMs });
    const [oldest = key] = this.#waiting.keys();
    if (this.#waiting.size > HTTP_BOUNDS.waitingApprovals) this.#waiting.delete(oldest);
    return undefined;
  }

  list(nowMs: number): readonly Waiting<Request>[] {
    this.#forgetExpired(nowMs);
    return [...this.#waiting.values()];
  }

  #forgetExpired(nowMs: number): void {
    for (const [key, { untilMs }] of this.#waiting) if (untilMs <= nowMs) this.#waiting.delete(key);
  }
}
