/**
 * Requests that wait for a second operator, kept by the core, so that the two operators may ask at
 * different nodes.
 *
 * Invariant: as without a cluster, what waits is forgotten when the process that keeps it ends, and
 * after a takeover the first operator asks again.
 */

import {
  type Approval,
  type ApprovalDesk,
  Approvals,
  type Asking,
  type Waiting,
} from '../http/operators/approvals.ts';
import type { ClusterNode } from './cluster.ts';
import { answerAtCore, askCore, type Question } from './core-questions.ts';

interface Asked<Request> {
  readonly request: Request;
  readonly asking: Asking;
  /** The operators who may ask for it now, as the asking node knows them. */
  readonly permitted: readonly string[];
}

export interface CoreApprovalsOptions {
  readonly node: Pick<ClusterNode, 'request' | 'handle'>;
  /** The time at the core, in milliseconds. */
  readonly now: () => number;
}

export class CoreApprovals<Request extends object> implements ApprovalDesk<Request> {
  readonly #node: Pick<ClusterNode, 'request'>;
  readonly #ask: Question<Asked<Request>, Approval | null> = { kind: 'approval' };
  readonly #list: Question<object, readonly Waiting<Request>[]> = { kind: 'approvals' };

  constructor({ node, now }: CoreApprovalsOptions) {
    this.#node = node;
    const own = new Approvals<Request>();
    answerAtCore(node, this.#ask, ({ request, asking, permitted }) => {
      const approval = own.ask(request, asking, { nowMs: now(), permitted });
      return approval ?? null;
    });
    answerAtCore(node, this.#list, () => own.list(now()));
  }

  async ask(
    request: Request,
    asking: Asking,
    { permitted }: { readonly permitted: readonly string[] },
  ): Promise<Approval | undefined> {
    const approval = await askCore(this.#node, this.#ask, { request, asking, permitted });
    return approval ?? undefined;
  }

  list(): Promise<readonly Waiting<Request>[]> {
    return askCore(this.#node, this.#list, {});
  }
}
