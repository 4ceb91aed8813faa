/**
 * Something that a component shows and that must be fetched first.
 *
 * Invariant: only the newest load of a resource changes it; a load whose component is gone or whose
 * inputs changed is canceled.
 */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Answer, type PathOf, type Proof, type Request, reach, send } from '../wire/index.ts';

export type Loading<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value; readonly failure?: unknown }
  | { readonly state: 'failed'; readonly failure: unknown };

export interface Resource<Value> {
  readonly now: Signal<Loading<Value>>;
  /** Loads again; what is shown stays until the answer is there. */
  reload(): void;
}

interface ResourceOptions {
  /** Loads again after so many milliseconds, while the page is visible. */
  readonly everyMs?: number;
}

interface AnswerOptions extends ResourceOptions {
  /** What else the answer depends on, such as who is signed in. */
  readonly inputs?: readonly unknown[];
}

/**
 * Loads when the component appears and when one of `inputs` changes. A failure of a later load of
 * the same inputs leaves the value and adds `failure`: the page shows it as stale.
 */
export function useResource<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  { everyMs }: ResourceOptions = {},
): Resource<Value> {
  const now = useSignal<Loading<Value>>({ state: 'loading' });
  const turn = useSignal(0);
  const isLoading = useRef(false);
  useLayoutEffect(() => {
    now.value = { state: 'loading' };
  }, inputs);
  // Not after the next frame: the answer is what people wait for.
  useLayoutEffect(() => {
    const controller = new AbortController();
    isLoading.current = true;
    load(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        isLoading.current = false;
        now.value = { state: 'ready', value };
      },
      (failure) => {
        if (controller.signal.aborted) return;
        isLoading.current = false;
        const before = now.peek();
        now.value =
          before.state === 'ready' ? { ...before, failure } : { state: 'failed', failure };
      },
    );
    return () => controller.abort();
  }, [...inputs, turn.value]);
  const reload = useCallback(() => {
    turn.value += 1;
  }, [turn]);
  const wasReady = useRef(true);
  useSignalEffect(() => {
    const isReady = reach.value === 'ready';
    // What an exchange said before it was gone may no longer be so.
    if (isReady && !wasReady.current) reload();
    wasReady.current = isReady;
  });
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      // An answer that takes longer than the interval is waited for, not given up.
      if (document.visibilityState === 'visible' && !isLoading.current) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { now, reload };
}

/** What a route answers; asked again when a part of the question changes. */
export function useAnswer<const Path extends PathOf<'GET', A>, const A extends Proof = undefined>(
  path: Path,
  question: Omit<Request<'GET', Path, A>, 'method' | 'path' | 'signal'> = {},
  { inputs = [], ...options }: AnswerOptions = {},
): Resource<Answer<'GET', Path, A>> {
  return useResource(
    (signal) => send({ ...question, method: 'GET', path, signal }),
    [path, JSON.stringify(question), ...inputs],
    options,
  );
}

/** For controls: puts what they give into a signal. */
export function setter<Value>(target: Signal<Value>): (value: Value) => void {
  return (value) => {
    target.value = value;
  };
}

/** For buttons: `() => set(target, value)`. */
export function set<Value>(target: Signal<Value>, value: Value): void {
  target.value = value;
}
