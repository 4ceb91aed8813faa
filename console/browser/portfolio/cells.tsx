/** What several panels share: cells of markets and amounts, and lists that grow by a button. */

import type { ComponentChildren } from 'preact';
import { type ColumnTerms, Loaded, linkTo, Table } from '../kit/index.ts';
import type { Pages } from './use-pages.ts';

interface MarketCellProps {
  readonly conditionId: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function MarketCell({ conditionId, title, children }: MarketCellProps) {
  return (
    <div class="market-cell">
      {conditionId !== '' && <a href={linkTo(['market', conditionId])}>{title}</a>}
      {children}
    </div>
  );
}

interface OutcomeOf {
  readonly conditionId: string;
  readonly title: string;
  readonly outcome: string;
}

export const MARKET: ColumnTerms<OutcomeOf> = [
  'Market',
  ({ conditionId, title, outcome }) => (
    <MarketCell conditionId={conditionId} title={title}>
      <span class="badge">{outcome}</span>
    </MarketCell>
  ),
];

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
