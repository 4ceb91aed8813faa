/** A table of a list that the exchange answers page by page. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Column, Loaded, Table, useResource } from '../kit/index.ts';
import { send } from '../wire/index.ts';

export const PAGE = 50;

/** Where a page begins, such as an offset; undefined for the first one. */
type Mark = number | undefined;

interface PagedProps<Row, Answer> {
  readonly label: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The parameter that says where a page begins. */
  readonly mark: 'offset' | 'before_seq' | 'before_id';
  readonly rowsOf: (answer: Answer) => readonly Row[];
  /** Where the next page begins; undefined or null for none. */
  readonly nextOf: (answer: Answer) => Mark | null;
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  readonly empty: ComponentChildren;
  /** The list is loaded again when it changes. */
  readonly turn?: number;
}

export function Paged<Row, Answer>(props: PagedProps<Row, Answer>) {
  const { label, path, query = {}, mark, rowsOf, nextOf, keyOf, columns, empty, turn = 0 } = props;
  const begin = useSignal<Mark>(undefined);
  const asked = JSON.stringify(query);
  const shownFor = useSignal(asked);
  // Another list begins with its first page.
  if (shownFor.peek() !== asked) {
    shownFor.value = asked;
    begin.value = undefined;
  }
  const page = useResource(
    (signal) =>
      send<Answer>({
        ...{ method: 'GET', path, auth: 'operator', signal },
        query: { ...query, limit: PAGE, [mark]: begin.value },
      }),
    [path, asked, begin.value, turn],
  );
  return (
    <Loaded resource={page} lines={8}>
      {(answer) => {
        const next = nextOf(answer);
        return (
          <>
            <Table label={label} rows={rowsOf(answer)} {...{ keyOf, columns, empty }} />
            <div class="row">
              {begin.value !== undefined && (
                <button
                  type="button"
                  onClick={() => {
                    begin.value = undefined;
                  }}
                >
                  First page
                </button>
              )}
              {typeof next === 'number' && (
                <button
                  type="button"
                  onClick={() => {
                    begin.value = next;
                  }}
                >
                  Next page
                </button>
              )}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** An answer with its rows in `data`, and the next offset. */
export interface OffsetPage<Row> {
  readonly data: readonly Row[];
  readonly next_offset: number | null;
}

/** How `Paged` reads such an answer. */
export function byOffset<Row>() {
  return {
    mark: 'offset',
    rowsOf: ({ data }: OffsetPage<Row>) => data,
    nextOf: ({ next_offset }: OffsetPage<Row>) => next_offset,
  } as const;
}
