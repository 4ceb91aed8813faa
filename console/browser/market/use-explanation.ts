/**
 * Asks the exchange what the order of the ticket would do, a moment after the last change of the
 * ticket, and again after changes of the book and of what the account has.
 *
 * Invariant: what is returned is of the order that the ticket has now. `isCurrent` tells whether it
 * is also of the book and the balances that the page shows now: an answer is older than the next
 * message of a stream.
 * Bound: one request at a time, at most one each `AGAIN_MS`, which the rate `debug-order` allows.
 */
import { computed, type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ownChannelFailure, session } from '../identity/index.ts';
import type { MarketView } from '../streams/market-feed.ts';
import { pageStreams } from '../streams/streams.ts';
import type { Order } from '../trading/draft.ts';
import { type Explanation, explanationOf } from '../trading/explanation.ts';
import { send } from '../wire/index.ts';

export type Explained =
  /** There is no order, or nobody who would send it. */
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly explanation: Explanation; readonly isCurrent: boolean }
  | { readonly kind: 'failed'; readonly failure: unknown };

const DEBOUNCE_MS = 250;
const AGAIN_MS = 1_000;

async function ask(order: Order, signal: AbortSignal): Promise<Explanation> {
  const body = await session.orderToExplain(order);
  const request = { method: 'POST', path: '/debug/order', body, auth: 'l2', signal } as const;
  const answer = await send(request);
  return explanationOf(answer, order.side, session.identity.peek().kind !== 'wallet');
}

/** What an answer depends on besides the order. It is another object after each change. */
interface Moment {
  readonly changes: number;
  readonly balances: object;
}

/** Calls `run` after a while, then after changes, until the answer is called. */
function repeat(moment: ReadonlySignal<Moment>, run: (at: Moment) => Promise<void>): () => void {
  let isDone = false;
  let timer = setTimeout(turn, DEBOUNCE_MS);
  let asked: Moment | undefined;
  async function turn(): Promise<void> {
    const now = moment.peek();
    if (now !== asked && document.visibilityState === 'visible') {
      asked = now;
      await run(now);
    }
    if (!isDone) timer = setTimeout(turn, AGAIN_MS);
  }
  return () => {
    isDone = true;
    clearTimeout(timer);
  };
}

type Answered =
  | { readonly kind: 'known'; readonly explanation: Explanation }
  | { readonly kind: 'failed'; readonly failure: unknown };

interface Known {
  readonly question: string;
  /** When the question was asked. */
  readonly at: Moment;
  readonly answered: Answered;
}

export function useExplanation(order: Order | undefined, view: MarketView): Explained {
  const known = useSignal<Known | undefined>(undefined);
  const moment = useMemo(
    () =>
      computed<Moment>(() => ({
        changes: view.changes.value,
        balances: pageStreams().user.balances.value,
      })),
    [view],
  );
  const identity = session.identity.value;
  // A wallet that refused to sign is not asked again with each letter that is typed.
  const isAble = identity.kind !== 'none' && ownChannelFailure.value === undefined;
  const question = order === undefined || !isAble ? '' : JSON.stringify([order, identity.address]);
  useEffect(() => {
    if (order === undefined || question === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stop = repeat(moment, async (at) => {
      const set = (answered: Answered) => {
        if (!signal.aborted) known.value = { question, at, answered };
      };
      await ask(order, signal).then(
        (explanation) => set({ kind: 'known', explanation }),
        (failure) => set({ kind: 'failed', failure }),
      );
    });
    return () => {
      stop();
      controller.abort();
    };
  }, [question, moment]);
  if (question === '') return { kind: 'none' };
  if (known.value?.question !== question) return { kind: 'asking' };
  const { at, answered } = known.value;
  return answered.kind === 'failed' ? answered : { ...answered, isCurrent: at === moment.value };
}
