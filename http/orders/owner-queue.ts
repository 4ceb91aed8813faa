/**
 * Order of arrival (design 6): the writes of one owner are acted on in the order in which their
 * requests arrived, although each is prepared (its signatures checked) at its own pace. Different
 * owners never wait for each other.
 *
 * Invariant: of one owner nothing is acted on before everything that arrived earlier; an action is
 * synchronous, so that what one ticket submits is contiguous.
 * Bound: `HTTP_BOUNDS.pendingWritesPerOwner` tickets of an owner.
 */
import { HTTP_BOUNDS } from '../bounds/index.ts';
import { overloadedBy } from '../errors/index.ts';
import type { IntakeObserver } from './intake-observer.ts';

/** One write in its owner's line; `act` is there once it is prepared. */
interface Ticket {
  act: (() => void) | undefined;
  next: Ticket | undefined;
}

interface Line {
  first: Ticket | undefined;
  last: Ticket | undefined;
  length: number;
}

export class OwnerQueues {
  readonly #lines = new Map<string, Line>();
  readonly #observer: Pick<IntakeObserver, 'waited'> | undefined;

  constructor(observer?: Pick<IntakeObserver, 'waited'>) {
    this.#observer = observer;
  }

  /**
   * Takes a place in the owner's line now; acts on what was prepared when it is there and all
   * earlier ones have acted. Rejects with what the preparation or the action throws, or with
   * `overloaded` when the line is full.
   */
  enqueue<Prepared, Result>(
    owner: string,
    prepared: Promise<Prepared>,
    act: (prepared: Prepared) => Result,
  ): Promise<Result> {
    const line = this.#lineOf(owner);
    const limit = HTTP_BOUNDS.pendingWritesPerOwner;
    if (line.length >= limit) {
      // Nobody looks at the preparation any more; unheard, its failure would end the process.
      prepared.catch(() => {});
      return Promise.reject(overloadedBy('pendingWritesPerOwner', limit, line.length));
    }
    const ticket = append(line);
    return new Promise((resolve, reject) => {
      const arm = (action: () => void): void => {
        ticket.act = this.#timed(action);
        this.#advance(owner, line);
      };
      prepared.then(
        (value) => arm(() => settle(() => act(value), resolve, reject)),
        (failure: unknown) => arm(() => reject(failure)),
      );
    });
  }

  #timed(action: () => void): () => void {
    const observer = this.#observer;
    if (observer === undefined) return action;
    const sinceMs = performance.now();
    return () => {
      observer.waited(performance.now() - sinceMs);
      action();
    };
  }

  #lineOf(owner: string): Line {
    const known = this.#lines.get(owner);
    if (known !== undefined) return known;
    const line: Line = { first: undefined, last: undefined, length: 0 };
    this.#lines.set(owner, line);
    return line;
  }

  /** Acts on all that are prepared from the front of the line on. */
  #advance(owner: string, line: Line): void {
    while (line.first?.act !== undefined) {
      const { act, next } = line.first;
      line.first = next;
      line.length -= 1;
      act();
    }
    if (line.first === undefined) this.#lines.delete(owner);
  }
}

function append(line: Line): Ticket {
  const ticket: Ticket = { act: undefined, next: undefined };
  if (line.first === undefined || line.last === undefined) line.first = ticket;
  else line.last.next = ticket;
  line.last = ticket;
  line.length += 1;
  return ticket;
}

function settle<Result>(
  act: () => Result,
  resolve: (result: Result) => void,
  reject: (failure: unknown) => void,
): void {
  try {
    resolve(act());
  } catch (failure) {
    // What an action throws belongs to its own request, not to the next one in line.
    reject(failure);
  }
}
