/** The order book of an outcome: rows that are drawn once a frame, and what stands between them. */

import { effect, type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ONE_TICKS } from '../decimal/index.ts';
import { Freshness, Segments, set } from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { centDecimals, centsText } from '../trading/units.ts';
import { bookRows, ownLots } from './book-model.ts';
import { BookRows } from './book-rows.ts';
import type { Desk } from './use-sending.ts';

/** Rows of each side; more are reached by scrolling, away from the midpoint. */
const ROWS = 40;
/** Steps of a market that are one row. */
const GROUPS = [1, 5, 10] as const;

/** The best prices, their spread and the last trade, as YES or NO sees them. */
function useQuotes({ view, ticket }: Desk) {
  return useComputed(() => {
    void view.changes.value;
    const outcome = ticket.outcome.value;
    const [bid, ask] = [view.book.best(outcome, 'bid'), view.book.best(outcome, 'ask')];
    const last = view.terms.value.lastPriceTicks;
    return {
      ask,
      bid,
      last: last === undefined || outcome === 0 ? last : ONE_TICKS - last,
      isBoth: bid !== undefined && ask !== undefined,
      spread: (ask ?? 0) - (bid ?? 0),
      middle: ((ask ?? 0) + (bid ?? 0)) / 2,
    };
  });
}

function bestText(side: 'bid' | 'ask', ticks: number | undefined): string {
  return ticks === undefined ? `there are no ${side}s` : `the best ${side} is ${centsText(ticks)}`;
}

function Between({ desk }: { desk: Desk }) {
  const { bid, ask, last, isBoth, spread, middle } = useQuotes(desk).value;
  const name = desk.rules.value.outcomes[desk.ticket.outcome.value];
  return (
    <div class="book-between">
      <span>
        Midpoint <b>{isBoth ? centsText(middle) : '–'}</b>
      </span>
      <span>Spread {isBoth ? centsText(spread) : '–'}</span>
      <span>Last {last === undefined ? '–' : centsText(last)}</span>
      <p class="hidden">
        {name}: {bestText('bid', bid)}, {bestText('ask', ask)}.
      </p>
    </div>
  );
}

/** Draws the rows with each frame in which the book, the outcome or own orders changed. */
function useRows(desk: Desk, steps: ReadonlySignal<number>) {
  const [asks, bids] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    if (asks.current === null || bids.current === null) return undefined;
    const { view, ticket, rules } = desk;
    const rows = new BookRows({ asks: asks.current, bids: bids.current }, ROWS, (pick) =>
      ticket.takeLevel(pick.side, pick.row.priceTicks, pick.row.totalLots),
    );
    return effect(() => {
      void view.changes.value;
      const outcome = ticket.outcome.value;
      const own = ownLots(pageStreams().user.orders.value.values(), rules.value.tokenIds);
      const { tickTicks } = rules.value;
      const groupTicks = steps.value === 1 ? 1 : steps.value * tickTicks;
      const side = (side: 'ask' | 'bid') =>
        bookRows(view.book, own, { outcome, side, limit: ROWS, groupTicks });
      rows.draw(side('ask'), side('bid'), centDecimals(tickTicks));
    });
  }, [desk]);
  return { asks, bids };
}

/** Why there are no rows; '' if there are some. */
function emptyText({ view, market }: Desk): string {
  void view.changes.value;
  const state = view.state.value;
  if (state === 'unknown') return 'This market has no order book.';
  if (state === 'loading') return 'The book is loading.';
  if (view.book.depth(0, 'bid') + view.book.depth(0, 'ask') > 0) return '';
  const canOrder = market.value.accepting_orders;
  return canOrder ? 'The book is empty. Your order would be the first.' : 'The book is empty.';
}

/** A part of its own, so that changes of the book do not render the panel. */
function EmptyBook({ desk }: { desk: Desk }) {
  const text = emptyText(desk);
  return text === '' ? null : <p class="empty">{text}</p>;
}

export function BookPanel({ desk }: { desk: Desk }) {
  const steps = useSignal('1');
  const { asks, bids } = useRows(
    desk,
    useComputed(() => Number(steps.value)),
  );
  const { ticket, rules, view } = desk;
  const [yes, no] = rules.value.outcomes;
  const isStale = view.state.value === 'stale';
  return (
    <section class={`panel book ${isStale ? 'book-stale' : ''}`} aria-labelledby="book-title">
      <div class="row apart">
        <h2 id="book-title">Order book</h2>
        <Segments
          label="Outcome of the book"
          value={String(ticket.outcome.value)}
          options={[
            ['0', yes],
            ['1', no],
          ]}
          onChange={(value) => ticket.chooseOutcome(value === '0' ? 0 : 1)}
        />
      </div>
      <Freshness state={pageStreams().market.state.value} />
      <div class="book-head">
        <select
          aria-label="Prices in one row"
          value={steps.value}
          onChange={(event) => set(steps, event.currentTarget.value)}
        >
          {GROUPS.map((count) => (
            <option key={count} value={count}>
              {centsText(count * rules.value.tickTicks)}
            </option>
          ))}
        </select>
        <span aria-hidden="true">Tokens</span>
        <span aria-hidden="true">Sum</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form */}
      <div ref={asks} class="book-side asks" role="group" aria-label="Asks, which you can buy" />
      <Between desk={desk} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form */}
      <div
        ref={bids}
        class="book-side bids"
        role="group"
        aria-label="Bids, which you can sell to"
      />
      <EmptyBook desk={desk} />
    </section>
  );
}
