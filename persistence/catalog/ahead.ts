/**
 * Work that a thread does ahead, a little at a time, while it is asked nothing: what comes with a
 * question goes first, and waits for one turn at the most. Invariant: what can't be done ahead
 * changes nothing, for the error comes again, and is answered, when somebody asks. Bound: a turn
 * takes `turnMs` and one step, and then comes a pause of `pauseMs`.
 */
export interface AheadTerms {
  /** Does a step; false when there is nothing left to do. One that throws is the last. */
  readonly step: () => boolean;
  readonly turnMs: number;
  readonly pauseMs: number;
}

/** Begins after a first pause; returns how to stop it. */
export function workAhead({ step, turnMs, pauseMs }: AheadTerms): () => void {
  const turn = (): void => {
    const endMs = performance.now() + turnMs;
    let isMore = true;
    while (isMore && performance.now() < endMs) isMore = stepped(step);
    if (isMore) timer = setTimeout(turn, pauseMs);
  };
  let timer = setTimeout(turn, pauseMs);
  return () => clearTimeout(timer);
}

function stepped(step: () => boolean): boolean {
  try {
    return step();
  } catch {
    return false; // a record that is damaged, or a disk: it must not end the thread again and again
  }
}
