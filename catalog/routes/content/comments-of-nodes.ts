/**
 * Publishes the comments and reactions that were written at other nodes of a cluster, so that a
 * subscriber gets all of them whichever gateway it is connected to. Those of this node are
 * published by their routes.
 *
 * Invariant: a change is published after this node's catalog has it, in the order of the log.
 */

import type { Services } from '../../../http/services/index.ts';
import type { CommentMessageType } from '../../../http/streams/live/request.ts';
import type { AppliedWrite, CommentChange, MODERATIONS } from '../../../persistence/index.ts';
import { publishChange } from './content-input.ts';

type Publishers = Pick<Services, 'exchange' | 'registry' | 'liveMarkets' | 'comments' | 'log'>;

type Act = (typeof MODERATIONS)[number];

/** The message of the live-data socket for each moderation. */
export const MODERATION_MESSAGES = {
  hide: 'comment_removed',
  unhide: 'comment_created',
  remove: 'comment_removed',
} as const satisfies Readonly<Record<Act, CommentMessageType>>;

function messageOf({ kind, question }: AppliedWrite): CommentMessageType | undefined {
  switch (kind) {
    case 'comment':
      return 'comment_created';
    case 'removeComment':
      return 'comment_removed';
    case 'react':
      return 'reaction_created';
    case 'unreact':
      return 'reaction_removed';
    case 'moderateComment':
      return MODERATION_MESSAGES[(question as { readonly act: Act }).act]; // safe: by its kind
    default:
      return undefined;
  }
}

export class CommentsOfNodes {
  #services: Publishers | undefined;
  /** Settles when the last change is published. */
  #last: Promise<void> = Promise.resolve();

  /** Nobody is subscribed before. */
  open(services: Publishers): void {
    this.#services = services;
  }

  consume(applied: AppliedWrite): void {
    const services = this.#services;
    const type = messageOf(applied);
    if (services === undefined || type === undefined || applied.result.kind !== 'answer') return;
    const change = applied.result.value as CommentChange; // safe: the answer of these kinds
    this.#last = this.#last.then(async () => {
      try {
        await publishChange(type, change, services);
      } catch (error) {
        services.log.warn({ err: error }, 'a comment of another node could not be published');
      }
    });
  }
}
