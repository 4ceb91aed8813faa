/**
 * The entry of the projector's thread. It is ready as soon as it has read the cursor of its tables;
 * it loads its engine later. Bound: one step of the journal at a time; between two steps it
 * receives its messages.
 */
import '../threads/node-version.ts';
import { runWorker, type WorkerHandler } from '../threads/index.ts';
import { type ProjectorThreadData, ProjectorWork } from './projector-work.ts';

export interface ProjectorOpened {
  /** The last change in the tables. */
  readonly projectedSeq: number;
}

/** The last durable seq. */
export type ProjectorOrder = number;

export interface ProjectorMessage {
  readonly kind: 'projected';
  readonly seq: number;
}

class ProjectorThread implements WorkerHandler<ProjectorOpened, ProjectorOrder> {
  readonly opened: ProjectorOpened;
  readonly #work: ProjectorWork;
  readonly #post: (message: ProjectorMessage) => void;
  #durableSeq = 0;
  #isStepping = false;
  #isClosed = false;

  constructor(data: ProjectorThreadData, post: (message: ProjectorMessage) => void) {
    this.#post = post;
    this.#work = new ProjectorWork(data);
    this.opened = { projectedSeq: this.#work.projectedSeq };
  }

  receive(durableSeq: ProjectorOrder): void {
    this.#durableSeq = Math.max(this.#durableSeq, durableSeq);
    if (this.#isStepping) return;
    this.#isStepping = true;
    this.#step();
  }

  close(): void {
    this.#isClosed = true;
    this.#work.close();
  }

  #step(): void {
    if (this.#isClosed) return;
    this.#isStepping = this.#work.step(this.#durableSeq);
    this.#post({ kind: 'projected', seq: this.#work.projectedSeq });
    if (this.#isStepping) setImmediate(() => this.#step());
  }
}

runWorker(
  'projector',
  (data: ProjectorThreadData, post: (message: ProjectorMessage) => void) =>
    new ProjectorThread(data, post),
);
