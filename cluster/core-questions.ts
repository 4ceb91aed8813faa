/**
 * What a node asks its core over the feed, as JSON. The core asks itself in the same way.
 *
 * Invariant: a refusal of the core reaches the client as it is. Nodes that talk to each other run
 * the same version of the program (the feed checks it), so neither side checks the other's JSON.
 */

import type { Caller } from '../http/api/index.ts';
import { ApiError, type ErrorCode, type ErrorDetails, toApiError } from '../http/errors/index.ts';
import {
  type Approval,
  type ApprovalDesk,
  Approvals,
  type Asking,
  type Waiting,
} from '../http/operators/approvals.ts';
import type { DeadMansSwitches, Heartbeats } from '../http/orders/heartbeats.ts';
import type { ClusterNode } from './cluster.ts';

type Told<Answer> =
  | { readonly done: Answer }
  | { readonly refused: ErrorCode; readonly details: ErrorDetails };

export interface Question<Asked, Answer> {
  readonly kind: string;
  /** Never called: it only keeps the types. */
  readonly types?: (asked: Asked) => Answer;
}

/** Rejects with the `ApiError` of the core, or with StoreError `no_core`. */
async function askCore<Asked, Answer>(
  node: Pick<ClusterNode, 'request'>,
  { kind }: Question<Asked, Answer>,
  asked: Asked,
): Promise<Answer> {
  const bytes = await node.request(kind, Buffer.from(JSON.stringify(asked)));
  // Safe: `answerAtCore` made it.
  const told = JSON.parse(bytes.toString()) as Told<Answer>;
  if ('done' in told) return told.done;
  throw new ApiError(told.refused, told.details);
}

function answerAtCore<Asked, Answer>(
  node: Pick<ClusterNode, 'handle'>,
  { kind }: Question<Asked, Answer>,
  answer: (asked: Asked) => Answer | Promise<Answer>,
): void {
  node.handle(kind, async (body) => {
    // Safe: `askCore` made it.
    const asked = JSON.parse(body.toString()) as Asked;
    return Buffer.from(JSON.stringify(await told(() => answer(asked))));
  });
}

async function told<Answer>(answer: () => Answer | Promise<Answer>): Promise<Told<Answer>> {
  try {
    return { done: await answer() };
  } catch (failure) {
    const refusal = toApiError(failure);
    if (refusal === undefined) throw failure;
    return { refused: refusal.code, details: refusal.details };
  }
}

// Dead man's switches in a cluster: the core counts the heartbeats, and every other node passes
// them on.
//
// Invariant: only the core trips switches. A node that becomes the core gives every armed switch a
// new window, as a restart does.

type Beat = Pick<Caller, 'owner' | 'apiKey'> & { readonly id: string };

/** One heartbeat; answered with the id of the next one. */
const BEAT: Question<Beat, string> = { kind: 'beat' };

interface CoreHeartbeatsOptions {
  readonly node: Pick<ClusterNode, 'request' | 'handle'>;
  /** The switches of this process, with those that are armed now. Called when it is the core. */
  readonly begin: () => Heartbeats;
}

export class CoreHeartbeats implements DeadMansSwitches {
  readonly #options: CoreHeartbeatsOptions;
  #own: Heartbeats | undefined;
  #isStopped = false;

  constructor(options: CoreHeartbeatsOptions) {
    this.#options = options;
    answerAtCore(options.node, BEAT, ({ id, ...caller }) => this.#switches().beat(caller, id));
  }

  /** This node is the core from now on. */
  lead(): void {
    this.#switches();
  }

  beat({ owner, apiKey }: Caller, id: string): Promise<string> {
    return askCore(this.#options.node, BEAT, { owner, apiKey, id });
  }

  stop(): void {
    this.#isStopped = true;
    this.#own?.stop();
  }

  #switches(): Heartbeats {
    this.#own ??= this.#options.begin();
    if (this.#isStopped) this.#own.stop();
    return this.#own;
  }
}

// Requests that wait for a second operator, kept by the core, so that the two operators may ask at
// different nodes.
//
// Invariant: as without a cluster, what waits is forgotten when the process that keeps it ends, and
// after a takeover the first operator asks again.

interface Asked<Request> {
  readonly request: Request;
  readonly asking: Asking;
  /** The operators who may ask for it now, as the asking node knows them. */
  readonly permitted: readonly string[];
}

interface CoreApprovalsOptions {
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
