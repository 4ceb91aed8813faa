/** What several panels share: cells of markets and amounts, and lists that grow by a button. */

import type { ComponentChildren } from 'preact';
import { type ColumnTerms, grouped, Loaded, linkTo, Table } from '../kit/index.ts';
import { moneyText, shortMoney, signedMoney } from '../trading/units.ts';
import type { Pages } from './use-pages.ts';

interface MarketCellProps {
  readonly conditionId: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function MarketCell({ conditionId, title, children }: MarketCellProps) {
  return (
    <div class="market-cell">
      <a href={linkTo(['market', conditionId])}>{title}</a>
      {children}
    </div>
  );
}

interface ListProps<Row> {
  readonly label: string;
  readonly pages: Pages<Row>;
  readonly columns: readonly ColumnTerms<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
}

export function PagedTable<Row>({ label, pages, columns, keyOf, empty }: ListProps<Row>) {
  return (
    <Loaded resource={pages.resource}>
      {({ rows, next, isCut }) => (
        <>
          <Table label={label} rows={rows} columns={columns} keyOf={keyOf} empty={empty} />
          {next !== undefined && (
            <p>
              <button type="button" onClick={pages.more}>
                Show older ones
              </button>
            </p>
          )}
          {isCut && (
            <p class="muted">These are the newest {rows.length}. The exchange has older ones.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function signedPercent(percent: number): string {
  const text = grouped(Math.abs(percent).toFixed(1));
  if (text === '0.0') return '0.0%';
  return `${percent < 0 ? '−' : '+'}${text}%`;
}

function toneOf(micros: number): string {
  if (micros === 0) return '';
  return micros > 0 ? 'buy-text' : 'sell-text';
}

interface GainProps {
  readonly micros: number;
  /** Of what was paid. */
  readonly percent?: number;
}

/** A profit or a loss: by its sign, and by its color. */
export function Gain({ micros, percent }: GainProps) {
  return (
    <span class={toneOf(micros)} title={moneyText(micros)}>
      {signedMoney(micros)}
      {percent !== undefined && ` (${signedPercent(percent)})`}
    </span>
  );
}

/** Cash in cents, with all of it on hover. */
export function Money({ micros }: { micros: number }) {
  return <span title={moneyText(micros)}>{shortMoney(micros)}</span>;
}
