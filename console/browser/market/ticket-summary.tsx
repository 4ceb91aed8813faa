/** What the order would do, before it is sent: fills, prices, fee, cost and payout. */

import type { Side } from '../../../engine/model/index.ts';
import { ONE_TICKS } from '../decimal/index.ts';
import { Failure } from '../kit/index.ts';
import type { Order } from '../trading/draft.ts';
import { type Estimate, estimate } from '../trading/estimate.ts';
import type { OrderExplanation } from '../trading/explanation.ts';
import { highestFee } from '../trading/fees.ts';
import { centsText, moneyText, tokensText } from '../trading/units.ts';
import type { Explained } from './use-explanation.ts';
import type { Desk } from './use-sending.ts';

type Row = readonly [name: string, text: string];

/** What the order does at once, by the exchange where it said so of the book of now. */
function fillsOf(order: Order, desk: Desk, known: OrderExplanation | undefined): Estimate {
  const own = estimate(order, desk.rules.value.fees, desk.ticket.levels());
  if (known === undefined) return own;
  const { filledLots, cashMicros, feeMicros, restingLots } = known;
  return { ...own, filledLots, cashMicros, feeMicros, restingLots };
}

const VERB: Readonly<Record<Side, string>> = { BUY: 'Buys', SELL: 'Sells' };

function fillRows({ side, lots }: Order, fills: Estimate): Row[] {
  const { filledLots, cashMicros, worstTicks, restingLots } = fills;
  const rows: Row[] = [];
  if (filledLots === 0) {
    if (restingLots === 0) rows.push([`${VERB[side]} now`, 'nothing']);
    return rows;
  }
  const of = lots > 0 && filledLots < lots ? ` of ${tokensText(lots)}` : '';
  rows.push([`${VERB[side]} now`, `${tokensText(filledLots)}${of} tokens`]);
  rows.push(['Average price', centsText(cashMicros / filledLots)]);
  if (worstTicks !== undefined) rows.push(['Worst price in the book', centsText(worstTicks)]);
  return rows;
}

function moneyRows(order: Order, fills: Estimate, required: number | undefined): Row[] {
  const { side, priceTicks } = order;
  const { cashMicros, feeMicros, restingLots, filledLots } = fills;
  const rows: Row[] = [];
  if (restingLots > 0) {
    rows.push(['Rests on the book', `${tokensText(restingLots)} at ${centsText(priceTicks)}`]);
  }
  if (filledLots > 0) rows.push(['Fee', feeMicros === 0 ? 'none' : moneyText(feeMicros)]);
  const restingMicros = restingLots * priceTicks;
  if (side === 'SELL') {
    if (filledLots > 0) rows.push(['You get now', moneyText(cashMicros - feeMicros)]);
    if (restingLots > 0) rows.push(['More when the rest fills', moneyText(restingMicros)]);
    return rows;
  }
  const cost = cashMicros + feeMicros + restingMicros;
  const pays = (filledLots + restingLots) * ONE_TICKS;
  if (filledLots > 0) rows.push(['You pay now', moneyText(cashMicros + feeMicros)]);
  if (restingLots > 0) rows.push(['Held for the rest', moneyText(restingMicros)]);
  if (required !== undefined) rows.push(['Costs at most', moneyText(required)]);
  const gain = pays - cost;
  const percent = cost > 0 ? ` (+${Math.round((gain / cost) * 100)}%)` : '';
  rows.push(['Pays if right', moneyText(pays)]);
  rows.push(['Profit if right', `${moneyText(gain)}${percent}`]);
  return rows;
}

/** What a BUY costs at most, by its limit. */
function mostOf(order: Order, desk: Desk): number | undefined {
  const { side, priceTicks, lots, budgetMicros } = order;
  if (side === 'SELL') return undefined;
  const size = lots > 0 ? lots : Math.floor(budgetMicros / priceTicks);
  const cost = lots > 0 ? lots * priceTicks : budgetMicros;
  return cost + highestFee(desk.rules.value.fees, { priceTicks, lots: size });
}

/** What the exchange said of the book that the page shows. Of an earlier book it is no preview. */
function outcomeOf(explained: Explained): OrderExplanation | undefined {
  return explained.kind === 'known' && explained.isCurrent
    ? explained.explanation.outcome
    : undefined;
}

function Note({ explained }: { explained: Explained }) {
  if (explained.kind === 'asking') return <>The exchange is asked …</>;
  if (outcomeOf(explained) !== undefined) return <>As the exchange would carry it out now.</>;
  return <>Estimated from the book on this page.</>;
}

export function TicketSummary(props: { desk: Desk; order: Order; explained: Explained }) {
  const { desk, order, explained } = props;
  const known = outcomeOf(explained);
  const fills = fillsOf(order, desk, known);
  const required = known === undefined ? mostOf(order, desk) : known.required;
  const rows = [
    ...fillRows(order, fills),
    ...moneyRows(order, fills, order.side === 'BUY' ? required : undefined),
  ];
  const delayMs = known?.delayMs ?? 0;
  return (
    <div class="ticket-summary">
      <dl>
        {rows.map(([name, text]) => (
          <div key={name} class="ticket-line">
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {delayMs > 0 && <p>It waits {delayMs / 1000} seconds before it trades.</p>}
      {explained.kind === 'failed' && <Failure failure={explained.failure} />}
      <small class="hint">
        <Note explained={explained} />
      </small>
    </div>
  );
}
