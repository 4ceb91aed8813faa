/**
 * Dead man's switches in a cluster: the core counts the heartbeats, and every other node passes
 * them on.
 *
 * Invariant: only the core trips switches. A node that becomes the core gives every armed switch a
 * new window, as a restart does.
 */

import type { Caller } from '../http/api/index.ts';
import type { DeadMansSwitches, Heartbeats } from '../http/orders/heartbeats.ts';
import type { ClusterNode } from './cluster.ts';
import { answerAtCore, askCore, type Question } from './core-questions.ts';

type Beat = Pick<Caller, 'owner' | 'apiKey'> & { readonly id: string };

/** One heartbeat; answered with the id of the next one. */
const BEAT: Question<Beat, string> = { kind: 'beat' };

export interface CoreHeartbeatsOptions {
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
