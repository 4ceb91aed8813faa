/** Columns of tables of markets: chance, the last day, best prices, spread and volumes. */
import type { ComponentChildren } from 'preact';
import { sparkline } from '../charts/sparkline.ts';
import { type ColumnTerms, cents, shortCash } from '../kit/index.ts';
import { type Histories, movementOf, withPrice } from './histories.ts';
import { pricesOf, type Views } from './live-prices.ts';
import type { MarketRow, Prices } from './market-row.ts';

/** Where the cells of a table find what is not in its rows. */
export interface PriceSources {
  readonly views: Views;
  readonly histories: Histories;
}

interface CellProps {
  readonly market: MarketRow;
  readonly sources: PriceSources;
}

function nowOf({ market, sources }: CellProps): Prices {
  return pricesOf(market, sources.views.get(market.conditionId));
}

/** A share as a percentage: 0.535 is "53.5%". */
function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Number((share * 100).toFixed(1))}%`;
}

function amountText(price: number | undefined): string {
  return price === undefined ? '–' : cents(price);
}

/** With one side of a book and no trade, all that is known is a bound. */
function Chance(props: CellProps) {
  const { chance, bid, ask } = nowOf(props);
  const bound =
    chance !== undefined ? '' : bid !== undefined ? '≥ ' : ask !== undefined ? '≤ ' : '';
  return (
    <strong>
      {bound}
      {percent(chance ?? bid ?? ask)}
    </strong>
  );
}

const SIZE = { width: 88, height: 24 } as const;
/** Below a hundredth of a cent. */
const NO_MOVE = 0.00005;

function toneOf(move: number): string {
  if (Math.abs(move) < NO_MOVE) return 'muted';
  return move > 0 ? 'buy-text' : 'sell-text';
}

/** How the chance moved within a day. */
function Movement({ market, sources }: CellProps) {
  const { chance } = nowOf({ market, sources });
  const move = movementOf(sources.histories.get(market.conditionId), chance);
  if (move === undefined) return null;
  const sign = move > 0 ? '+' : '';
  const text = Math.abs(move) < NO_MOVE ? '0¢' : `${sign}${cents(move)}`;
  return <span class={toneOf(move)}>{text}</span>;
}

function Sparkline({ market, sources }: CellProps) {
  const { chance } = nowOf({ market, sources });
  const history = sources.histories.get(market.conditionId) ?? [];
  const path = sparkline(withPrice(history, chance), SIZE);
  const tone = toneOf(movementOf(history, chance) ?? 0);
  return (
    <svg class={`sparkline ${tone}`} {...SIZE} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function Bid(props: CellProps) {
  return <span class="buy-text">{amountText(nowOf(props).bid)}</span>;
}

function Ask(props: CellProps) {
  return <span class="sell-text">{amountText(nowOf(props).ask)}</span>;
}

function Spread(props: CellProps) {
  const { bid, ask } = nowOf(props);
  return <>{bid === undefined || ask === undefined ? '–' : cents(ask - bid)}</>;
}

export function Volume({ amount }: { amount: number }) {
  return <>{amount === 0 ? '–' : shortCash(amount)}</>;
}

export function priceColumns<Row>(
  marketOf: (row: Row) => MarketRow | undefined,
  sources: PriceSources,
  kind: 'short' | 'whole' = 'whole',
): readonly ColumnTerms<Row>[] {
  const cell = (Cell: (props: CellProps) => ComponentChildren) => (row: Row) => {
    const market = marketOf(row);
    return market === undefined ? null : <Cell market={market} sources={sources} />;
  };
  return [
    ['Chance', cell(Chance), 'number'],
    ['Last day', cell(Sparkline), undefined, 'minor'],
    ['Change', cell(Movement), 'number'],
    ...(kind === 'short' ? [] : bookColumns(cell)),
  ];
}

type CellOf<Row> = (
  cell: (props: CellProps) => ComponentChildren,
) => (row: Row) => ComponentChildren;

function bookColumns<Row>(cell: CellOf<Row>): readonly ColumnTerms<Row>[] {
  return [
    ['Bid', cell(Bid), 'number', 'minor'],
    ['Ask', cell(Ask), 'number', 'minor'],
    ['Spread', cell(Spread), 'number', 'minor'],
  ];
}
