/**
 * Pre-warms caches in small steps while a thread is idle. Invariant: a question waits for one turn
 * at the most; an error in a step need not be reported, because it occurs again when a question
 * needs the same data. Bound: a turn takes `turnMs` and one step, and is followed by a pause of
 * `pauseMs`.
 */
export interface PrewarmOptions {
  /** Returns false if nothing is left to do. A step that throws is the last one. */
  readonly step: () => boolean;
  readonly turnMs: number;
  readonly pauseMs: number;
}

/** Starts after a first pause. Returns a function that stops it. */
export function startPrewarming({ step, turnMs, pauseMs }: PrewarmOptions): () => void {
  const turn = (): void => {
    const endMs = performance.now() + turnMs;
    let isMore = true;
    while (isMore && performance.now() < endMs) isMore = triedStep(step);
    if (isMore) timer = setTimeout(turn, pauseMs);
  };
  let timer = setTimeout(turn, pauseMs);
  return () => clearTimeout(timer);
}

function triedStep(step: () => boolean): boolean {
  try {
    return step();
  } catch {
    // A damaged record or a failing disk must not end the thread; questions report it.
    return false;
  }
}
