/**
 * What a node asks its core over the feed, as JSON. The core asks itself in the same way.
 *
 * Invariant: a refusal of the core reaches the client as it is. Nodes that talk to each other run
 * the same version of the program (the feed checks it), so neither side checks the other's JSON.
 */

import { ApiError, type ErrorCode, type ErrorDetails, toApiError } from '../http/errors/index.ts';
import type { ClusterNode } from './cluster.ts';

type Told<Answer> =
  | { readonly done: Answer }
  | { readonly refused: ErrorCode; readonly details: ErrorDetails };

/** A kind of question: what is asked, and what is answered, as JSON can hold it. */
export interface Question<Asked, Answer> {
  readonly kind: string;
  /** Never called: it only keeps the types. */
  readonly types?: (asked: Asked) => Answer;
}

/** Rejects with the `ApiError` of the core, or with StoreError `no_core`. */
export async function askCore<Asked, Answer>(
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

/** Answers the questions of a kind while this node is the core. */
export function answerAtCore<Asked, Answer>(
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
