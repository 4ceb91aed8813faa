/** A list that grows by a button. */
import { type ColumnTerms, Loaded, Table } from '../kit/index.ts';
import type { Pages } from './use-pages.ts';

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
