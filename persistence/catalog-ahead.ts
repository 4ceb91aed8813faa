/**
 * Work that a thread does ahead, a little at a time, while it is asked nothing: what comes with a
 * question goes first, and waits for one turn at the most. Bound: a turn takes `turnMs` and one
 * step, and then comes a pause of `pauseMs`.
 */
export interface AheadTerms {
  /** Does a step; false when there is nothing left to do, or nothing more can be done. */
  readonly step: () => boolean;
  readonly turnMs: number;
  readonly pauseMs: number;
}

/** Begins after a first pause; returns how to stop it. */
export function workAhead({ step, turnMs, pauseMs }: AheadTerms): () => void {
  const turn = (): void => {
    const endMs = performance.now() + turnMs;
    let isMore = true;
    while (isMore && performance.now() < endMs) isMore = step();
    if (isMore) timer = setTimeout(turn, pauseMs);
  };
  let timer = setTimeout(turn, pauseMs);
  return () => clearTimeout(timer);
}
