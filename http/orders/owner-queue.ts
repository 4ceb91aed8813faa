/**
 * One queue of writes for each owner. The writes of an owner are carried out in the order in which
 * their requests arrived, although each is prepared (its signatures are checked) at its own pace.
 * Owners never wait for each other.
 *
 * Invariant: a write is carried out after all earlier writes of its owner. Carrying out is
 * synchronous, so the commands of one write are contiguous, except those of `enqueueSteps`.
 * Bound: `HTTP_BOUNDS.pendingWritesPerOwner` writes of an owner.
 */

import type { Command } from '../../engine/index.ts';
import type { Applied, Exchange } from '../../persistence/index.ts';
import type { Caller, RequestTrace, Sender } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { overloadedBy } from '../errors/index.ts';

/** Measures the intake of orders. Invariant: without an observer nothing is timed. */
export interface IntakeObserver {
  /** An order's signature was checked, `durationMs` after it was queued for the verifiers. */
  verified(durationMs: number): void;
  /** A write was carried out, `durationMs` after it was prepared. */
  waited(durationMs: number): void;
}

// Whose write it is: for the queues, for fairness, and for the trace of its request.

/** The owner, and the trace of the request that brought the write. */
export type Writer = Pick<Caller, 'owner' | 'trace'>;

/** The owner, and the key that must not be revoked when its turn comes. */
export type KeyUser = Writer & Pick<Caller, 'apiKey'>;

export function senderOfCaller({ address = '', owner }: Caller): Sender {
  return { address, owner };
}

/** Submits a command before it returns. The trace notes the command's way. */
export function submitFor(
  { trace }: Writer,
  exchange: Pick<Exchange, 'submit'>,
  command: Command,
  evidence?: unknown,
): Promise<Applied> {
  if (trace === undefined) return exchange.submit(command, evidence);
  return trace.follow(command, () => exchange.submit(command, evidence));
}

/** One write in its owner's queue; `act` is set when it is prepared. */
interface QueuedWrite {
  act: (() => void) | undefined;
  next: QueuedWrite | undefined;
}

interface OwnerQueue {
  first: QueuedWrite | undefined;
  last: QueuedWrite | undefined;
  length: number;
  /** Whether a write of several steps is being carried out. */
  isHeld: boolean;
}

const NOTHING_TO_PREPARE = Promise.resolve();

export class OwnerQueues {
  readonly #queues = new Map<string, OwnerQueue>();
  readonly #observer: Pick<IntakeObserver, 'waited'> | undefined;

  constructor(observer?: Pick<IntakeObserver, 'waited'>) {
    this.#observer = observer;
  }

  /**
   * Takes a place in the owner's queue now, and calls `act` when the write is prepared and all
   * earlier ones have acted. Rejects with what the preparation or `act` throws, or with
   * `overloaded` when the queue is full.
   */
  enqueue<Prepared, Result>(
    { owner, trace }: Writer,
    prepared: Promise<Prepared>,
    act: (prepared: Prepared) => Result,
  ): Promise<Result> {
    const queue = this.#queueOf(owner);
    const limit = HTTP_BOUNDS.pendingWritesPerOwner;
    if (queue.length >= limit) {
      // Its failure has no other handler, and an unhandled one would end the process.
      prepared.catch(() => {});
      return Promise.reject(overloadedBy('pendingWritesPerOwner', limit, queue.length));
    }
    const write = append(queue);
    return new Promise((resolve, reject) => {
      const arm = (action: () => void): void => {
        write.act = this.#timed(action, trace);
        this.#advance(owner, queue);
      };
      prepared.then(
        (value) => arm(() => settle(() => act(value), resolve, reject)),
        (failure: unknown) => arm(() => reject(failure)),
      );
    });
  }

  /**
   * Carries out a write of several steps: later writes of the owner wait until what `act` returns
   * has settled. Other owners are served between the steps.
   */
  async enqueueSteps<Result>(writer: Writer, act: () => Promise<Result>): Promise<Result> {
    return await this.enqueue(writer, NOTHING_TO_PREPARE, () => {
      const { owner } = writer;
      const queue = this.#queueOf(owner);
      queue.isHeld = true;
      const release = (): void => {
        queue.isHeld = false;
        this.#advance(owner, queue);
      };
      const done = act();
      done.then(release, release);
      return done;
    });
  }

  #timed(action: () => void, trace: RequestTrace | undefined): () => void {
    const observer = this.#observer;
    if (observer === undefined && trace === undefined) return action;
    const sinceMs = performance.now();
    return () => {
      const nowMs = performance.now();
      observer?.waited(nowMs - sinceMs);
      trace?.waited(sinceMs, nowMs);
      action();
    };
  }

  #queueOf(owner: string): OwnerQueue {
    const known = this.#queues.get(owner);
    if (known !== undefined) return known;
    const queue: OwnerQueue = { first: undefined, last: undefined, length: 0, isHeld: false };
    this.#queues.set(owner, queue);
    return queue;
  }

  /** Carries out the prepared writes at the front of the queue. */
  #advance(owner: string, queue: OwnerQueue): void {
    while (!queue.isHeld && queue.first?.act !== undefined) {
      const { act, next }: QueuedWrite = queue.first;
      queue.first = next;
      queue.length -= 1;
      act();
    }
    if (queue.first === undefined && !queue.isHeld) this.#queues.delete(owner);
  }
}

function append(queue: OwnerQueue): QueuedWrite {
  const write: QueuedWrite = { act: undefined, next: undefined };
  if (queue.first === undefined || queue.last === undefined) queue.first = write;
  else queue.last.next = write;
  queue.last = write;
  queue.length += 1;
  return write;
}

function settle<Result>(
  act: () => Result,
  resolve: (result: Result) => void,
  reject: (failure: unknown) => void,
): void {
  try {
    resolve(act());
  } catch (failure) {
    // The error belongs to this write's request, not to the next one in the queue.
    reject(failure);
  }
}
