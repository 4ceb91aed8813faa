/**
 * Asks the exchange what the order of the ticket would do, a moment after the last change of the
 * ticket, and again while the book changes.
 *
 * Invariant: what is returned is of the order that the ticket has now.
 * Bound: one request at a time.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ownChannelFailure, session } from '../identity/index.ts';
import type { MarketView } from '../streams/market-feed.ts';
import type { Order } from '../trading/draft.ts';
import { type Explanation, explanationOf } from '../trading/explanation.ts';
import { send } from '../wire/index.ts';

export type Explained =
  /** There is no order, or nobody who would send it. */
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly explanation: Explanation }
  | { readonly kind: 'failed'; readonly failure: unknown };

const DEBOUNCE_MS = 250;
const AGAIN_MS = 5_000;

async function ask(order: Order, signal: AbortSignal): Promise<Explanation> {
  const body = await session.orderToExplain(order);
  const request = { method: 'POST', path: '/debug/order', body, auth: 'l2', signal } as const;
  const answer = await send(request);
  return explanationOf(answer, order.side, session.identity.peek().kind !== 'wallet');
}

/** Calls `run` after a while, then when the book has changed, until the answer is called. */
function repeat(view: MarketView, run: () => Promise<void>): () => void {
  let isDone = false;
  let timer = setTimeout(turn, DEBOUNCE_MS);
  let seen = -1;
  async function turn(): Promise<void> {
    const changes = view.changes.peek();
    if (changes !== seen && document.visibilityState === 'visible') await run();
    seen = changes;
    if (!isDone) timer = setTimeout(turn, AGAIN_MS);
  }
  return () => {
    isDone = true;
    clearTimeout(timer);
  };
}

interface Known {
  readonly question: string;
  readonly explained: Explained;
}

export function useExplanation(order: Order | undefined, view: MarketView): Explained {
  const known = useSignal<Known>({ question: '', explained: { kind: 'none' } });
  const identity = session.identity.value;
  // A wallet that refused to sign is not asked again with each letter that is typed.
  const isAble = identity.kind !== 'none' && ownChannelFailure.value === undefined;
  const question = order === undefined || !isAble ? '' : JSON.stringify([order, identity.address]);
  useEffect(() => {
    if (order === undefined || question === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const set = (explained: Explained) => {
      if (!signal.aborted) known.value = { question, explained };
    };
    const stop = repeat(view, () =>
      ask(order, signal).then(
        (explanation) => set({ kind: 'known', explanation }),
        (failure) => set({ kind: 'failed', failure }),
      ),
    );
    return () => {
      stop();
      controller.abort();
    };
  }, [question, view]);
  if (question === '') return { kind: 'none' };
  return known.value.question === question ? known.value.explained : { kind: 'asking' };
}
